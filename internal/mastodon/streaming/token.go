package streaming

import (
	"net/http"
	"strings"

	"linnet/internal/mastodon/request"
)

// Token returns the token of a streaming request, or "". Browsers cannot set headers of a
// WebSocket, so it may also be the first WebSocket protocol.
func Token(r *http.Request) string {
	if token := request.SentToken(r); token != "" {
		return token
	}
	if p := offeredProtocols(r); len(p) > 0 {
		return p[0]
	}
	return ""
}

// offeredProtocols returns the WebSocket protocols that the client offers. Browsers close the
// connection unless the server accepts the first one.
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
