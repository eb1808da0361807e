package mastodon_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/store"
)

// opener opens an empty store for a test.
type opener func(t *testing.T) kv.Engine

func memory(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) }

func disk(t *testing.T) kv.Engine {
	t.Helper()
	e, err := diskkv.Open(t.TempDir(), diskkv.Options{Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// redis starts a server for all subtests of t, each with separate keys.
func redis(t *testing.T) opener {
	t.Helper()
	url, stores := redistest.Single(t), 0
	return func(t *testing.T) kv.Engine {
		t.Helper()
		stores++
		e, err := rediskv.Open(t.Context(), url, rediskv.Options{Logger: slog.New(slog.DiscardHandler),
			Prefix: fmt.Sprint(stores, "."), Timeout: time.Minute}) // the load of the machine does not matter
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
}

// onEveryEngine runs a test over each engine.
func onEveryEngine(t *testing.T, test func(t *testing.T, open opener)) {
	t.Run("memory", func(t *testing.T) { test(t, memory) })
	t.Run("disk", func(t *testing.T) { test(t, disk) })
	t.Run("redis", func(t *testing.T) { test(t, redis(t)) })
}

// onEngines is like onEveryEngine, for tests that barely depend on the engine. With -short or the
// race detector it only uses memory.
func onEngines(t *testing.T, test func(t *testing.T, open opener)) {
	if testing.Short() || apptest.Race {
		t.Run("memory", func(t *testing.T) { test(t, memory) })
		return
	}
	onEveryEngine(t, test)
}

// below500 is the code of a step in which any response is accepted except a server error.
const below500 = -1

const everything = "read write follow push"

// world is an installation with some people, driven over HTTP.
type world struct {
	t      testing.TB
	svc    *app.App
	api    http.Handler
	app    linnet.App
	secret string
	ids    map[string]linnet.ID
	tokens map[string]string // by who, see as
	vars   map[string]string // what steps saved, and the ids of people
	last   *httptest.ResponseRecorder
	halt   func() // ends the service, and with it all streams
}

// newWorld opens an installation on engine with people of the given logins.
func newWorld(t testing.TB, engine kv.Engine, opts mastodon.Options, logins ...string) *world {
	t.Helper()
	return newWorldWith(t, engine, opts, false, logins...)
}

// newWorldWith is like newWorld, but new accounts can have the limits of new accounts.
func newWorldWith(t testing.TB, engine kv.Engine, opts mastodon.Options, limitNew bool, logins ...string) *world {
	t.Helper()
	return newLimitedWorld(t, engine, opts, core.Unlimited(), limitNew, logins...)
}

// newLimitedWorld is like newWorldWith, but limits requests.
func newLimitedWorld(t testing.TB, engine kv.Engine, opts mastodon.Options, rates core.Rates, limitNew bool, logins ...string) *world {
	t.Helper()
	if rates != core.Unlimited() {
		withinWindow()
	}
	return newOptionalWorld(t, engine, opts, app.Options{LimitNew: limitNew, Rates: rates}, logins...)
}

// withinWindow returns when some time is left of the window in which requests are
// counted, so that all requests of a test fall into it: windows go by the clock of
// the engine, which no test moves.
func withinWindow() {
	const window, needed = 5 * time.Minute, 20 * time.Second
	now := time.Now()
	if left := now.Truncate(window).Add(window).Sub(now); left < needed {
		time.Sleep(left)
	}
}

// newOptionalWorld is like newWorld, with options of the service.
func newOptionalWorld(t testing.TB, engine kv.Engine, opts mastodon.Options, set app.Options, logins ...string) *world {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	set.Derive, set.PublicURL, set.Log, set.Exclusive, set.Files = apptest.Derive, "https://linnet.test", quiet, true, apptest.Files(t)
	svc, err := app.New(store.New(engine, store.Options{Now: apptest.Steps()}), set)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { svc.Run(ctx); close(done) }()
	halt := func() { cancel(); <-done }
	t.Cleanup(func() { halt(); engine.Close() })
	opts.Version, opts.SourceURL, opts.Log = "0.1.0", "https://linnet.test/source", quiet
	w := &world{t: t, svc: svc, halt: halt, api: mastodon.New(svc, opts),
		ids: map[string]linnet.ID{}, tokens: map[string]string{}, vars: map[string]string{}}
	w.app, w.secret, err = svc.Apps.Register(ctx, linnet.AppRequest{Name: "Tests", RedirectURIs: []string{"https://app.test/cb"},
		Scopes: strings.Fields(everything + " profile")})
	if err != nil {
		t.Fatal(err)
	}
	w.vars["client_id"], w.vars["client_secret"] = w.app.ClientID, w.secret
	openDoors(true)(w)
	for _, login := range logins {
		u, err := svc.Identity.SignUp(ctx, linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Listed: true})
		if err != nil {
			t.Fatal(err)
		}
		w.ids[login], w.vars[login] = u.ID, u.ID.String()
	}
	return w
}

// as returns a token. "ann" has every scope, "ann/read:statuses profile" the given ones. "app" and
// "app/…" are tokens of the client itself. "" is no token.
func (w *world) as(who string) string {
	if who == "" || w.tokens[who] != "" {
		return w.tokens[who]
	}
	name, scopes, limited := strings.Cut(who, "/")
	if !limited {
		scopes = everything
	}
	var tok linnet.Token
	var err error
	if name == "app" {
		tok, err = w.svc.Apps.ClientToken(context.Background(), w.app.ClientID, w.secret, strings.Fields(scopes))
	} else {
		tok, err = w.svc.Apps.UserToken(context.Background(), w.ids[name], w.app.ID, strings.Fields(scopes))
	}
	if err != nil {
		w.t.Fatalf("token of %s: %v", who, err)
	}
	w.tokens[who] = tok.Value
	return tok.Value
}

// step is one request and what must come of it.
type step struct {
	as     string
	do     string   // "GET /api/v1/…"; {name} is replaced with a saved value or a user's id
	body   string   // a form, or JSON if it begins with "{"
	header string   // "Name: value"
	code   int      // 0: 200; or below500
	want   []string // see check; "Link~x" and similar ones check headers
	save   string   // "name=path": keep a value of the answer
	before func(w *world)
}

func (w *world) run(steps []step) {
	w.t.Helper()
	for i, s := range steps {
		if !w.step(s) {
			w.t.Fatalf("step %d (%s %s %s) answered %d\n%v\n%.3000s", i, s.as, s.do, s.body, w.last.Code, w.last.Header(), w.last.Body)
		}
	}
}

func (w *world) step(s step) bool {
	w.t.Helper()
	w.settle()
	if s.before != nil {
		s.before(w)
	}
	w.call(s.as, s.do, s.body, s.header)
	ok := true
	want := cmp.Or(s.code, http.StatusOK)
	if want == below500 && w.last.Code < 500 {
		want = w.last.Code
	}
	if w.last.Code != want {
		w.t.Errorf("code %d, want %d", w.last.Code, want)
		ok = false
	}
	var doc any
	if err := json.Unmarshal(w.last.Body.Bytes(), &doc); err != nil && w.last.Body.Len() > 0 {
		w.t.Errorf("not JSON: %v", err)
		return false
	}
	_, path, _ := strings.Cut(w.fill(s.do), " ")
	for _, wrong := range wrongIDs(path, doc) {
		w.t.Errorf("clients cannot decode %s", wrong)
		ok = false
	}
	for _, expr := range s.want {
		if err := w.check(doc, w.fill(expr)); err != nil {
			w.t.Errorf("%s: %v", expr, err)
			ok = false
		}
	}
	if name, path, saves := strings.Cut(s.save, "="); saves {
		w.vars[name] = text(find(doc, path))
	}
	return ok
}

// call sends one request.
func (w *world) call(who, do, body, header string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(w.fill(do), " ")
	body = w.fill(body)
	r := httptest.NewRequest(method, "https://linnet.test"+path, strings.NewReader(body))
	switch {
	case strings.HasPrefix(body, "{") || strings.HasPrefix(body, "["):
		r.Header.Set("Content-Type", "application/json")
	case body != "":
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+w.as(who))
	}
	if name, value, ok := strings.Cut(w.fill(header), ": "); ok {
		r.Header.Set(name, value)
	}
	w.last = httptest.NewRecorder()
	w.api.ServeHTTP(w.last, r)
	return w.last
}

var hole = regexp.MustCompile(`\{[A-Za-z_][A-Za-z0-9_]*\}`)

// fill puts saved values into a text.
func (w *world) fill(s string) string {
	return hole.ReplaceAllStringFunc(s, func(name string) string {
		if v, ok := w.vars[name[1:len(name)-1]]; ok {
			return v
		}
		return name
	})
}

// settle waits until deferred work is done.
func (w *world) settle() {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !w.svc.Idle(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatal("tasks do not end")
		}
	}
}

var expression = regexp.MustCompile(`(?s)^([^=~#!]*)(=|~|#|!)(.*)$`)

// check compares a document with "path=value", "path~part", "path#length" or "path!" (absent). In a
// path, numbers are indexes and * is every element, whose values are joined by spaces. A path that
// begins with a capital letter is a header.
func (w *world) check(doc any, expr string) error {
	m := expression.FindStringSubmatch(expr)
	if m == nil {
		return fmt.Errorf("no operator")
	}
	path, op, want := m[1], m[2], m[3]
	got := find(doc, path)
	if path != "" && path[0] >= 'A' && path[0] <= 'Z' {
		got = w.last.Header().Get(path)
	}
	switch s := text(got); op {
	case "=":
		if s != want {
			return fmt.Errorf("got %.300q", s)
		}
	case "~":
		if !strings.Contains(s, want) {
			return fmt.Errorf("got %.300q", s)
		}
	case "#":
		list, ok := got.([]any)
		if !ok || fmt.Sprint(len(list)) != want {
			return fmt.Errorf("got %d elements", len(list))
		}
	case "!":
		if !isMissing(got) && got != "" {
			return fmt.Errorf("got %.300q", s)
		}
	}
	return nil
}

// missing is the result of find if there is no value.
type missing struct{}

func isMissing(v any) bool { _, ok := v.(missing); return ok }

func find(doc any, path string) any {
	if path == "" {
		return doc
	}
	head, rest, _ := strings.Cut(path, ".")
	switch d := doc.(type) {
	case map[string]any:
		if v, ok := d[head]; ok {
			return find(v, rest)
		}
	case []any:
		var n int
		if head == "*" {
			var all []string
			for _, e := range d {
				all = append(all, text(find(e, rest)))
			}
			return strings.Join(all, " ")
		}
		if _, err := fmt.Sscanf(head, "%d", &n); err == nil && n < len(d) {
			return find(d[n], rest)
		}
	}
	return missing{}
}

func text(v any) string {
	switch v := v.(type) {
	case missing:
		return ""
	case nil:
		return "null"
	case string:
		return v
	case float64:
		return fmt.Sprintf("%.0f", v)
	case bool:
		return fmt.Sprint(v)
	}
	b, _ := json.Marshal(v)
	return string(b)
}
