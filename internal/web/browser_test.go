package web_test

import (
	"context"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/mail"
	"linnet/internal/store"
	"linnet/internal/translation/translationtest"
	"linnet/internal/web"
)

const (
	loopbackURL = "http://127.0.0.1:8420"
	publicURL   = "https://birds.example"
)

// world is an instance with its web UI.
type world struct {
	t       testing.TB
	engine  *memkv.Engine
	svc     *app.App
	handler http.Handler
	base    string
	now     func() time.Time // nil: system clock
	rates   core.Rates
	halt    func()                    // stops the service
	within  func(kv.Engine) kv.Engine // wraps the engine; nil: not wrapped
	gate    *gateway                  // serves real browsers; nil: no listener

	translator *translationtest.Server // nil: no translations
	backups    *core.Backups           // backups that administrators can start; nil: not configured
	examine    func(context.Context) []core.Finding
	reach      []netip.Prefix   // private networks that can be fetched
	mails      *mail.Server     // nil: mail is not configured
	lang       *locale.Language // of all pages; nil: depends on the viewer
}

// newWorld starts an instance on an in-memory engine. It stops at the end of the test.
func newWorld(t testing.TB, base string) *world {
	t.Helper()
	return newWorldAt(t, base, nil)
}

// newWorldAt is like newWorld with the given clock.
func newWorldAt(t testing.TB, base string, now func() time.Time) *world {
	t.Helper()
	return newLimitedWorld(t, base, now, core.Unlimited())
}

// newLimitedWorld is like newWorldAt with rate limits.
func newLimitedWorld(t testing.TB, base string, now func() time.Time, rates core.Rates) *world {
	t.Helper()
	w := &world{t: t, engine: memkv.New(memkv.Options{Now: now}), base: base, now: now, rates: rates}
	w.start()
	t.Cleanup(func() { w.halt() })
	return w
}

// start starts the service on the current engine.
func (w *world) start() {
	w.t.Helper()
	log := slog.New(slog.NewTextHandler(w.t.Output(), nil))
	now := w.now
	if now == nil {
		now = apptest.Steps()
	}
	opt := app.Options{Derive: apptest.Derive, PublicURL: w.base, Log: log, Exclusive: true, Rates: w.rates, Files: apptest.Files(w.t), Backups: w.backups, Mail: w.mails, Examine: w.examine, Reach: w.reach}
	if w.translator != nil {
		opt.Translate.URL, opt.Translate.Key = w.translator.URL, w.translator.Key
	}
	engine := kv.Engine(w.engine)
	if w.within != nil {
		engine = w.within(engine)
	}
	svc, err := app.New(store.New(engine, store.Options{Now: now}), opt)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); svc.Run(ctx) }()
	w.halt = func() { stop(); <-done }
	w.svc, w.handler = svc, web.New(svc, web.WithLanguage(web.Options{Version: "0.0.0", Log: log}, w.lang))
}

const password = "correct horse battery"

// user creates an account with the common password.
func (w *world) user(login string) linnet.User {
	w.t.Helper()
	u, err := w.svc.Identity.SignUp(w.t.Context(), linnet.SignUp{Login: login, Password: password, Agreed: true, Listed: true})
	if err != nil {
		w.t.Fatalf("sign up %s: %v", login, err)
	}
	return u
}

// post publishes a post.
func (w *world) post(me linnet.ID, d linnet.Draft) linnet.StatusView {
	w.t.Helper()
	st, err := w.svc.Posting.Post(w.t.Context(), me, d)
	if err != nil {
		w.t.Fatalf("post %q: %v", d.Text, err)
	}
	return st
}

// app registers an app.
func (w *world) app(scopes string, redirects ...string) linnet.App {
	w.t.Helper()
	app, _, err := w.svc.Apps.Register(w.t.Context(), linnet.AppRequest{Name: "Perch", Website: "https://perch.example",
		RedirectURIs: redirects, Scopes: strings.Fields(scopes)})
	if err != nil {
		w.t.Fatalf("register app: %v", err)
	}
	return app
}

