package clients_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// oob is the redirect of clients without an address, for which the code is shown.
const oob = "urn:ietf:wg:oauth:2.0:oob"

// granted is the result of an authorization.
type granted struct {
	code     string
	redirect *url.URL // target of the redirect, nil if the code was shown
}

// authorize does what a user does in a browser: it opens the app's address, logs in and authorizes
// the app.
func authorize(b *browser, address, name string) (granted, error) {
	return decide(b, address, name, "approve")
}

// decide is authorize with the button of the last page.
func decide(b *browser, address, name, decision string) (granted, error) {
	p, err := b.visit(address)
	if err != nil {
		return granted{}, err
	}
	if f, ok := p.form("password"); ok {
		p, err = b.submit(f, map[string]string{"login": name, "password": password}, field{})
		if err != nil {
			return granted{}, fmt.Errorf("log in: %w", err)
		}
	}
	f, ok := p.form("decision")
	if !ok {
		return granted{}, fmt.Errorf("%s (code %d) asks for no decision:\n%s", p.url, p.code, p.html)
	}
	p, err = b.submit(f, nil, field{name: "decision", value: decision})
	if errors.Is(err, errLeft) {
		return granted{code: p.url.Query().Get("code"), redirect: p.url}, nil
	}
	if err != nil {
		return granted{}, fmt.Errorf("decide: %w", err)
	}
	if len(p.codes) != 1 || p.codes[0] == "" {
		return granted{}, fmt.Errorf("%s (code %d) shows no code:\n%s", p.url, p.code, p.html)
	}
	return granted{code: p.codes[0]}, nil
}

// oauthApp is a registered client.
type oauthApp struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

// postForm sends a form and decodes the JSON response.
func postForm(address string, values url.Values, out any) (code int, err error) {
	resp, err := http.PostForm(address, values)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode, json.NewDecoder(resp.Body).Decode(out)
}

func (s *server) registerApp(t *testing.T, redirects string) oauthApp {
	t.Helper()
	var app oauthApp
	code, err := postForm(s.url+"/api/v1/apps", url.Values{"client_name": {"tests"}, "redirect_uris": {redirects},
		"scopes": {"read write follow admin:read admin:write"}}, &app)
	if err != nil || code != http.StatusOK {
		t.Fatalf("register an app: %d %v", code, err)
	}
	return app
}

// token logs in as a user and returns an access token with scopes in addition to the usual ones.
func (s *server) token(t *testing.T, name string, scopes ...string) string {
	t.Helper()
	app := s.registerApp(t, oob)
	got, err := authorize(newBrowser(t), s.authorizeURL(app, oob, url.Values{"scope": {strings.Join(append(scopes, "read write follow"), " ")}}), name)
	if err != nil {
		t.Fatalf("log in as %s: %v", name, err)
	}
	code, answer := s.exchange(t, app, oob, got.code, "")
	if code != http.StatusOK {
		t.Fatalf("exchange the code: %d %v", code, answer)
	}
	return answer["access_token"].(string)
}

func (s *server) authorizeURL(app oauthApp, redirect string, more url.Values) string {
	q := url.Values{"client_id": {app.ID}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {"read write follow"}}
	for name, values := range more {
		q[name] = values
	}
	return s.url + "/oauth/authorize?" + q.Encode()
}

func (s *server) exchange(t *testing.T, app oauthApp, redirect, grant, verifier string) (int, map[string]any) {
	t.Helper()
	values := url.Values{"grant_type": {"authorization_code"}, "client_id": {app.ID}, "client_secret": {app.Secret},
		"redirect_uri": {redirect}, "code": {grant}}
	if verifier != "" {
		values.Set("code_verifier", verifier)
	}
	answer := map[string]any{}
	code, err := postForm(s.url+"/oauth/token", values, &answer)
	if err != nil {
		t.Fatalf("exchange a code: %v", err)
	}
	return code, answer
}

// testOAuth tests errors that no client causes: a wrong verifier, a code used twice, a refusal, an
// unregistered redirect.
func testOAuth(t *testing.T, s *server) {
	const redirect = "https://client.example/back?x=1"
	s.addUser(t, "oauth")
	app := s.registerApp(t, redirect)
	const verifier = "a-verifier-that-is-longer-than-forty-three-characters-as-it-must"
	hash := sha256.Sum256([]byte(verifier))
	address := s.authorizeURL(app, redirect, url.Values{"state": {"a b&c"}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(hash[:])}})
	b := newBrowser(t)
	got, err := authorize(b, address, "oauth")
	if err != nil {
		t.Fatal(err)
	}
	if q := got.redirect.Query(); got.redirect.Host != "client.example" || q.Get("x") != "1" || q.Get("state") != "a b&c" {
		t.Errorf("led back to %s", got.redirect)
	}
	if code, answer := s.exchange(t, app, redirect, got.code, "wrong-"+verifier); code != http.StatusBadRequest || answer["error"] != "invalid_grant" {
		t.Errorf("wrong verifier: %d %v", code, answer)
	}
	if got, err = authorize(b, address, "oauth"); err != nil { // the browser is still logged in
		t.Fatal(err)
	}
	if code, answer := s.exchange(t, app, redirect, got.code, verifier); code != http.StatusOK {
		t.Errorf("right verifier: %d %v", code, answer)
	}
	if code, answer := s.exchange(t, app, redirect, got.code, verifier); code != http.StatusBadRequest {
		t.Errorf("a code used twice: %d %v", code, answer)
	}
	refused, err := decide(b, address, "oauth", "deny")
	if err != nil || refused.redirect == nil || refused.redirect.Query().Get("error") != "access_denied" || refused.code != "" {
		t.Errorf("refusal: %+v, %v", refused, err)
	}
	p, err := b.visit(s.authorizeURL(app, "https://other.example/back", nil))
	if err != nil || p.code < 400 {
		t.Errorf("a redirect that was not registered: %v, %v", p, err)
	}
}
