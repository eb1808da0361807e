package mastodon

import (
	"math/rand/v2"
	"net/http"
	"strconv"
)

// setFixed sets the headers of all responses. Pages of any origin may read them. This is safe,
// because cookies do not count: a page needs a token of its user.
func setFixed(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id")
}

// preflight handles a CORS preflight request. It lists the requested headers, because "*" does not
// include Authorization.
func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	asked := r.Header.Get("Access-Control-Request-Headers")
	if asked == "" {
		asked = "authorization, content-type, idempotency-key"
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
	h.Set("Access-Control-Allow-Headers", asked)
	h.Set("Access-Control-Max-Age", "7200")
	h.Set("Vary", "Access-Control-Request-Headers")
	h.Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
}

// newRequestID returns an id that relates a response to its log lines. It is not secret.
func newRequestID() string { return strconv.FormatUint(rand.Uint64()|1<<63, 16) }
