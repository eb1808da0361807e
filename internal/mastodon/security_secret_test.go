package mastodon_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/store"
)

// logBook is a log that may be read while it is written.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// TestSecretsAreNotKept checks that no secret is in the store or in the debug log, after all calls
// that return or accept one.
func TestSecretsAreNotKept(t *testing.T) {
	var book logBook
	log := slog.New(slog.NewTextHandler(&book, &slog.HandlerOptions{Level: slog.LevelDebug}))
	e := memkv.New(memkv.Options{})
	svc, err := app.New(store.New(e, store.Options{}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: log, Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); svc.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	secrets := map[string]string{"password": "a correct horse", "e-mail": "ann@mail.test"}
	setup, _, err := svc.Moderation.Setup.NewToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	secrets["set-up token"] = setup
	u, err := svc.Moderation.Setup.SetUp(ctx, setup, linnet.SignUp{Login: "ann", Password: secrets["password"], Email: secrets["e-mail"], Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, svc: svc, api: mastodon.New(svc, mastodon.Options{Log: log}), ids: map[string]linnet.ID{"ann": u.ID},
		tokens: map[string]string{}, vars: map[string]string{"ann": u.ID.String()}}
	if w.app, w.secret, err = svc.Apps.Register(ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://app.test/cb"}, Scopes: strings.Fields(everything)}); err != nil {
		t.Fatal(err)
	}
	w.vars["client_id"], w.vars["client_secret"] = w.app.ClientID, w.secret
	approve("https://app.test/cb", "read", true)(w)
	secrets["unused code"] = w.vars["code"]
	approve("https://app.test/cb", "read", true)(w)
	secrets["client secret"], secrets["code"], secrets["verifier"], secrets["token"], secrets["app's token"] = w.secret, w.vars["code"], verifier, w.as("ann"), w.as("app")
	if secrets["cookie"], _, err = svc.Identity.LogIn(ctx, "ann", secrets["password"], netip.MustParseAddr("192.0.2.1")); err != nil {
		t.Fatal(err)
	}
	secrets["wrong password"] = "a wrong horse"
	_, _, _ = svc.Identity.LogIn(ctx, "ann", secrets["wrong password"], netip.MustParseAddr("192.0.2.1"))
	secrets["idempotency key"] = "a-key-of-the-client"
	w.run([]step{
		{do: "POST /oauth/token", body: "grant_type=authorization_code&code={code}&client_id={client_id}&client_secret={client_secret}&redirect_uri=https://app.test/cb&code_verifier=" + verifier},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=x", header: "Idempotency-Key: " + secrets["idempotency key"]},
		{do: "GET /api/v1/streaming/user?access_token=wrong-" + secrets["token"], code: 401},
		{do: "GET /api/v1/timelines/home?access_token=" + secrets["token"]}, {do: "POST /api/v1/statuses", body: "status=x&access_token=" + secrets["token"]},
		{do: "POST /api/v1/statuses", body: "access_token=" + secrets["token"], code: 422}, {do: "GET /api/v1/timelines/home?limit=%zz&access_token=" + secrets["token"], code: below500},
	})
	failing(t, log, secrets["token"])
	delete(secrets, "e-mail") // it is needed, and stored in the record of secrets
	book.mu.Lock()
	defer book.mu.Unlock()
	for _, r := range append(records(t, e), stored{text: book.b.String()}) {
		for what, s := range secrets {
			for _, form := range []string{s, hex.EncodeToString([]byte(s)), base64.StdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s))} {
				if strings.Contains(r.key.ID, form) || strings.Contains(r.text, form) {
					t.Errorf("the %s stands in %q: %.300s", what, r.key, r.text)
				}
			}
		}
	}
	if !strings.Contains(book.b.String(), "level=ERROR") {
		t.Error("nothing was logged: the test sees no faults")
	}
}

// failing sends requests with a token to a server without a store, which logs errors.
func failing(t *testing.T, log *slog.Logger, token string) {
	t.Helper()
	e := memkv.New(memkv.Options{})
	svc, err := app.New(store.New(e, store.Options{}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: log, Exclusive: true, Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	api := mastodon.New(svc, mastodon.Options{Log: log})
	for _, path := range []string{"/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/streaming/user", "/oauth/token", "/oauth/revoke", "/api/v1/statuses"} {
		method, body := "GET", ""
		if strings.HasPrefix(path, "/oauth") {
			method = "POST"
		}
		query := "?access_token=" + token + "&grant_type=client_credentials&client_id=1000&client_secret=" + token + "&token=" + token
		if path == "/api/v1/statuses" {
			method, query, body = "POST", "", "access_token="+token
		}
		r := httptest.NewRequest(method, path+query, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		rec := httptest.NewRecorder()
		if api.ServeHTTP(rec, r); rec.Code < 500 || strings.Contains(rec.Body.String(), token) {
			t.Errorf("%s without a store: %d %s", path, rec.Code, rec.Body)
		}
	}
}
