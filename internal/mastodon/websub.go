package mastodon

import (
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/outsidefeed"
)

// hubHandler receives the requests of WebSub hubs for external feeds. The token in the path, which
// only the hub knows, authorizes them. https://www.w3.org/TR/websub/
type hubHandler struct {
	srv     *request.Server
	outside *outsidefeed.Service
}

// handler counts a request and calls do with the feed in its path. It sends the text that do returns.
func (h *hubHandler) handler(do func(w http.ResponseWriter, r *http.Request, feed linnet.ID) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out, err := "", h.srv.Throttle(w, r, linnet.Session{})
		feed, ok := linnet.ParseID(r.PathValue("feed"))
		if err == nil && !ok {
			err = request.ErrNotFound()
		}
		if err == nil {
			out, err = do(w, r, feed)
		}
		if err != nil {
			h.srv.Fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write([]byte(out)) // an error means that the hub disconnected
	}
}

func (h *hubHandler) confirm(_ http.ResponseWriter, r *http.Request, feed linnet.ID) (string, error) {
	return h.outside.Confirm(r.Context(), feed, r.PathValue("token"), r.URL.Query())
}

func (h *hubHandler) receive(w http.ResponseWriter, r *http.Request, feed linnet.ID) (string, error) {
	signature := strings.TrimSpace(r.Header.Get("X-Hub-Signature"))
	return "", h.outside.Notified(r.Context(), feed, r.PathValue("token"), signature, func() ([]byte, error) {
		return request.ReadBody(w, r, outsidefeed.MaxNotification)
	})
}
