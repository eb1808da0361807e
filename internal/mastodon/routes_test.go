package mastodon

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// newAPI is an API in memory with one user, and tokens: of the user with one
// scope that few routes ask for, and of the app alone with every scope.
func newAPI(t *testing.T) (a *API, narrow, own string) {
	t.Helper()
	ctx := context.Background()
	svc, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}),
		app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler), Exclusive: true, Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	open := linnet.RegisterOpen
	if _, err := svc.Identity.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &open}); err != nil {
		t.Fatal(err)
	}
	u, err := svc.Identity.SignUp(ctx, linnet.SignUp{Login: "ann", Password: "correct horse", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	app, secret, err := svc.Identity.RegisterApp(ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read", "write", "push", "admin:read", "admin:write"}})
	if err != nil {
		t.Fatal(err)
	}
	few, err := svc.Identity.UserToken(ctx, u.ID, app.ID, []string{"push"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := svc.Identity.ClientToken(ctx, app.ClientID, secret, []string{"read", "write", "push", "admin:read", "admin:write"})
	if err != nil {
		t.Fatal(err)
	}
	return New(svc, Options{Log: slog.New(slog.DiscardHandler)}),
		few.Value, all.Value
}

// TestEveryRoute asks for each route of the table without a token, with one of
// too small a scope and with an app's own: who may not call it is told so before
// anything else, and every answer is JSON.
func TestEveryRoute(t *testing.T) {
	a, narrow, own := newAPI(t)
	for _, rt := range a.table() {
		method, path, _ := strings.Cut(rt.pattern, " ")
		path = strings.NewReplacer("{part}", "keywords", "{id}", "12345", "{tag}", "x", "{name}", "x", "{key}", "x", "{date}", "2026-01-01", "{account}", "12345", "{status}", "12345").Replace(path)
		for _, c := range []struct{ who, token string }{{"nobody", ""}, {"narrow", narrow}, {"app", own}, {"stranger", "wrong"}} {
			r := httptest.NewRequest(method, path, nil)
			if c.token != "" {
				r.Header.Set("Authorization", "Bearer "+c.token)
			}
			w := httptest.NewRecorder()
			a.ServeHTTP(w, r)
			if want := refusal(rt.access, c.who); want != 0 && w.Code != want || want == 0 && (w.Code == 401 || w.Code == 403) && !strings.HasPrefix(path, "/oauth/") {
				t.Errorf("%s as %s: %d, want %d\n%s", rt.pattern, c.who, w.Code, want, w.Body)
			}
			if w.Code >= 500 || !json.Valid(w.Body.Bytes()) || !strings.Contains(w.Header().Get("Content-Type"), "json") {
				t.Errorf("%s as %s: %d %s %s", rt.pattern, c.who, w.Code, w.Header().Get("Content-Type"), w.Body)
			}
		}
	}
}

// refusal is the code for those who may not call a route, 0 if they may.
func refusal(x access, who string) int {
	switch {
	case x.need == needNothing:
		return 0
	case who == "stranger":
		return http.StatusUnauthorized
	case who == "nobody" && x.need != needNobody:
		return http.StatusUnauthorized
	case who == "narrow" && x.scopes != "" && x.scopes != "push":
		return http.StatusForbidden
	case who == "app" && x.need == needUser:
		return http.StatusUnprocessableEntity
	}
	return 0
}

// TestScopesExist: a scope that no client can ask for would lock its route.
func TestScopesExist(t *testing.T) {
	a, _, _ := newAPI(t)
	for _, s := range a.scopes {
		if !linnet.ValidScope(s) {
			t.Errorf("scope %q cannot be asked for", s)
		}
	}
}

// TestServes: what the API answers is what it says it serves.
func TestServes(t *testing.T) {
	a, _, _ := newAPI(t)
	for _, rt := range a.table() {
		_, path, _ := strings.Cut(rt.pattern, " ")
		if !Serves(path) || !Serves(path+"/") {
			t.Errorf("%s is not among the paths served", path)
		}
	}
	for _, path := range []string{"/", "/@ann", "/oauth/authorize", "/oauth/authorize/", "/apidocs", "/users/ann", "/healthy"} {
		if Serves(path) {
			t.Errorf("%s belongs to the pages", path)
		}
	}
}
