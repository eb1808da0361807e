package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/hotp"

	"linnet/internal/web"
)

func TestChangePassword(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	other := w.browser().logIn("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/security"), http.StatusOK, `<h1 dir="auto">Password and security</h1>`, "<bdi>A browser</bdi> (current)", `autocomplete="current-password"`)
	for _, c := range []struct{ old, fresh, again, text string }{
		{"wrong horse", "battery staple", "battery staple", "The password is incorrect."},
		{password, "short", "short", "The new password is too short"},
		{password, "battery staple", "battery stable", "The passwords don't match."},
	} {
		a := b.post("/settings/password", "old", c.old, "new", c.fresh, "again", c.again)
		want(t, a, http.StatusUnprocessableEntity, c.text, `aria-invalid="true"`)
	}
	before := b.jar["linnet"]
	wantTo(t, b.post("/settings/password", "old", password, "new", "battery staple", "again", "battery staple"), "/settings/security?done=password")
	if b.jar["linnet"] == before {
		t.Error("the session is the same after another password")
	}
	want(t, b.get("/settings/security?done=password"), http.StatusOK, "Your password was changed.", "@ann</bdi></a>")
	if a := other.get("/"); strings.Contains(a.body, "Log out") {
		t.Error("the other browser is still logged in")
	}
	fresh := w.browser()
	fresh.get("/login")
	want(t, fresh.post("/login", "login", "ann", "password", password), http.StatusUnprocessableEntity)
	want(t, fresh.post("/login", "login", "ann", "password", "battery staple"), http.StatusSeeOther)
}

func TestSettingsAreForWhoIsLoggedIn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.browser()
	b.get("/login")
	for _, rt := range web.SecurityRoutes() {
		if rt.Get {
			if a := b.get(rt.Pattern); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login?next=") {
				t.Errorf("GET %s: %d to %s", rt.Pattern, a.StatusCode, a.Header.Get("Location"))
			}
		}
		b.get("/login")
		if rt.Post {
			wantTo(t, b.post(rt.Pattern, "password", password), "/login?next=%2Fsettings%2Fsecurity")
		}
	}
}

func endSessions(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	bob := w.browser().logIn("bob")
	other := w.browser().logIn("ann")
	b := w.browser().logIn("ann")
	id := regexp.MustCompile(`name="session" value="([0-9a-f]{64})"`)
	theirs := id.FindStringSubmatch(other.get("/settings/security").body)
	var ids []string
	for _, m := range id.FindAllStringSubmatch(b.get("/settings/security").body, -1) {
		ids = append(ids, m[1])
	}
	if len(ids) != 2 || len(theirs) != 2 {
		t.Fatalf("%d sessions are listed", len(ids))
	}
	bob.get("/settings/security")
	wantTo(t, bob.post("/settings/sessions", "session", ids[0]), "/settings/security?done=session")
	want(t, other.get("/"), http.StatusOK, "Log out")
	row := regexp.MustCompile(`(?s)name="session" value="([0-9a-f]{64})">\s*<p>[^/]*</?[^>]*>.*?</form>`)
	for _, m := range row.FindAllStringSubmatch(b.get("/settings/security").body, -1) {
		if own := strings.Contains(m[0], "(current)"); own == strings.Contains(m[0], "End session") {
			t.Errorf("own %v: %s", own, m[0])
		} else if !own {
			wantTo(t, b.post("/settings/sessions", "session", m[1]), "/settings/security?done=session")
			b.get("/settings/security")
			wantTo(t, b.post("/settings/sessions", "session", m[1]), "/settings/security?done=session")
		}
	}
	if strings.Contains(other.get("/").body, "Log out") || !strings.Contains(b.get("/").body, "Log out") {
		t.Error("the wrong session has ended")
	}
	again := w.browser().logIn("ann")
	want(t, b.get("/settings/security"), http.StatusOK, "Log out other sessions", "used in the last two days")
	wantTo(t, b.post("/settings/sessions/others"), "/settings/security?done=sessions")
	if strings.Contains(again.get("/").body, "Log out") || !strings.Contains(b.get("/").body, "Log out") {
		t.Error("of all other sessions one is left, or the own has ended")
	}
	want(t, b.get("/settings/security/log"), http.StatusOK, "You logged out all other browsers and apps.", "You logged in with your password.")
}

