package mastodon

import (
	"context"
	"encoding/json"
	"io"
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
	"linnet/internal/mastodon/request"
	"linnet/internal/store"
)

// testAPI is an API with its services.
type testAPI struct {
	*API
	svc *app.App
}

// newAPI returns an API in memory with one user. One token is the user's and has one rarely used
// scope. The other is the app's own and has every scope.
func newAPI(t *testing.T) (a *testAPI, narrow, own string) {
	t.Helper()
	ctx := context.Background()
	svc, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}),
		app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler), Exclusive: true, Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	open := linnet.RegisterOpen
	if _, err := svc.Settings.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &open}); err != nil {
		t.Fatal(err)
	}
	u, err := svc.Identity.SignUp(ctx, linnet.SignUp{Login: "ann", Password: "correct horse", Agreed: true, Listed: true})
	if err != nil {
		t.Fatal(err)
	}
	app, secret, err := svc.Apps.Register(ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read", "write", "push", "admin:read", "admin:write"}})
	if err != nil {
		t.Fatal(err)
	}
	few, err := svc.Apps.UserToken(ctx, u.ID, app.ID, []string{"push"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := svc.Apps.ClientToken(ctx, app.ClientID, secret, []string{"read", "write", "push", "admin:read", "admin:write"})
	if err != nil {
		t.Fatal(err)
	}
	return &testAPI{New(svc, Options{Log: slog.New(slog.DiscardHandler)}), svc},
		few.Value, all.Value
}

// TestEveryRoute requests each route without a token, with a narrow scope and with an app's
// token. A refusal comes first, and every response is JSON.
func TestEveryRoute(t *testing.T) {
	a, narrow, own := newAPI(t)
	for _, rt := range a.routes {
		method, path, _ := strings.Cut(rt.Pattern, " ")
		path = strings.NewReplacer("{part}", "keywords", "{id}", "12345", "{tag}", "x", "{name}", "x", "{key}", "x", "{date}", "2026-01-01", "{account}", "12345", "{status}", "12345").Replace(path)
		for _, c := range []struct{ who, token string }{{"nobody", ""}, {"narrow", narrow}, {"app", own}, {"stranger", "wrong"}} {
			for way, r := range withToken(method, path, c.token) {
				w := httptest.NewRecorder()
				a.ServeHTTP(w, r)
				if want := refusal(rt.Access, c.who); want != 0 && w.Code != want || want == 0 && (w.Code == 401 || w.Code == 403) && !strings.HasPrefix(path, "/oauth/") {
					t.Errorf("%s as %s, token in %s: %d, want %d\n%s", rt.Pattern, c.who, way, w.Code, want, w.Body)
				}
				if w.Code >= 500 || !json.Valid(w.Body.Bytes()) || !strings.Contains(w.Header().Get("Content-Type"), "json") {
					t.Errorf("%s as %s, token in %s: %d %s %s", rt.Pattern, c.who, way, w.Code, w.Header().Get("Content-Type"), w.Body)
				}
			}
		}
	}
}

// withToken returns a request for each way to send a token.
func withToken(method, path, token string) map[string]*http.Request {
	request := func(path, contentType, body string) *http.Request {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		if contentType != "" {
			r.Header.Set("Content-Type", contentType)
		}
		return r
	}
	header := request(path, "", "")
	if token != "" {
		header.Header.Set("Authorization", "Bearer "+token)
	}
	basic := request(path+"?access_token="+token, "", "")
	basic.SetBasicAuth("proxy", "password")
	all := map[string]*http.Request{"the header": header, "the query": request(path+"?limit=1&access_token="+token, "", ""), "the query behind a proxy's password": basic,
		"JSON": request(path, "application/json", `{"access_token":"`+token+`"}`)}
	if method != http.MethodGet {
		part := "--x\r\nContent-Disposition: form-data; name=\"access_token\"\r\n\r\n" + token + "\r\n"
		file := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n"
		all["a form"] = request(path, "application/x-www-form-urlencoded", "access_token="+token)
		all["parts"] = request(path, "multipart/form-data; boundary=x", part+"--x--\r\n")
		all["parts before a file"] = request(path, "multipart/form-data; boundary=x", part+file+"--x--\r\n")
	}
	return all
}

// TestFilesNeedTokens: without a good token no file is received.
func TestFilesNeedTokens(t *testing.T) {
	a, narrow, _ := newAPI(t)
	for _, token := range []string{"", "wrong", narrow} {
		body := "--x\r\nContent-Disposition: form-data; name=\"access_token\"\r\n\r\n" + token + "\r\n" +
			"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"
		rest := strings.NewReader(strings.Repeat("x", 1<<20))
		r := httptest.NewRequest("POST", "/api/v2/media", io.MultiReader(strings.NewReader(body), rest))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		w := httptest.NewRecorder()
		if a.ServeHTTP(w, r); w.Code != 401 && w.Code != 403 || rest.Len() < 1<<19 {
			t.Errorf("token %q: %d with %d bytes left to read", token, w.Code, rest.Len())
		}
	}
}

// refusal returns the status code for a caller that a route refuses, or 0.
func refusal(x request.Access, who string) int {
	switch {
	case x.Need == request.IgnoreToken:
		return 0
	case who == "stranger":
		return http.StatusUnauthorized
	case who == "nobody" && x.Need != request.OptionalToken:
		return http.StatusUnauthorized
	case who == "narrow" && x.Scopes != "" && x.Scopes != "push":
		return http.StatusForbidden
	case who == "app" && x.Need == request.UserToken:
		return http.StatusUnprocessableEntity
	}
	return 0
}

// TestScopesExist: a scope that no client can ask for would lock its route.
func TestScopesExist(t *testing.T) {
	a, _, _ := newAPI(t)
	var metadata struct {
		Scopes []string `json:"scopes_supported"`
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest("GET", "/.well-known/oauth-authorization-server", nil))
	if err := json.Unmarshal(w.Body.Bytes(), &metadata); err != nil || len(metadata.Scopes) < 20 {
		t.Fatal(err, w.Body)
	}
	for _, s := range metadata.Scopes {
		if !linnet.ValidScope(s) {
			t.Errorf("scope %q cannot be asked for", s)
		}
	}
}

// TestServes compares Serves with the routes.
func TestServes(t *testing.T) {
	a, _, _ := newAPI(t)
	for _, rt := range a.routes {
		_, path, _ := strings.Cut(rt.Pattern, " ")
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
