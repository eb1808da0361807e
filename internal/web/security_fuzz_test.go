package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// FuzzAuthorize asks for the authorize page with any query. Nobody is led away
// from here but to the app's own address, and there with a word of what is wrong.
func FuzzAuthorize(f *testing.F) {
	svc, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}), app.Options{Derive: apptest.Derive, PublicURL: publicURL, Exclusive: true, Rates: core.Unlimited()})
	if err != nil {
		f.Fatal(err)
	}
	app, _, err := svc.Identity.RegisterApp(f.Context(), linnet.AppRequest{Name: "Perch", RedirectURIs: []string{webApp, phoneApp, outOfBand}, Scopes: []string{"read", "write"}})
	if err != nil {
		f.Fatal(err)
	}
	h := New(svc, Options{})
	for _, q := range []string{ask(app, webApp), ask(app, phoneApp, "state", "x"), ask(app, outOfBand), ask(app, webApp, "scope", "admin"), ask(app, "https://evil.example/"),
		ask(app, webApp, "code_challenge", strings.Repeat("a", 43), "code_challenge_method", "plain"), "/oauth/authorize?a=%zz&;", "/oauth/authorize?client_id=1&client_id=2"} {
		f.Add(strings.TrimPrefix(q, "/oauth/authorize?"))
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", publicURL+"/oauth/authorize", nil)
		r.URL.RawQuery = query
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		loc := rec.Header().Get("Location")
		if rec.Code >= 500 || rec.Code == http.StatusOK {
			t.Fatalf("%q: %d", query, rec.Code)
		}
		if loc == "" || strings.HasPrefix(loc, "/login?next=") {
			return
		}
		rest, ours := strings.CutPrefix(loc, webApp+"&")
		if !ours {
			rest, ours = strings.CutPrefix(loc, phoneApp+"?")
		}
		q, err := url.ParseQuery(rest)
		if !ours || err != nil || q.Get("error") == "" || q.Has("code") || strings.ContainsAny(loc, "\r\n") {
			t.Fatalf("%q leads to %q", query, loc)
		}
	})
}

// FuzzTargets holds what browsers are sent to: nothing that runs script, names
// another host or splits a header.
func FuzzTargets(f *testing.F) {
	for _, s := range []string{"/a?b=c", "//evil.example", "/\\evil.example", "/\t/evil.example", "https://a.example/", "javascript:x", "Tusky://x", "https://[::1]:1/", "https://a;b/", "x:y#z", "A://#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if isLocal(s) {
			u, err := url.Parse("https://here.example" + s)
			if err != nil || u.Host != "here.example" || strings.ContainsAny(s, "\r\n\t\\") || !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") {
				t.Fatalf("%q counts as ours", s)
			}
		}
		target, ok := parseTarget(s)
		if !ok || target.oob {
			return
		}
		u, err := url.Parse(withQuery(s, url.Values{"code": {"x"}}))
		if err != nil || u.Scheme == "" || u.Fragment != "" || strings.ContainsAny(s, "\r\n \t") || strings.ContainsAny(target.source, " ;,'\"\r\n") {
			t.Fatalf("%q is a target: %+v", s, target)
		}
		switch u.Scheme {
		case "javascript", "data", "vbscript", "blob", "file", "about":
			t.Fatalf("%q is a target", s)
		}
	})
}
