package mastodon

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

func setPrivate(t *testing.T, a *testAPI, private bool) {
	t.Helper()
	if _, err := a.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Private: &private}); err != nil {
		t.Fatal(err)
	}
}

// callAs sends a request for a pattern with example parameters.
func callAs(ctx context.Context, a *testAPI, pattern, token string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(pattern, " ")
	path = strings.NewReplacer("{file}", "12345.png", "{part}", "keywords", "{id}", "12345", "{tag}", "x", "{name}", "x", "{key}", "x").Replace(path)
	r := httptest.NewRequestWithContext(ctx, method, path, nil)
	if strings.HasSuffix(path, "/streaming") {
		r.Header.Set("Upgrade", "websocket")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

// TestPrivateAnswersNobody requests all routes of a private server without a user: only those in
// the list respond. A route that is added is refused, or has to be put on the list with a reason.
func TestPrivateAnswersNobody(t *testing.T) {
	a, _, own := newAPI(t)
	setPrivate(t, a, true)
	named := regexp.MustCompile(`\bann\b`)
	for _, pattern := range a.patterns {
		for who, token := range map[string]string{"nobody": "", "app": own, "stranger": "wrong"} {
			w := callAs(t.Context(), a, pattern, token)
			refused := w.Code == http.StatusUnauthorized || who == "app" && w.Code == http.StatusUnprocessableEntity
			switch {
			case openInPrivate()[pattern] == "":
				if !refused || !strings.Contains(w.Header().Get("Content-Type"), "json") {
					t.Errorf("%s as %s: %d %s", pattern, who, w.Code, w.Body)
				}
			case who == "nobody" && w.Code == http.StatusUnauthorized &&
				!slices.Contains([]string{"GET /api/v1/apps/verify_credentials", "POST /api/v1/accounts", "POST /oauth/token", "POST /oauth/revoke"}, pattern):
				t.Errorf("%s is on the list, and refused: %s", pattern, w.Body)
			}
			if named.MatchString(w.Body.String()) {
				t.Errorf("%s as %s names a user: %s", pattern, who, w.Body)
			}
		}
	}
	for pattern, why := range openInPrivate() {
		if !slices.Contains(a.patterns, pattern) || why == "" {
			t.Errorf("%s is on the list, and no route or without a reason", pattern)
		}
	}
}

// Users see the same as before. All clients do when the server is public again.
func TestPrivateIsForUsers(t *testing.T) {
	a, _, _ := newAPI(t)
	ann, err := a.svc.View.UserByLogin(t.Context(), 0, "ann")
	if err != nil {
		t.Fatal(err)
	}
	contact := "ann"
	if _, err := a.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{ContactUser: &contact}); err != nil {
		t.Fatal(err)
	}
	app, _, err := a.svc.Apps.Register(t.Context(), linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
	if err != nil {
		t.Fatal(err)
	}
	token, err := a.svc.Apps.UserToken(t.Context(), ann.ID, app.ID, []string{"read"})
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{"GET /api/v1/timelines/public", "GET /api/v1/custom_emojis", "GET /api/v1/instance/rules", "GET /api/v2/search"}
	open := func(nobody int) {
		t.Helper()
		for _, p := range shown {
			if w := callAs(t.Context(), a, p, token.Value); w.Code != http.StatusOK {
				t.Errorf("%s as ann: %d %s", p, w.Code, w.Body)
			}
			if w := callAs(t.Context(), a, p, ""); w.Code != nobody {
				t.Errorf("%s as nobody: %d, want %d", p, w.Code, nobody)
			}
		}
	}
	open(http.StatusOK)
	setPrivate(t, a, true)
	open(http.StatusUnauthorized)
	for _, p := range []string{"GET /api/v1/instance", "GET /api/v2/instance", "GET /nodeinfo/2.0"} {
		body := callAs(t.Context(), a, p, "").Body.String()
		for _, told := range []string{`"username"`, `"user_count":1`, `"total":1`} {
			if strings.Contains(body, told) {
				t.Errorf("%s tells %s: %s", p, told, body)
			}
		}
	}
	cookie, _, err := a.svc.Identity.LogIn(t.Context(), "ann", "correct horse", netip.MustParseAddr("192.0.2.1"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/avatars/12345.png": http.StatusOK, "/api/v1/timelines/public": http.StatusUnauthorized} {
		r := httptest.NewRequest("GET", path, nil)
		r.AddCookie(&http.Cookie{Name: "__Host-linnet", Value: cookie})
		w := httptest.NewRecorder()
		if a.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s with the cookie of a login: %d, want %d", path, w.Code, want)
		}
	}
	setPrivate(t, a, false)
	open(http.StatusOK)
}

// The documents for clients say that an installation is private, and have no counts then.
func TestPrivateIsAnnounced(t *testing.T) {
	a, _, _ := newAPI(t)
	for private, want := range map[bool]map[string]string{
		true:  {"/api/v2/instance": `"limited_federation":true`, "/nodeinfo/2.0": `"usage":{"users":{}}`, "/nodeinfo/2.1": `"privateMode":true`},
		false: {"/api/v2/instance": `"limited_federation":false`, "/nodeinfo/2.0": `"total":1`, "/nodeinfo/2.1": `"privateMode":false`},
	} {
		setPrivate(t, a, private)
		for path, told := range want {
			if body := callAs(t.Context(), a, "GET "+path, "").Body.String(); !strings.Contains(body, told) {
				t.Errorf("%s, private %v, lacks %s: %s", path, private, told, body)
			}
		}
	}
}

// A stranger's stream ends when the installation becomes private.
func TestPrivateEndsStreamsOfStrangers(t *testing.T) {
	a, _, _ := newAPI(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	go a.svc.Run(ctx)
	server := httptest.NewServer(a)
	defer server.Close()
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/v1/streaming/public", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := server.Client().Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatal(stream, err)
	}
	defer stream.Body.Close()
	setPrivate(t, a, true)
	if _, err := io.Copy(io.Discard, stream.Body); err != nil {
		t.Errorf("the stream goes on: %v", err)
	}
}
