package request

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// resets caches the text of the ends of rate limit windows. Windows end at multiples of five
// minutes.
type resets [8]atomic.Pointer[stamp]

// stamp is a time with its text.
type stamp struct {
	at   time.Time
	text string
}

func (r *resets) text(at time.Time) string {
	slot := &r[uint64(at.Unix()/300)%uint64(len(r))]
	s := slot.Load()
	if s == nil || !s.at.Equal(at) {
		s = &stamp{at, wire.Timestamp(at)}
		slot.Store(s)
	}
	return s.text
}

// throttle counts a request and sets the rate limit headers. It returns TooMany above a limit.
// Requests outside /api and /oauth are not counted.
func (s *Server) throttle(r *Request, class core.RateClass) error {
	if path := r.URL.Path; !strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/oauth/") {
		return nil
	}
	if class == core.RateGeneral && isPaging(r.URL.RawQuery) {
		class = core.RatePaging
	}
	q, err := s.core.AllowRequest(r.Context(),
		core.Caller{Session: r.Session.ID, User: r.Session.User, From: s.clientAddr(r.Request)}, class)
	if q.Limit != 0 {
		r.SetHeader("X-Ratelimit-Limit", strconv.FormatInt(q.Limit, 10))
		r.SetHeader("X-Ratelimit-Remaining", strconv.FormatInt(q.Left, 10))
		r.SetHeader("X-Ratelimit-Reset", s.resets.text(q.Reset))
	}
	if linnet.KindOf(err) == linnet.TooMany {
		return &Problem{Code: http.StatusTooManyRequests, Body: ErrorBody{Error: "Too many requests"},
			retryAfter: max(q.Reset.Sub(s.now()), time.Second), limit: q.Limit}
	}
	return err
}

// Throttle counts a request that is not in the route table.
func (s *Server) Throttle(w http.ResponseWriter, r *http.Request, who linnet.Session) error {
	return s.throttle(&Request{Request: r, Session: who, response: w.Header()}, core.RateGeneral)
}

// setRefusal makes the headers describe the limit that refused a request. Other limits may have
// set them before.
func (s *Server) setRefusal(h http.Header, p *Problem) {
	h.Del("X-Ratelimit-Limit")
	if p.limit > 0 {
		h.Set("X-Ratelimit-Limit", strconv.FormatInt(p.limit, 10))
	}
	h.Set("X-Ratelimit-Remaining", "0")
	h.Set("X-Ratelimit-Reset", wire.Timestamp(s.now().Add(p.retryAfter)))
}

// isPaging reports whether a query requests a page other than the first.
func isPaging(query string) bool {
	return strings.Contains(query, "max_id=") || strings.Contains(query, "min_id=") || strings.Contains(query, "since_id=")
}