// setupToken creates the token of a setup link.
func (w *world) setupToken() string {
	w.t.Helper()
	token, _, err := w.svc.Moderation.Setup.NewToken(w.t.Context())
	if err != nil {
		w.t.Fatalf("setup token: %v", err)
	}
	return token
}

// open opens sign-up with the given rules.
func (w *world) open(rules ...string) {
	w.t.Helper()
	w.register(linnet.RegisterOpen, rules...)
}

// register sets the registration mode and the rules.
func (w *world) register(r linnet.Registrations, rules ...string) {
	w.t.Helper()
	if _, err := w.svc.Settings.ChangeInstance(w.t.Context(), linnet.Operator(), linnet.InstanceChange{Registrations: &r, Rules: &rules}); err != nil {
		w.t.Fatalf("open sign-up: %v", err)
	}
}

// browser is an HTTP client that stores cookies and submits forms.
type browser struct {
	*world
	jar    map[string]string
	header http.Header // sent with each request
	page   string      // body of the last response
}

func (w *world) browser() *browser {
	return &browser{world: w, jar: map[string]string{}, header: http.Header{}}
}

// answer is a response with its body.
type answer struct {
	*http.Response
	body string
}

func (b *browser) do(method, path, kind string, body io.Reader) answer {
	b.t.Helper()
	r := httptest.NewRequest(method, b.base+path, body)
	r.RequestURI = path // as servers receive it
	for k, vs := range b.header {
		r.Header[k] = vs
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for k, v := range b.jar {
		r.AddCookie(&http.Cookie{Name: k, Value: v})
	}
	rec := httptest.NewRecorder()
	b.handler.ServeHTTP(rec, r)
	resp := rec.Result()
	for _, c := range resp.Cookies() {
		if c.MaxAge < 0 {
			delete(b.jar, c.Name)
		} else {
			b.jar[c.Name] = c.Value
		}
	}
	b.page = rec.Body.String()
	return answer{resp, b.page}
}

func (b *browser) get(path string) answer {
	b.t.Helper()
	return b.do("GET", path, "", nil)
}

var tokenInput = regexp.MustCompile(`name="form_token" value="([^"]*)"`)

// post submits a form with the token of the last page, like a browser.
func (b *browser) post(path string, fields ...string) answer {
	b.t.Helper()
	form := url.Values{}
	if m := tokenInput.FindStringSubmatch(b.page); m != nil {
		form.Set("form_token", unescape(m[1]))
	}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.postRaw(path, form)
}

func (b *browser) postRaw(path string, form url.Values) answer {
	b.t.Helper()
	return b.do("POST", path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// logIn logs in with the common password.
func (b *browser) logIn(login string) *browser {
	b.t.Helper()
	b.get("/login")
	a := b.post("/login", "login", login, "password", password)
	want(b.t, a, http.StatusSeeOther)
	return b
}

// want checks the status code of a response and that its body contains the texts.
func want(t testing.TB, a answer, code int, texts ...string) {
	t.Helper()
	if a.StatusCode != code {
		t.Fatalf("code %d, want %d; body:\n%s", a.StatusCode, code, a.body)
	}
	for _, s := range texts {
		if !strings.Contains(a.body, s) && !strings.Contains(html.UnescapeString(a.body), s) {
			t.Errorf("the page lacks %q:\n%s", s, a.body)
		}
	}
}

// wantTo checks a redirect.
func wantTo(t *testing.T, a answer, location string) {
	t.Helper()
	want(t, a, http.StatusSeeOther)
	if got := a.Header.Get("Location"); got != location {
		t.Fatalf("leads to %q, want %q", got, location)
	}
}

// eventually polls until ok returns true, and fails the test after a minute.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not happen in a minute", what)
		}
	}
}

func unescape(s string) string { return html.UnescapeString(s) }
