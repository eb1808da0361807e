package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// served is a world behind a real port, which its links name.
func served(t *testing.T) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "http://"+l.Addr().String())
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: w.handler}}
	srv.Start()
	t.Cleanup(srv.Close)
	return w
}

// A real browser shows the pages without complaint and without anything reaching
// over the edge, from small phones to desks.
func TestPagesInBrowser(t *testing.T) {
	tb := newTab(t)
	w := served(t)
	st := furnish(w)
	w.post(st.Author, linnet.Draft{Text: strings.Repeat("Rindfleischetikettierung", 15) + " https://example.com/" + strings.Repeat("a", 300)})
	for _, path := range []string{"/", "/login", "/signup", "/@ann", postPath(st), "/tags/birds", "/nowhere"} {
		for _, px := range []int{320, 375, 768, 1280} {
			tb.width(px)
			tb.open(w.base + path)
			if tb.eval("document.documentElement.scrollWidth > innerWidth") == "true" {
				t.Errorf("%s is %s px wide at %d px", path, tb.eval("document.documentElement.scrollWidth"), px)
			}
			if tb.eval("document.styleSheets.length") != "1" || tb.eval("document.images[0].naturalWidth > 0") != "true" {
				t.Errorf("%s: style or logo is missing", path)
			}
		}
		for _, fault := range tb.complaints() {
			if path != "/nowhere" || !strings.Contains(fault, "404") {
				t.Errorf("%s: the browser complains: %s", path, fault)
			}
		}
		tb.eval("document.body.focus()")
		for _, kind := range []string{"keyDown", "keyUp"} {
			tb.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}, nil)
		}
		if got := tb.eval("document.activeElement.className"); got != "skip" {
			t.Errorf("%s: the first thing to focus is %q, not the skip link", path, got)
		}
	}
}

// The whole way of an app in a real browser: log-in, consent, and the redirect
// that answers the form, which browsers hold against the page's policy.
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
	tb.eval("document.getElementById('login').value = 'ann', document.getElementById('password').value = '%s'", password)
	tb.loads(func() { tb.eval("document.querySelector('.card button').click()") })
	if h1 := tb.eval("document.querySelector('h1').textContent"); h1 != "Let Perch in?" {
		t.Fatalf("heading %q", h1)
	}
	tb.loads(func() { tb.eval("document.querySelector('button[value=approve]').click()") })
	if text := tb.eval("document.body.textContent"); !strings.Contains(text, "the app has code=") || !strings.Contains(text, "state=s1") {
		t.Errorf("the app shows %q; the browser says %q", text, tb.complaints())
	}
	if faults := tb.complaints(); len(faults) > 0 && !strings.Contains(faults[0], "favicon.ico") {
		t.Errorf("the browser complains: %q", faults)
	}
}
