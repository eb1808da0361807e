package web_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"linnet/internal/web/assets"
)

// served starts a world on a real port, which is part of its public URL.
func served(t *testing.T) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "http://"+l.Addr().String())
	w.serve(l)
	t.Cleanup(func() { w.gate.srv.Close() })
	return w
}

// gateway is the HTTP server of a world, which records requests.
type gateway struct {
	srv   *httptest.Server
	mu    sync.Mutex
	asked []string
	holds func(*http.Request) bool // the requests that wait for held
	held  sync.RWMutex             // write-locked while requests are held back
}

// serve serves pages and uploaded files to browsers.
func (w *world) serve(l net.Listener) {
	handler, svc, g := w.handler, w.svc, new(gateway)
	g.srv = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.asked = append(g.asked, r.Method+" "+r.URL.Path)
		waits := g.holds != nil && g.holds(r)
		g.mu.Unlock()
		if waits {
			g.held.RLock()
			defer g.held.RUnlock()
		}
		if name, ok := strings.CutPrefix(r.URL.Path, filePath("")); ok {
			sendFile(rw, r, svc, name)
			return
		}
		handler.ServeHTTP(rw, r)
	})}}
	g.srv.Start()
	w.gate = g
}

// requests returns and resets the recorded requests.
func (w *world) requests() []string {
	w.gate.mu.Lock()
	defer w.gate.mu.Unlock()
	asked := w.gate.asked
	w.gate.asked = nil
	return asked
}

// hold blocks the matching requests until release is called.
func (w *world) hold(matches func(*http.Request) bool) (release func()) {
	w.gate.held.Lock()
	w.gate.mu.Lock()
	w.gate.holds = matches
	w.gate.mu.Unlock()
	release = sync.OnceFunc(w.gate.held.Unlock)
	w.t.Cleanup(release)
	return release
}

// isPost selects POST requests for hold.
func isPost(r *http.Request) bool { return r.Method == http.MethodPost }

// isModule selects requests for a module of the script for hold.
func isModule(name string) func(*http.Request) bool {
	return func(r *http.Request) bool { return r.URL.Path == assets.Path(name) }
}

// down stops the server and closes its connections. The store stays.
func (w *world) down() {
	w.t.Helper()
	w.gate.srv.CloseClientConnections()
	w.gate.srv.Close()
	w.halt()
}

// up starts a server with the same store and address.
func (w *world) up() {
	w.t.Helper()
	w.start()
	l, err := net.Listen("tcp", strings.TrimPrefix(w.base, "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.serve(l)
}

// skipLinkComesFirst checks that the tab key first focuses a link that skips the navigation.
func skipLinkComesFirst(t *testing.T) {
	w, _, _ := flock(t, 1)
	stranger, member := newTab(t), newTab(t)
	member.enters(w, "ann")
	stranger.expects("status of 404")
	for _, v := range []struct {
		tb   *tab
		path string
	}{{stranger, "/"}, {stranger, "/login"}, {stranger, "/nowhere"}, {stranger, "/@bob"}, {member, "/"}, {member, "/notifications"}, {member, "/settings/profile"}} {
		v.tb.open(w.base + v.path)
		v.tb.hit("Tab")
		if got := v.tb.eval("document.activeElement.className + (document.activeElement.getBoundingClientRect().top >= 0)"); got != "skiptrue" {
			t.Errorf("%s: the first thing to focus is %q, or it is not seen", v.path, got)
		}
		v.tb.hit("Enter")
		v.tb.holds("document.activeElement.id == 'main'")
	}
}

// TestConsentInBrowser checks the whole OAuth flow in a browser, including the redirect after the
// form. Browsers apply form-action of the page's policy to that redirect.
func TestConsentInBrowser(t *testing.T) {
	tb := newTab(t)
	w := served(t)
	w.user("ann")
	app := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = rw.Write([]byte("the app has " + r.URL.RawQuery))
	}))
	t.Cleanup(app.Close)
	client := w.app("read write", app.URL+"/cb")

	tb.open(w.base + ask(client, app.URL+"/cb", "state", "s1"))
	if title := tb.eval("document.title"); !strings.HasPrefix(title, "Log in") {
		t.Fatalf("page %q", title)
	}
	tb.typeInto("#login", "ann")
	tb.typeInto("#password", password)
	tb.loads(func() { tb.eval("document.querySelector('.card button').click()") })
	if h1 := tb.eval("document.querySelector('h1').textContent"); h1 != "Authorize Perch?" {
		t.Fatalf("heading %q", h1)
	}
	tb.loads(func() { tb.eval("document.querySelector('button[value=approve]').click()") })
	if text := tb.eval("document.body.textContent"); !strings.Contains(text, "the app has code=") || !strings.Contains(text, "state=s1") {
		t.Errorf("the app shows %q; the browser says %q", text, tb.complaints())
	}
	tb.expects("favicon.ico") // the app has no favicon
}
