package mastodon

import "net/http"

// fixedHeader is a header that every answer has. Its values are shared by all
// answers: nobody may write into the slice.
type fixedHeader struct {
	name   string
	values []string
}

// fixedHeaders are those of every answer. Pages of any origin may read it. That is
// safe because no cookie counts here: a page has only the token that its user gave
// it.
var fixedHeaders = [...]fixedHeader{
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"Content-Security-Policy", []string{"default-src 'none'; frame-ancestors 'none'"}},
	{"Access-Control-Allow-Origin", []string{"*"}},
	{"Access-Control-Expose-Headers", []string{"Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"}},
}

// Values of headers that most answers have; shared like those above.
var (
	jsonType = []string{"application/json; charset=utf-8"}
	unstored = []string{"private, no-store"}
)

// setFixed sets the headers of every answer. Names are spelt as net/http spells
// them, so that they need not be brought into that form each time.
func setFixed(h http.Header) {
	for i := range fixedHeaders {
		h[fixedHeaders[i].name] = fixedHeaders[i].values
	}
}

// preflight answers a browser that asks what it may send. The headers asked for
// are named one by one, because "*" does not cover Authorization.
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
