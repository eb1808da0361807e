package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// htmlPage is a page that the measure "pages" can read. Its path depends on an author and one of the
// author's statuses.
type htmlPage struct {
	name string
	path func(author, status string) string
}

var htmlPages = []htmlPage{
	{"home", func(string, string) string { return "/" }},
	{"thread", func(author, status string) string { return "/@" + author + "/" + status }},
	{"profile", func(author, _ string) string { return "/@" + author }},
	{"notifications", func(string, string) string { return "/notifications" }},
	{"explore", func(string, string) string { return "/explore" }},
}

// Pages returns the names of the pages that the measure "pages" can read.
func Pages() (names []string) {
	for _, p := range htmlPages {
		names = append(names, p.name)
	}
	return names
}

// Numbers of replies, favourites and reposts that each account receives before pages are read, so
// that threads and notifications are as long as for active users.
const (
	pageReplies    = 12
	pageFavourites = 12
	pageReposts    = 4
)

// pages reads HTML pages with session cookies.
type pages struct {
	*crowd
	c       *collector
	shown   []htmlPage
	targets []string // a status per member, with replies
	cookies []string
	turn    atomic.Uint64
}

// preparePages logs every account in with the password and fills threads and notifications.
func (b *bench) preparePages(ctx context.Context) ([]load, error) {
	m := &pages{crowd: b.crowd, c: b.collector, shown: htmlPages, cookies: make([]string, len(b.crowd.members)), targets: make([]string, len(b.crowd.members))}
	if b.opts.Page != "" {
		m.shown = slices.DeleteFunc(slices.Clone(htmlPages), func(p htmlPage) bool { return p.name != b.opts.Page })
	}
	index := map[*member]int{}
	for i, who := range m.members {
		index[who] = i
	}
	for _, step := range []func(context.Context, *member, int) error{m.logIn, m.publishTarget, m.react} {
		if err := m.each(ctx, b.opts.Connections, m.members, func(ctx context.Context, who *member) error {
			return step(ctx, who, index[who])
		}); err != nil {
			return nil, err
		}
	}
	return []load{{rate: b.opts.Rate, connections: b.opts.Connections, do: m.read}}, nil
}

// logIn stores the session cookie of a member.
func (m *pages) logIn(ctx context.Context, who *member, i int) (err error) {
	m.cookies[i], err = m.client.session(ctx, who.Login, m.password)
	if err != nil {
		return fmt.Errorf("log in as %s: %w", who.Login, err)
	}
	return nil
}

// publishTarget publishes the status whose thread is read.
func (m *pages) publishTarget(ctx context.Context, who *member, i int) (err error) {
	m.targets[i], _, err = m.publish(ctx, who, rand.New(rand.NewPCG(uint64(i), 5)), "")
	return err
}

// react replies to, favourites and reposts statuses of the members after who.
func (m *pages) react(ctx context.Context, who *member, i int) error {
	rng := rand.New(rand.NewPCG(uint64(i), 6))
	for n := range min(pageReplies, len(m.members)-1) {
		to := (i + n + 1) % len(m.members)
		if _, _, err := m.publishText(ctx, who, "@"+m.members[to].Login+" "+statusText(rng), m.targets[to]); err != nil {
			return err
		}
		acts := []string{"favourite"}
		if n < pageReposts {
			acts = append(acts, "reblog")
		}
		for _, act := range acts {
			if _, err := m.client.do(ctx, post(who, "/api/v1/statuses/"+m.targets[to]+"/"+act, ""), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads the next page as the next account. Accounts read each other's profiles and threads.
func (m *pages) read(ctx context.Context, due time.Time) {
	n := m.turn.Add(1) - 1
	i := int(n % uint64(len(m.members)))
	page := m.shown[n/uint64(len(m.members))%uint64(len(m.shown))]
	other := (i + 1) % len(m.members)
	r := get(nil, page.path(m.members[other].Login, m.targets[other]))
	r.cookie = m.cookies[i]
	a, err := m.client.do(ctx, r, nil)
	if ctx.Err() == nil {
		m.c.record(page.name, due, a, err)
	}
}

// formToken matches the field that the login form must send back.
var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// session logs in through the HTML form and returns the Cookie header of the session.
func (c *client) session(ctx context.Context, login, password string) (string, error) {
	page, cookies, err := c.form(ctx, http.MethodGet, "", nil)
	if err != nil {
		return "", err
	}
	token := formToken.FindStringSubmatch(page)
	if token == nil {
		return "", errors.New("the log-in page has no form: is this Linnet?")
	}
	form := url.Values{"form_token": {token[1]}, "login": {login}, "password": {password}}
	_, cookies, err = c.form(ctx, http.MethodPost, form.Encode(), cookies)
	if err != nil {
		return "", err
	}
	cookies = slices.DeleteFunc(cookies, func(k *http.Cookie) bool { return k.MaxAge < 0 })
	if len(cookies) == 0 {
		return "", errors.New("no session cookie was set: is the password right?")
	}
	pairs := make([]string, len(cookies))
	for i, k := range cookies {
		pairs[i] = k.Name + "=" + k.Value
	}
	return strings.Join(pairs, "; "), nil
}

// form requests the login page, and returns its body and the cookies that were set.
func (c *client) form(ctx context.Context, method, body string, cookies []*http.Cookie) (string, []*http.Cookie, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r := &request{method: method, path: "/login", form: body}
	req, err := c.build(ctx, r)
	if err != nil {
		return "", nil, err
	}
	for _, k := range cookies {
		req.AddCookie(k)
	}
	req.Header.Set("Origin", c.base)
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return "", nil, transportFailure(r, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err == nil && resp.StatusCode >= 400 {
		err = statusFailure(r, resp.StatusCode, text[:min(len(text), headLength)])
	}
	return string(text), resp.Cookies(), err
}
