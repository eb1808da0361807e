package web_test

import (
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// servedAsLocalhost is like served with a host name, because passkeys do not work with IP
// addresses.
func servedAsLocalhost(t *testing.T) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	w := newWorld(t, "http://localhost:"+port)
	w.serve(l)
	t.Cleanup(func() { w.gate.srv.Close() })
	return w
}

// withDevice adds a virtual authenticator that stores passkeys and verifies its user.
func (tb *tab) withDevice() {
	tb.t.Helper()
	tb.do("WebAuthn.enable", nil, nil)
	tb.do("WebAuthn.addVirtualAuthenticator", map[string]any{"options": map[string]any{"protocol": "ctap2", "transport": "internal",
		"hasResidentKey": true, "hasUserVerification": true, "isUserVerified": true, "automaticPresenceSimulation": true}}, nil)
}

// TestPasskeysInBrowser checks that a passkey can be created in the settings and logs in without a
// login name. It also covers app logins and removed passkeys.
func TestPasskeysInBrowser(t *testing.T) {
	tb := newTab(t)
	w := servedAsLocalhost(t)
	ann := w.user("ann")
	tb.withDevice()
	tb.enters(w, "ann")
	tb.open(w.base + "/settings/security")
	add := `document.querySelector('form[action="/settings/passkeys"]')`
	tb.holds(`!%s.hidden`, add)
	passwordInput := `form[action="/settings/passkeys"] [name=password]`
	tb.typeInto(passwordInput, "wrong horse")
	tb.eval(`%s.querySelector('button').click()`, add)
	tb.holds(`document.querySelector('.flash.wrong').textContent.includes('Incorrect password')`)
	tb.expects("status of 422")
	tb.typeInto(passwordInput, password)
	tb.typeInto(`form[action="/settings/passkeys"] [name=name]`, "My laptop")
	tb.loads(func() { tb.eval(`%s.querySelector('button').click()`, add) })
	tb.holds(`document.querySelector('main').textContent.includes('Passkey added.') && document.querySelector('main').textContent.includes('My laptop')`)
	if keys, err := w.svc.Security.Passkeys(t.Context(), ann.ID); err != nil || len(keys) != 1 || keys[0].Name != "My laptop" {
		t.Fatalf("kept %+v %v", keys, err)
	}
	tb.typeInto(passwordInput, password)
	tb.eval(`%s.querySelector('button').click()`, add)
	tb.holds(`document.querySelector('.flash.wrong').textContent.includes('This device already has a passkey for this account.')`)
	logIn := func(path string) {
		t.Helper()
		tb.do("Network.clearBrowserCookies", nil, nil)
		tb.open(w.base + path)
		form := `document.querySelector('form[action^="/login/passkey"]')`
		tb.holds(`!%s.hidden`, form)
		tb.loads(func() { tb.eval(`%s.querySelector('button').click()`, form) })
	}
	logIn("/login?next=%2Fsettings%2Fsecurity")
	tb.holds(`location.pathname === '/settings/security' && document.querySelector('main').textContent.includes('You logged in with a passkey: “My laptop”.')`)
	app := w.app("read write", webApp)
	logIn(ask(app, webApp))
	tb.holds(`document.querySelector('h1').textContent.startsWith('Authorize ')`)
	tb.calm()
	tb.open(w.base + "/settings/security")
	tb.typeInto(`form[action="/settings/passkeys/remove"] [name=password]`, password)
	tb.loads(func() { tb.eval(`document.querySelector('form[action="/settings/passkeys/remove"] button').click()`) })
	tb.holds(`document.querySelector('main').textContent.includes('Passkey removed.')`)
	logIn("/login")
	tb.holds(`location.pathname === '/login/passkey' && document.querySelector('#wrong').textContent.includes("wasn't accepted")`)
}

// TestPasskeyPages checks that forms that need the script are hidden without it. Invalid
// authenticator responses show an error.
func TestPasskeyPages(t *testing.T) {
	w := newWorld(t, "https://linnet.test")
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/security"), http.StatusOK, `data-passkey="/settings/passkeys/begin" hidden`, "<noscript>")
	want(t, b.post("/settings/passkeys/begin"), http.StatusUnprocessableEntity, "Confirm your own password first.")
	b.get("/settings/security")
	want(t, b.post("/settings/passkeys/begin", "password", "wrong horse"), http.StatusUnprocessableEntity, "Incorrect password.")
	b.get("/settings/security")
	options := b.post("/settings/passkeys/begin", "password", password)
	want(t, options, http.StatusOK, `"challenge":`, `"residentKey":"required"`, `"userVerification":"required"`, `"id":"linnet.test"`)
	device := &apptest.Authenticator{Origin: "https://linnet.test"}
	b.get("/settings/security")
	want(t, b.post("/settings/passkeys", "answer", "nonsense"), http.StatusUnprocessableEntity, "couldn't be added")
	b.get("/settings/security")
	wantTo(t, b.post("/settings/passkeys", "answer", string(device.Answer([]byte(options.body))), "name", "Key"), "/settings/security?done=passkey#passkeys")
	id := regexp.MustCompile(`name="passkey" value="([^"]+)"`).FindStringSubmatch(b.get("/settings/security").body)
	if id == nil {
		t.Fatal("the passkey is not listed")
	}
	want(t, b.post("/settings/passkeys/rename", "passkey", id[1], "name", strings.Repeat("x", linnet.MaxPasskeyName+1)), http.StatusUnprocessableEntity, "The name is too long", "<details open>")
	b.get("/settings/security")
	wantTo(t, b.post("/settings/passkeys/rename", "passkey", id[1], "name", "Blue"), "/settings/security?done=renamed#passkeys")
	want(t, b.get("/settings/security"), http.StatusOK, "<bdi>Blue</bdi>")

	x := w.browser()
	want(t, x.get("/login"), http.StatusOK, `data-passkey="/login/passkey/begin" hidden`)
	want(t, x.post("/login/passkey"), http.StatusUnprocessableEntity, "wasn't accepted", `id="login"`)
	x.get("/login")
	options = x.post("/login/passkey/begin")
	x.get("/login")
	wantTo(t, x.post("/login/passkey?next=%2Fabout", "answer", string(device.Answer([]byte(options.body)))), "/about")
	want(t, x.get("/settings/security"), http.StatusOK, "last used")

	b.get("/settings/security")
	want(t, b.post("/settings/passkeys/remove", "passkey", id[1], "password", "wrong horse"), http.StatusUnprocessableEntity, "The password is incorrect.", "<details open>")
	b.get("/settings/security")
	for range 2 {
		wantTo(t, b.post("/settings/passkeys/remove", "passkey", id[1], "password", password), "/settings/security?done=removed#passkeys")
		b.get("/settings/security")
	}
	if plain := newWorld(t, loopbackURL); strings.Contains(plain.browser().get("/login").body, "passkey") {
		t.Error("passkeys are offered at an address that has none")
	}
}
