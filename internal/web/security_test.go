package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/web"
	"linnet/internal/web/assets"
)

// foreignForms checks that a form is accepted only from our own pages and with a valid token.
func foreignForms(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	good := func() *browser {
		b := w.browser()
		b.get("/login")
		return b
	}
	fields := []string{"login", "ann", "password", password}
	for _, tc := range []struct {
		name  string
		spoil func(b *browser)
		code  int
	}{
		{"as it should be", func(b *browser) {}, http.StatusSeeOther},
		{"same origin", func(b *browser) { b.header.Set("Sec-Fetch-Site", "same-origin") }, http.StatusSeeOther},
		{"old browser", func(b *browser) { b.header.Set("Origin", publicURL) }, http.StatusSeeOther},
		{"another site", func(b *browser) { b.header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		{"a neighbour", func(b *browser) { b.header.Set("Sec-Fetch-Site", "same-site") }, http.StatusForbidden},
		{"old browser, another site", func(b *browser) { b.header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		{"hidden origin", func(b *browser) { b.header.Set("Origin", "null") }, http.StatusForbidden},
		{"no token", func(b *browser) { b.page = "" }, http.StatusForbidden},
		{"wrong token", func(b *browser) { b.page = `name="form_token" value="AAAA"` }, http.StatusForbidden},
		{"no cookie", func(b *browser) { clear(b.jar) }, http.StatusForbidden},
		{"another browser's token", func(b *browser) { other := good(); b.page = other.page }, http.StatusForbidden},
		{"token of a cookie that is empty", func(b *browser) {
			clear(b.jar)
			b.page = `name="form_token" value="` + formMAC("") + `"`
		}, http.StatusForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := good()
			tc.spoil(b)
			a := b.post("/login?next=%2F%40ann", fields...)
			want(t, a, tc.code)
			if tc.code == http.StatusForbidden {
				want(t, a, tc.code, "Nothing was changed", `="/login?next=%2F%40ann"`)
				if b.jar["__Host-linnet"] != "" {
					t.Error("logged in all the same")
				}
			}
		})
	}
}

// everyPostNeedsToken checks that every form is rejected without its token. The only exception is
// unsubscribing, whose secret address is sufficient.
func everyPostNeedsToken(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	setup := "/setup/" + w.setupToken()
	w.user("ann")
	app := w.app("read write", webApp)
	b := w.browser().logIn("ann")
	checked := 0
	for _, rt := range web.Routes() {
		if !rt.Post || rt.Pattern == "/unsubscribe/{token}" { // mail clients send it without a token, see RFC 8058 and email_test.go
			continue
		}
		path := strings.TrimSuffix(rt.Pattern, "{$}")
		switch {
		case strings.HasPrefix(path, "/setup/"):
			path = setup
		case strings.HasPrefix(path, "/oauth/"):
			path += "?" + strings.TrimPrefix(ask(app, webApp), "/oauth/authorize?")
		}
		for _, who := range []*browser{b, w.browser()} {
			want(t, who.postRaw(path, url.Values{"decision": {"approve"}}), http.StatusForbidden)
		}
		checked++
	}
	if checked < 6 {
		t.Errorf("only %d routes checked", checked)
	}
}

func cookiesAreProtected(t *testing.T) {
	for _, tc := range []struct {
		base, prefix string
		secure       bool
	}{{loopbackURL, "", false}, {publicURL, "__Host-", true}} {
		w := newWorld(t, tc.base)
		w.user("ann")
		b := w.browser()
		cookies := b.get("/login").Cookies()
		cookies = append(cookies, b.post("/login", "login", "ann", "password", password).Cookies()...)
		b.get("/")
		cookies = append(cookies, b.post("/logout").Cookies()...)
		names := map[string]int{}
		for _, c := range cookies {
			names[c.Name]++
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != tc.secure || c.Path != "/" || c.Domain != "" {
				t.Errorf("%s: cookie %s", tc.base, c)
			}
		}
		if len(names) != 2 || names[tc.prefix+"linnet"] != 2 || names[tc.prefix+"linnet-form"] != 2 {
			t.Errorf("%s: cookies %v", tc.base, names)
		}
	}
}

func headersProtect(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	in := w.browser().logIn("ann")
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	for _, tc := range []struct {
		path  string
		b     *browser
		cache string
	}{
		{"/", w.browser(), "no-cache"},
		{"/@ann", w.browser(), "no-cache"},
		{"/tags/birds", w.browser(), "no-cache"},
		{"/login", w.browser(), "no-store"},
		{"/", in, "no-store"},
		{"/@ann", in, "no-store"},
		{"/nowhere", in, "no-store"},
		{"/nowhere", w.browser(), "no-store"},
	} {
		a := tc.b.get(tc.path)
		for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "same-origin", "X-Frame-Options": "DENY", "Cache-Control": tc.cache, "Vary": "Cookie",
			"Content-Type": "text/html; charset=utf-8"} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", tc.path, name, got, want)
			}
		}
		if a.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no request id", tc.path)
		}
		ours := `<script type="module" src="` + assets.Path("script.js") + `"></script>`
		scripted := tc.b == in && a.StatusCode == http.StatusOK || tc.path == "/login" // for passkeys
		if strings.Contains(a.body, ours) != scripted && tc.path != "/nowhere" {
			t.Errorf("%s: the script is where it should not be, or is not where it should", tc.path)
		}
		if strings.Contains(strings.Replace(a.body, ours, "", 1), "<script") || strings.Contains(a.body, "style=") || strings.Contains(a.body, "<style") {
			t.Errorf("%s: the policy forbids what the page holds:\n%s", tc.path, a.body)
		}
		if tc.cache == "no-cache" && len(a.Cookies()) > 0 {
			t.Errorf("%s: a page for all sets cookies", tc.path)
		}
	}
}