// twoFactorOn turns on two-factor authentication and returns its key and recovery codes.
func twoFactorOn(t *testing.T, w *world, b *browser) (secret string, codes []string) {
	t.Helper()
	a := b.get("/settings/two-factor")
	secret = regexp.MustCompile(`class="key">([A-Z2-7]+)<`).FindStringSubmatch(a.body)[1]
	if again := b.get("/settings/two-factor"); !strings.Contains(again.body, secret) {
		t.Error("the key changes when the page is loaded again")
	}
	if p := b.get("/settings/two-factor/qr.png"); p.StatusCode != http.StatusOK || !strings.HasPrefix(p.body, "\x89PNG") || p.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the picture: %d %q", p.StatusCode, p.Header)
	}
	b.get("/settings/two-factor")
	want(t, b.post("/settings/two-factor", "code", "000", "password", password), http.StatusUnprocessableEntity, "This code is incorrect.", secret)
	b.get("/settings/two-factor")
	want(t, b.post("/settings/two-factor", "code", appCode(t, secret, 0), "password", "wrong horse"), http.StatusUnprocessableEntity, "The password is incorrect.", secret)
	a = b.post("/settings/two-factor", "code", appCode(t, secret, 0), "password", password)
	want(t, a, http.StatusOK, "Two-factor authentication is on.")
	for _, m := range regexp.MustCompile(`<li><code>([a-z2-7]+)</code>`).FindAllStringSubmatch(a.body, -1) {
		codes = append(codes, m[1])
	}
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	return secret, codes
}

// appCode returns the code of an authenticator app, some 30-second steps from now.
func appCode(t *testing.T, secret string, steps int64) string {
	t.Helper()
	code, err := hotp.GenerateCode(secret, uint64(time.Now().Unix()/30+steps))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestTwoFactor(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	secret, codes := twoFactorOn(t, w, b)
	wantTo(t, b.get("/settings/two-factor"), "/settings/security")
	want(t, b.get("/settings/security"), http.StatusOK, "10 recovery codes left")

	second := func(code, next string) (*browser, answer) {
		x := w.browser()
		x.get("/login")
		a := x.post("/login"+next, "login", "ann", "password", password)
		want(t, a, http.StatusOK, "Enter the code from your authenticator app", `autocomplete="one-time-code"`)
		ticket := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(a.body)[1]
		if x.jar["linnet"] != "" {
			t.Error("the password alone has logged in")
		}
		return x, x.post("/login/code"+next, "ticket", ticket, "code", code)
	}
	_, a := second("000000", "")
	want(t, a, http.StatusUnprocessableEntity, "incorrect or has already been used")
	x, a := second(appCode(t, secret, 1), "?next=%2F%40ann")
	wantTo(t, a, "/@ann")
	want(t, x.get("/"), http.StatusOK, "Log out")
	_, a = second(appCode(t, secret, 1), "") // a code works only once
	want(t, a, http.StatusUnprocessableEntity)
	_, a = second(strings.ToUpper(codes[3][:8])+"-"+codes[3][8:], "")
	wantTo(t, a, "/")
	_, a = second(codes[3], "")
	want(t, a, http.StatusUnprocessableEntity)
	want(t, b.get("/settings/security"), http.StatusOK, "9 recovery codes left")
	b.get("/login")
	want(t, b.post("/login/code", "ticket", "005-nonsense", "code", codes[1]), http.StatusUnprocessableEntity, "Please log in again.")

	b.get("/settings/security")
	want(t, b.post("/settings/two-factor/codes", "password", "wrong horse"), http.StatusUnprocessableEntity, "The password is incorrect.", "<details open>")
	b.get("/settings/security")
	want(t, b.post("/settings/two-factor/codes", "password", password), http.StatusOK, "These are your new recovery codes.", "<li><code>")
	_, a = second(codes[5], "")
	want(t, a, http.StatusUnprocessableEntity)
	want(t, b.get("/settings/security"), http.StatusOK, "10 recovery codes left")
	want(t, b.post("/settings/two-factor/end", "password", "wrong horse"), http.StatusUnprocessableEntity, "The password is incorrect.")
	wantTo(t, b.post("/settings/two-factor/end", "password", password), "/settings/security?done=two-factor")
	w.browser().logIn("ann")
}

// TestTwoFactorGuesses checks that guesses at the second factor are rate limited.
func TestTwoFactorGuesses(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	twoFactorOn(t, w, w.browser().logIn("ann"))
	x := w.browser()
	x.get("/login")
	a := x.post("/login", "login", "ann", "password", password)
	ticket := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(a.body)[1]
	refused := 0
	for range 20 {
		if a = x.post("/login/code", "ticket", ticket, "code", "000000"); a.StatusCode == http.StatusTooManyRequests {
			refused++
			x.get("/login")
		}
	}
	if refused < 9 {
		t.Errorf("%d of 20 guesses were refused unseen", refused)
	}
}

func TestDeleteAccount(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/delete"), http.StatusOK, "Delete @ann permanently")
	want(t, b.post("/settings/delete", "password", "wrong horse"), http.StatusUnprocessableEntity, "Incorrect password.")
	wantTo(t, b.post("/settings/delete", "password", password), "/")
	if b.jar["linnet"] != "" {
		t.Error("the cookie stays")
	}
	want(t, b.get("/@ann"), http.StatusGone)
	b.get("/login")
	want(t, b.post("/login", "login", "ann", "password", password), http.StatusUnprocessableEntity)
}
