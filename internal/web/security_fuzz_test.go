package web_test

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
	"linnet/internal/web"
)

// FuzzAuthorize requests the authorize page with arbitrary queries. Redirects must only lead to
// addresses of the app, with an error code.
func FuzzAuthorize(f *testing.F) {
	svc, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}), app.Options{Derive: apptest.Derive, PublicURL: publicURL, Exclusive: true, Rates: core.Unlimited()})
	if err != nil {
		f.Fatal(err)
	}
	app, _, err := svc.Apps.Register(f.Context(), linnet.AppRequest{Name: "Perch", RedirectURIs: []string{webApp, phoneApp, "urn:ietf:wg:oauth:2.0:oob"}, Scopes: []string{"read", "write"}})
	if err != nil {
		f.Fatal(err)
	}
	h := web.New(svc, web.Options{})
	for _, q := range []string{ask(app, webApp), ask(app, phoneApp, "state", "x"), ask(app, "urn:ietf:wg:oauth:2.0:oob"), ask(app, webApp, "scope", "admin"), ask(app, "https://evil.example/"),
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