func errorPagesLeadOn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.browser()
	b.get("/login")
	big := "x=" + strings.Repeat("a", 400_000)
	for _, tc := range []struct {
		method, path, kind, body string
		code                     int
	}{
		{"GET", "/nowhere", "", "", 404},
		{"POST", "/nowhere", "application/x-www-form-urlencoded", "", 404},
		{"GET", "/@", "", "", 404},
		{"GET", "/@nobody", "", "", 404},
		{"GET", "/@nobody/1", "", "", 404},
		{"GET", "/@nobody/1/2", "", "", 404},
		{"GET", "/@a%00b/1", "", "", 404},
		{"GET", "/assets/style.css", "", "", 404},
		{"GET", "/login/", "", "", 404},
		{"DELETE", "/", "", "", 405},
		{"POST", "/", "application/x-www-form-urlencoded", "", 405},
		{"PUT", "/login", "", "", 405},
		{"GET", "/logout", "", "", 405},
		{"POST", "/@nobody/replies", "application/x-www-form-urlencoded", "", 405},
		{"OPTIONS", "/login", "", "", 405},
		{"POST", "/login", "application/json", "{}", 400},
		{"POST", "/login", "", "", 400},
		{"POST", "/login", "application/x-www-form-urlencoded", "%zz", 400},
		{"POST", "/login", "application/x-www-form-urlencoded", big, 413},
		{"GET", "/oauth/authorize", "", "", 400},
		{"GET", "/setup/AAAA-BBBB", "", "", 404},
		{"GET", "/signup", "", "", 403},
	} {
		a := b.do(tc.method, tc.path, tc.kind, strings.NewReader(tc.body))
		if a.StatusCode != tc.code {
			t.Errorf("%s %s: %d, want %d", tc.method, tc.path, a.StatusCode, tc.code)
			continue
		}
		for _, s := range []string{"<!doctype html>", "<h1>", `<a class="button" href="/`, "request <code>" + a.Header.Get("X-Request-Id") + "<"} {
			if !strings.Contains(a.body, s) {
				t.Errorf("%s %s lacks %q:\n%s", tc.method, tc.path, s, a.body)
			}
		}
		if tc.code == 405 && a.Header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", tc.method, tc.path)
		}
	}
}

// TestRequestIDIsPassedOn checks that pages and logs use the request id of an outer handler.
func TestRequestIDIsPassedOn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	rec := httptest.NewRecorder()
	rec.Header().Set("X-Request-Id", "given-before")
	w.handler.ServeHTTP(rec, httptest.NewRequest("GET", "/nowhere", nil))
	if !strings.Contains(rec.Body.String(), "given-before") || rec.Header().Get("X-Request-Id") != "given-before" {
		t.Errorf("another id: %s", rec.Body)
	}
}

func TestHead(t *testing.T) {
	w := newWorld(t, loopbackURL)
	for path, code := range map[string]int{"/": 200, "/login": 200, "/nowhere": 404} {
		if a := w.browser().do("HEAD", path, "", nil); a.StatusCode != code || a.body != "" {
			t.Errorf("HEAD %s: %d with %d bytes", path, a.StatusCode, len(a.body))
		}
	}
}
