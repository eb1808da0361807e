package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// ask returns the path that an app sends its user to for authorization.
func ask(app linnet.App, redirect string, more ...string) string {
	q := url.Values{"response_type": {"code"}, "client_id": {app.ClientID}, "redirect_uri": {redirect}, "scope": {"read write"}}
	for i := 0; i+1 < len(more); i += 2 {
		if q.Del(more[i]); more[i+1] != "" {
			q.Set(more[i], more[i+1])
		}
	}
	return "/oauth/authorize?" + q.Encode()
}

const (
	webApp   = "https://perch.example/cb?keep=%7e1"
	phoneApp = "Perch.App:/callback"
)

func TestConsent(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	app := w.app("read write follow", webApp, phoneApp, "urn:ietf:wg:oauth:2.0:oob")
	verifier := strings.Repeat("v", 50)
	sum := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])

	b := w.browser()
	path := ask(app, webApp, "state", "a&b=c", "code_challenge", challenge, "code_challenge_method", "S256", "lang", "en")
	login := "/login?next=" + url.QueryEscape(path)
	wantTo(t, b.get(path), login)
	want(t, b.get(login), http.StatusOK, "Log in to authorize the app.")
	wantTo(t, b.post(formAction(t, b.page), "login", "ann", "password", password), path)

	a := b.get(path)
	want(t, a, http.StatusOK, "Perch", "https://perch.example", "@ann", "Read everything", "Act on your behalf", "perch.example</strong>")
	if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "form-action 'self' https://perch.example;") {
		t.Errorf("the policy does not let the answer through: %s", csp)
	}
	back := answerTo(t, b.post(formAction(t, b.page), "decision", "approve"), webApp+"&")
	if back.Get("state") != "a&b=c" || back.Get("code") == "" || back.Has("error") {
		t.Fatalf("answer to the app: %v", back)
	}
	x := linnet.CodeExchange{ClientID: app.ClientID, Code: back.Get("code"), RedirectURI: webApp, Verifier: "another one"}
	if _, err := w.svc.Apps.Exchange(t.Context(), x); err == nil {
		t.Error("the code works with another verifier: the challenge was not passed on")
	}
}

// TestConsentInLanguageOfApp checks that the lang parameter of an app sets the language of the
// consent and login pages. It takes precedence over account and browser.
func TestConsentInLanguageOfApp(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	app := w.app("read write follow", webApp)
	path := ask(app, webApp, "lang", "de-AT")
	b := w.browser()
	want(t, b.get("/login?next="+url.QueryEscape(path)), http.StatusOK, `<html lang="de"`)
	b.logIn("ann")
	want(t, b.get(path), http.StatusOK, `<html lang="de"`, "perch.example")
	want(t, b.get("/about?lang=de"), http.StatusOK, `<html lang="en"`)
	want(t, b.get(ask(app, webApp, "lang", "tlh")), http.StatusOK, `<html lang="en"`)
}

func TestConsentGivesWorkingCode(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	app, secret, err := w.svc.Apps.Register(t.Context(), linnet.AppRequest{Name: "Perch",
		RedirectURIs: []string{phoneApp, "urn:ietf:wg:oauth:2.0:oob"}, Scopes: []string{"read", "write"}})
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	for _, redirect := range []string{phoneApp, "urn:ietf:wg:oauth:2.0:oob"} {
		want(t, b.get(ask(app, redirect)), http.StatusOK)
		a := b.post(formAction(t, b.page), "decision", "approve")
		var code string
		if redirect == "urn:ietf:wg:oauth:2.0:oob" {
			want(t, a, http.StatusOK, `<code id="code">`, "works once")
			_, rest, _ := strings.Cut(a.body, `<code id="code">`)
			code, _, _ = strings.Cut(rest, "<")
		} else {
			code = answerTo(t, a, phoneApp+"?").Get("code")
		}
		token, err := w.svc.Apps.Exchange(t.Context(), linnet.CodeExchange{ClientID: app.ClientID, ClientSecret: secret, Code: code, RedirectURI: redirect})
		if err != nil {
			t.Fatalf("exchange of the code for %s: %v", redirect, err)
		}
		s, err := w.svc.Identity.Session(t.Context(), token.Value)
		if err != nil || s.User != ann.ID || s.Web || strings.Join(s.Scopes, " ") != "read write" {
			t.Errorf("session %+v, %v", s, err)
		}
		intruder := w.browser()
		intruder.jar["linnet"] = token.Value
		if a := intruder.get("/"); strings.Contains(a.body, "Log out") {
			t.Error("an app's token counts as a login")
		}
	}
}

// answerTo checks that a response redirects to the app, and returns the query parameters.
func answerTo(t *testing.T, a answer, prefix string) url.Values {
	t.Helper()
	want(t, a, http.StatusSeeOther)
	rest, ok := strings.CutPrefix(a.Header.Get("Location"), prefix)
	q, err := url.ParseQuery(rest)
	if !ok || err != nil {
		t.Fatalf("leads to %q, want %q and a query", a.Header.Get("Location"), prefix)
	}
	return q
}

func TestConsentRefused(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	app := w.app("read write", webApp, "urn:ietf:wg:oauth:2.0:oob")
	b := w.browser().logIn("ann")
	b.get(ask(app, webApp, "state", "s"))
	back := answerTo(t, b.post(formAction(t, b.page), "decision", "deny"), webApp+"&")
	if back.Get("error") != "access_denied" || back.Get("state") != "s" || back.Has("code") {
		t.Errorf("answer to the app: %v", back)
	}
	b.get(ask(app, "urn:ietf:wg:oauth:2.0:oob"))
	want(t, b.post(formAction(t, b.page), "decision", "deny"), http.StatusOK, "<h1>Access denied</h1>")
	b.get(ask(app, webApp))
	want(t, b.post(formAction(t, b.page)), http.StatusBadRequest)
}

