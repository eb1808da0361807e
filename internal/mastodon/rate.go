package mastodon

import (
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"linnet/internal/linnet"
)

// Rates say how many requests are answered in a window before 429. 0 means
// Mastodon's number, which is given here; below 0 means no limit.
type Rates struct {
	Token   int64 // 300 in 5 minutes, API calls with one token
	User    int64 // 1500 in 5 minutes, API calls of a user with all tokens
	Address int64 // 300 in 5 minutes, API and OAuth calls without a user
	Paging  int64 // 300 in 15 minutes, calls that go through pages
	Delete  int64 // 30 in 30 minutes, deleted statuses and reposts
	SignUp  int64 // 5 in 30 minutes and address, new accounts
	Apps    int64 // 60 in 30 minutes and address, registered apps
}

func (r Rates) withDefaults() Rates {
	for _, d := range [...]struct {
		n     *int64
		usual int64
	}{
		{&r.Token, 300}, {&r.User, 1500}, {&r.Address, 300}, {&r.Paging, 300},
		{&r.Delete, 30}, {&r.SignUp, 5}, {&r.Apps, 60},
	} {
		if *d.n == 0 {
			*d.n = d.usual
		}
	}
	return r
}

// limit names what a route counts beside the general limits.
type limit uint8

const (
	noLimit limit = iota
	limitDelete
	limitSignUp
	limitApps
)

// meters are the counters that requests count on.
type meters struct {
	token, user, address, paging, deletes, signUp, apps *meter
}

// meter is a counter with its limit.
type meter struct {
	what   string
	limit  int64 // at most 0: none
	window time.Duration
	text   string // the limit, for the header
	reset  atomic.Pointer[stamp]
}

// stamp is a moment and how it is written.
type stamp struct {
	at   time.Time
	text string
}

func newMeters(r Rates) meters {
	m := func(what string, limit int64, window time.Duration) *meter {
		return &meter{what: what, limit: limit, window: window, text: strconv.FormatInt(limit, 10)}
	}
	return meters{
		token: m("api", r.Token, 5*time.Minute), user: m("user", r.User, 5*time.Minute),
		address: m("api", r.Address, 5*time.Minute), paging: m("paging", r.Paging, 15*time.Minute),
		deletes: m("delete", r.Delete, 30*time.Minute), signUp: m("signup", r.SignUp, 30*time.Minute),
		apps: m("app", r.Apps, 30*time.Minute),
	}
}

// resets writes the end of a window: the same for all requests until then.
func (m *meter) resets(at time.Time) string {
	s := m.reset.Load()
	if s == nil || !s.at.Equal(at) {
		s = &stamp{at, timestamp(at)}
		m.reset.Store(s)
	}
	return s.text
}

// throttle counts the request on all its meters, tells the tightest of them in
// the header and refuses with TooMany when one is used up. Calls outside the API,
// such as discovery, count nowhere.
func (a *API) throttle(r *request, l limit) error {
	if path := r.URL.Path; !strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/oauth/") {
		return nil
	}
	c := count{a: a, r: r, tightest: -1}
	if r.who.User != 0 {
		c.who = r.who.User.String()
		c.on(a.meters.token, r.who.ID)
		c.on(a.meters.user, c.who)
	} else {
		c.who = addressKey(a.opts.ClientAddr(r.Request))
		c.on(a.meters.address, c.who)
	}
	switch {
	case l == limitDelete:
		c.on(a.meters.deletes, c.who)
	case l == limitSignUp:
		c.on(a.meters.signUp, addressKey(a.opts.ClientAddr(r.Request)))
	case l == limitApps:
		c.on(a.meters.apps, addressKey(a.opts.ClientAddr(r.Request)))
	case isPaging(r.URL.RawQuery):
		c.on(a.meters.paging, c.who)
	}
	if c.by != nil {
		r.setHeader("X-Ratelimit-Limit", c.by.text)
		r.setHeader("X-Ratelimit-Remaining", strconv.FormatInt(c.tightest, 10))
		r.setHeader("X-Ratelimit-Reset", c.by.resets(c.reset))
	}
	return c.err
}

// count is one request on its way over its meters.
type count struct {
	a        *API
	r        *request
	who      string
	tightest int64 // left of the tightest meter, -1 if there was none yet
	by       *meter
	reset    time.Time
	err      error // ends the counting
}

func (c *count) on(m *meter, who string) {
	if m.limit <= 0 || c.err != nil {
		return
	}
	left, reset, err := c.a.svc.Allow(c.r.Context(), m.what, who, m.limit, m.window)
	if err != nil && linnet.KindOf(err) != linnet.TooMany {
		c.err = err
		return
	}
	if c.by == nil || left < c.tightest {
		c.tightest, c.by, c.reset = max(left, 0), m, reset
	}
	if err != nil {
		c.err = c.a.tooMany(reset)
	}
}

func (a *API) tooMany(reset time.Time) error {
	return &problem{code: 429, body: problemBody{Error: "Too many requests"},
		retryAfter: max(reset.Sub(a.opts.Now()), time.Second)}
}

// isPaging reports whether a query asks for a page other than the first.
func isPaging(query string) bool {
	return strings.Contains(query, "max_id=") || strings.Contains(query, "min_id=") || strings.Contains(query, "since_id=")
}

// addressKey is what counts as one address: an IPv4 address, or an IPv6 network
// of 64 bits, since that is what one subscriber has.
func addressKey(addr netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.Addr().String()
		}
	}
	return addr.String()
}
