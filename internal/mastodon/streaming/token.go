package streaming

import (
	"net/http"
	"strings"

	"linnet/internal/mastodon/request"
)

// Token returns the token of a streaming request, else "". It may also be the first
// of the WebSocket's protocols: browsers cannot set other headers on a WebSocket.
func Token(r *http.Request) string {
	if token := request.SentToken(r); token != "" {
		return token
	}
	if p := offeredProtocols(r); len(p) > 0 {
		return p[0]
	}
	return ""
}

// offeredProtocols are the WebSocket protocols that the client names. The first
// is echoed, or browsers end the connection.
func offeredProtocols(r *http.Request) []string {
	var all []string
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			if p = strings.TrimSpace(p); p != "" {
				all = append(all, p)
			}
		}
	}
	return all
}