// TestAuthorizeErrors checks that errors before the redirect URI is verified are shown on our own
// page. Later errors are sent to the app. See RFC 6749, section 4.1.2.1.
func TestAuthorizeErrors(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	app := w.app("read", webApp, "urn:ietf:wg:oauth:2.0:oob")
	in, out := w.browser().logIn("ann"), w.browser()
	for _, tc := range []struct {
		name, path string
		code       string // error code sent to the app, "" if shown to the user
	}{
		{"unknown client", ask(app, webApp, "client_id", "x", "scope", "read"), ""},
		{"no client", ask(app, webApp, "client_id", ""), ""},
		{"no redirect", ask(app, "", "redirect_uri", "", "scope", "read"), ""},
		{"foreign redirect", ask(app, "https://evil.example/", "scope", "read"), ""},
		{"longer redirect", ask(app, webApp+"/x", "scope", "read"), ""},
		{"other case", ask(app, strings.ToUpper(webApp), "scope", "read"), ""},
		{"foreign redirect and scope", ask(app, "https://evil.example/", "scope", "write"), ""},
		{"scripted redirect", ask(app, "javascript:alert(1)", "scope", "read"), ""},
		{"two redirects", ask(app, webApp, "scope", "read") + "&redirect_uri=https://evil.example/", ""},
		{"two clients", ask(app, webApp, "scope", "read") + "&client_id=x", ""},
		{"broken query", ask(app, webApp, "scope", "read") + "&x=%zz", ""},
		{"out of band, wrong scope", ask(app, "urn:ietf:wg:oauth:2.0:oob", "scope", "write"), ""},
		{"wider scope", ask(app, webApp, "scope", "read write"), "invalid_scope"},
		{"unknown scope", ask(app, webApp, "scope", "sing"), "invalid_scope"},
		{"implicit grant", ask(app, webApp, "scope", "read", "response_type", "token"), "unsupported_response_type"},
		{"no response type", ask(app, webApp, "scope", "read", "response_type", ""), "invalid_request"},
		{"two scopes", ask(app, webApp, "scope", "read") + "&scope=read", "invalid_request"},
		{"plain challenge", ask(app, webApp, "scope", "read", "code_challenge", strings.Repeat("a", 43)), "invalid_request"},
		{"named plain", ask(app, webApp, "scope", "read", "code_challenge", strings.Repeat("a", 43), "code_challenge_method", "plain"), "invalid_request"},
		{"short challenge", ask(app, webApp, "scope", "read", "code_challenge", "a", "code_challenge_method", "S256"), "invalid_request"},
		{"method alone", ask(app, webApp, "scope", "read", "code_challenge_method", "S256"), "invalid_request"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, b := range []*browser{in, out} {
				a := b.get(tc.path + "&state=s")
				if tc.code == "" {
					want(t, a, http.StatusBadRequest, "made a mistake", `href="/"`)
					continue
				}
				if b == out { // visitors log in before any redirect to the app
					if to := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/login?next=") {
						t.Errorf("a stranger is led to %q", to)
					}
					continue
				}
				back := answerTo(t, a, webApp+"&")
				if back.Get("iss") != loopbackURL+"/" {
					t.Errorf("the answer comes from %q", back.Get("iss"))
				}
				if back.Get("error") != tc.code || back.Get("state") != "s" || back.Has("code") {
					t.Errorf("answer to the app: %v", back)
				}
			}
		})
	}
}

func TestAuthorizeVariants(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	app := w.app("read write", webApp, phoneApp)
	b := w.browser().logIn("ann")

	slash := strings.Replace(ask(app, webApp), "authorize?", "authorize/?", 1)
	want(t, b.get(slash), http.StatusOK, "@ann")
	want(t, b.post(slash, "decision", "deny"), http.StatusSeeOther)
	for _, no := range []string{"false", "False", "0"} {
		want(t, b.get(ask(app, webApp, "force_login", no, "lang", "de")), http.StatusOK, "@ann")
	}
	want(t, b.get(ask(app, webApp, "scope", "")), http.StatusOK, "Read everything")

	csp := b.get(ask(app, phoneApp)).Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "form-action 'self' perch.app:;") {
		t.Errorf("the policy does not let the answer through: %s", csp)
	}

	a := b.get(ask(app, webApp, "force_login", "true", "state", "s"))
	want(t, a, http.StatusSeeOther)
	want(t, b.get(a.Header.Get("Location")), http.StatusOK, "You're logged in as")
	a = b.post(formAction(t, b.page), "login", "bob", "password", password)
	want(t, a, http.StatusSeeOther)
	want(t, b.get(a.Header.Get("Location")), http.StatusOK, "@bob", "state=s")

	out := w.browser()
	a = out.get(ask(app, webApp, "force_login", "true"))
	want(t, a, http.StatusSeeOther)
	out.get(a.Header.Get("Location"))
	a = out.post(formAction(t, out.page), "login", "ann", "password", password)
	want(t, out.get(a.Header.Get("Location")), http.StatusOK, "@ann") // not the login page again
}

// TestConsentIsBoundToSession checks that a consent page cannot be submitted in another session or
// without one.
func TestConsentIsBoundToSession(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	app := w.app("read write", webApp)
	path := ask(app, webApp)
	b := w.browser().logIn("ann")
	b.get(path)
	page := b.page
	b.get("/login")
	b.post("/login", "login", "ann", "password", password)
	b.page = page
	want(t, b.post(path, "decision", "approve"), http.StatusForbidden)

	out := w.browser()
	out.get("/login")
	a := out.post(path, "decision", "approve")
	wantTo(t, a, "/login?next="+url.QueryEscape(path))
}
