package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// holding returns a browser with several accounts, which it creates. The last one is active.
func (w *world) holding(logins ...string) *browser {
	w.t.Helper()
	b := w.browser()
	for _, login := range logins {
		w.user(login)
		b.logIn(login)
	}
	return b
}

// switches checks that the browser switches to another account.
func (b *browser) switches(login string) {
	b.t.Helper()
	b.get("/")
	wantTo(b.t.(*testing.T), b.post("/login/switch", "account", login), "/?switched=1")
	want(b.t, b.get("/?switched=1"), http.StatusOK, "You're now using <bdi>@"+login+"</bdi>")
}

// active returns the login of the active account as the front page shows it; "" for none.
func (b *browser) active() string {
	b.t.Helper()
	a := b.get("/")
	want(b.t, a, http.StatusOK)
	if m := regexp.MustCompile(`Logged in as <a href="/@(\w+)"`).FindStringSubmatch(a.body); m != nil {
		return m[1]
	}
	return ""
}

// offered returns the accounts that the menu of the last page offers to switch to.
func (b *browser) offered() (logins []string) {
	for _, m := range regexp.MustCompile(`<button [^>]*name="account" value="(\w+)"`).FindAllStringSubmatch(b.page, -1) {
		logins = append(logins, m[1])
	}
	return logins
}

func (b *browser) shows(active, others string) {
	b.t.Helper()
	if got, offered := b.active(), strings.Join(b.offered(), " "); got != active || offered != others {
		b.t.Errorf("@%s is active and the others are %q, want @%s and %q", got, offered, active, others)
	}
}

// severalAccounts checks the switcher: it adds accounts, switches, and logs out of one or all.
func severalAccounts(t *testing.T) {
	w := newWorld(t, publicURL)
	b := w.browser()
	w.user("ann")
	b.logIn("ann")
	want(t, b.get("/"), http.StatusOK, `<a href="/login">`, "Add an account", "Log out")
	if strings.Contains(b.page, "Log out of") || b.jar["__Host-linnet-others"] != "" {
		t.Error("a browser with one account offers more")
	}
	name := "Bob <Bird>"
	bob := w.user("bob")
	if _, err := w.svc.Social.Profiles.Update(t.Context(), bob.ID, linnet.ProfileChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/login"), http.StatusOK, "You're logged in as", "add another account to this browser", "Go back as @ann")
	b.logIn("bob")
	w.user("cat")
	b.logIn("cat")
	want(t, b.get("/"), http.StatusOK, "Bob &lt;Bird&gt;", "/faces/", "Log out of @cat", "Log out of all accounts")
	b.shows("cat", "bob ann")
	cookie := b.get("/") // unchanged by reading
	if len(cookie.Cookies()) != 0 {
		t.Errorf("reading a page sets %v", cookie.Cookies())
	}
	b.switches("ann")
	b.shows("ann", "cat bob")
	b.switches("bob")
	b.shows("bob", "ann cat")

	// The same account again replaces its session.
	was := b.jar["__Host-linnet"]
	b.logIn("bob")
	b.shows("bob", "ann cat")
	old := w.browser()
	old.jar["__Host-linnet"] = was
	old.shows("", "")
	b.logIn("cat")
	b.shows("cat", "bob ann")

	wantTo(t, b.post("/logout"), "/?switched=out")
	want(t, b.get("/?switched=out"), http.StatusOK, "You've logged out. You're now using <bdi>@bob</bdi>")
	b.shows("bob", "ann")
	jar := map[string]string{"linnet": b.jar["__Host-linnet"], "others": b.jar["__Host-linnet-others"]}
	wantTo(t, b.post("/logout", "all", "1"), "/")
	if b.jar["__Host-linnet"]+b.jar["__Host-linnet-others"] != "" {
		t.Errorf("cookies stay: %v", b.jar)
	}
	b.jar["__Host-linnet"], b.jar["__Host-linnet-others"] = jar["linnet"], jar["others"]
	b.shows("", "")
}

// TestAccountCookies checks that scripts can't read the sessions, and that pages and cookies of
// other browsers don't name the accounts of this one.
func TestAccountCookies(t *testing.T) {
	for base, prefix := range map[string]string{loopbackURL: "", publicURL: "__Host-"} {
		w := newWorld(t, base)
		w.user("ann")
		w.user("bob")
		b := w.browser().logIn("ann")
		b.get("/login")
		a := b.post("/login", "login", "bob", "password", password)
		found := false
		for _, c := range a.Cookies() {
			found = found || c.Name == prefix+"linnet-others" && c.MaxAge > 0
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != (prefix != "") || c.Path != "/" || c.Domain != "" {
				t.Errorf("cookie %s", c)
			}
		}
		if !found {
			t.Errorf("%s: no cookie for the other accounts in %v", base, a.Cookies())
		}
		page := b.get("/").body
		for _, secret := range strings.Split(b.jar[prefix+"linnet-others"]+"."+b.jar[prefix+"linnet"], ".") {
			if len(secret) > 30 && strings.Contains(page, secret) {
				t.Error("the page contains a session")
			}
		}
		alone := w.browser().logIn("bob")
		want(t, alone.get("/"), http.StatusOK)
		alone.shows("bob", "")
		if a := alone.get("/settings/security"); strings.Contains(a.body, "@ann") {
			t.Error("another browser learns of the account")
		}
	}
}

// TestAccountsAreBounded checks that a browser has at most six accounts. A forged cookie with more,
// or with other texts, is read up to this number.
func TestAccountsAreBounded(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("a1", "a2", "a3", "a4", "a5", "a6")
	b.shows("a6", "a5 a4 a3 a2 a1")
	w.user("a7")
	b.get("/login")
	want(t, b.post("/login", "login", "a7", "password", password), http.StatusUnprocessableEntity, "You can be logged in to at most 6 accounts in this browser. Log out of one of them first.")
	b.shows("a6", "a5 a4 a3 a2 a1")
	want(t, b.get("/login"), http.StatusOK, "You can be logged in to at most 6 accounts in this browser.")
	invitation := w.invitation("a6")
	want(t, b.get(invitation), http.StatusForbidden, "You can be logged in to at most 6 accounts in this browser.")
	want(t, b.post(invitation, "login", "a8", "password", password, "again", password), http.StatusForbidden, "You can be logged in to at most 6 accounts in this browser.", `value="a8"`)
	if _, err := w.svc.View.UserByLogin(t.Context(), 0, "a8"); err == nil {
		t.Error("the sign-up created an account without a session")
	}
	b.get("/login")
	b.logIn("a3")
	b.shows("a3", "a6 a5 a4 a2 a1")
	if n := len(w.sessionsOf("a7")); n != 0 {
		t.Errorf("%d sessions of an account that was refused", n)
	}
	b.jar["linnet-others"] += "." + b.jar["linnet-others"]
	b.shows("a3", "a6 a5 a4 a2 a1")
	for _, evil := range []string{".", "..", "1", "1.", ".x", "1.x.2", strings.Repeat("1.000-x.", 3000), "<b>.\"'"} {
		b.jar["linnet-others"] = evil
		b.shows("a3", "")
	}
}

// sessionsOf returns the sessions of an account.
func (w *world) sessionsOf(login string) []linnet.OpenSession {
	w.t.Helper()
	u, err := w.svc.View.UserByLogin(w.t.Context(), 0, login)
	if err != nil {
		w.t.Fatal(err)
	}
	all, err := w.svc.Identity.Sessions(w.t.Context(), u.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// endedAccountsDisappear checks that accounts whose sessions have ended leave the switcher, with a
// notice on one page.
func endedAccountsDisappear(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob", "cat")
	end := func(login string) {
		t.Helper()
		phone := w.browser().logIn(login)
		phone.get("/settings/security")
		wantTo(t, phone.post("/settings/sessions/others"), "/settings/security?done=sessions")
	}
	b.get("/")
	end("ann")
	stale := b.page
	b.header = http.Header{"Sec-Fetch-Mode": {"cors"}} // not a visit of a page
	b.get("/")
	if strings.Contains(b.page, "has been logged out") || strings.Join(b.offered(), " ") != "bob" {
		t.Error("the notice is shown to the script")
	}
	b.header = http.Header{}
	const says = "<bdi>@ann</bdi> has been logged out of this browser."
	want(t, b.get("/explore"), http.StatusOK, says)
	if a := b.get("/explore"); strings.Contains(a.body, says) {
		t.Error("the notice is shown twice")
	}
	b.shows("cat", "bob")
	b.page = stale
	want(t, b.post("/login/switch", "account", "ann"), http.StatusForbidden, "@ann is no longer logged in on this browser. Log in again.", `value="ann"`)
	b.shows("cat", "bob")

	end("cat") // the active one
	b.page = stale
	want(t, b.post("/@ann", "act", "follow"), http.StatusForbidden, "You've been logged out, so nothing was changed.")
	want(t, b.get("/"), http.StatusOK, "The account you were using has been logged out. You're now using <bdi>@bob</bdi>")
	b.shows("bob", "")
	end("bob")
	b.shows("", "")
	if len(b.jar) > 2 || b.jar["linnet"] != "" {
		t.Errorf("cookies stay: %v", b.jar)
	}

	// Suspended and deleted accounts disappear too.
	b = w.browser().logIn("ann").logIn("bob").logIn("cat")
	if err := w.svc.Social.Deletion.DeleteUser(t.Context(), w.sessionsOf("bob")[0].User); err != nil {
		t.Fatal(err)
	}
	b.shows("cat", "ann")
	w.suspend("ann")
	b.shows("cat", "")
}

// TestForgedAccountCookie checks that a private server doesn't name accounts to visitors who only
// know ids.
func TestForgedAccountCookie(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	const says = "<bdi>@ann</bdi> has been logged out of this browser."
	for _, private := range []bool{false, true} {
		if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Private: &private}); err != nil {
			t.Fatal(err)
		}
		b := w.browser()
		b.jar["linnet-others"] = ann.ID.String() + ".000-forged"
		if a := b.get("/login"); a.StatusCode != http.StatusOK || strings.Contains(a.body, says) == private || b.jar["linnet-others"] != "" {
			t.Errorf("private %v: %d, %v, cookies %v", private, a.StatusCode, strings.Contains(a.body, says), b.jar)
		}
	}
}

// suspend suspends an account.
func (w *world) suspend(login string) {
	w.t.Helper()
	u, err := w.svc.View.UserByLogin(w.t.Context(), 0, login)
	if err == nil {
		err = w.svc.Moderation.Moderate(w.t.Context(), linnet.Operator(), linnet.Measure{On: u.ID, Act: linnet.Suspend})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// formsKeepTheirAccount checks that a form is never executed for another account than it was made
// for. It is shown again after switching to its account.
func formsKeepTheirAccount(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob")
	ann, bob := w.sessionsOf("ann")[0].User, w.sessionsOf("bob")[0].User
	b.switches("ann")
	b.get("/compose")
	tab := b.page // of ann
	b.switches("bob")
	text := "A thought of ann, with ü"
	send := func() answer {
		b.page = tab
		b.header = http.Header{"Origin": {w.base}, "Referer": {w.base + "/compose"}}
		defer func() { b.header = http.Header{} }()
		return b.post("/compose", "text", text, "visibility", "public", "language", "de", "key", "k", "by", "ann")
	}
	a := send()
	want(t, a, http.StatusForbidden, "Continue as <bdi>@ann</bdi>?", "You opened that page as <bdi>@ann</bdi>, but you're now using <bdi>@bob</bdi>. Nothing was changed.", text, "Keep using @bob")
	if n := len(w.postsOf(ann)) + len(w.postsOf(bob)) + w.drafts(ann) + w.drafts(bob); n != 0 {
		t.Fatalf("%d posts and drafts", n)
	}
	kept := unescape(keptInput.FindStringSubmatch(a.body)[1])
	a = b.post("/login/switch", "account", "ann", "kept", kept)
	want(t, a, http.StatusOK, "You've switched to @ann. What you typed is below and hasn't been sent yet.", text, "Logged in as <a href=\"/@ann\"", `name="account" value="bob"`)
	want(t, b.post("/compose", "text", text, "visibility", "public", "language", "de", "key", "k"), http.StatusSeeOther)
	if got := w.postsOf(ann); len(got) != 1 || len(w.postsOf(bob)) != 0 {
		t.Errorf("posts %q", got)
	}

	// Actions, and forms without texts.
	b.switches("ann")
	b.get("/@bob")
	tab = b.page
	b.get("/settings/profile")
	profile := b.page
	b.switches("bob")
	b.page = tab
	want(t, b.post("/@bob", "act", "follow"), http.StatusForbidden, "Continue as <bdi>@ann</bdi>?")
	b.page = profile
	b.header = http.Header{"Referer": {w.base + "/settings/profile"}}
	want(t, b.post("/settings/profile", "name", "Ann Finch", "bio", "Of ann"), http.StatusForbidden, "Continue as <bdi>@ann</bdi>?", "Ann Finch")
	b.header = http.Header{}
	u, err := w.svc.View.User(t.Context(), bob, bob)
	if err != nil || u.Name != "" && u.Name != "bob" {
		t.Errorf("the name of bob is %q: %v", u.Name, err)
	}

	// Ann's session ends: the form is not shown to bob, only after a login as ann.
	b.page = tab
	wantTo(t, b.post("/logout"), "/") // of ann, although bob is active
	b.shows("bob", "")
	a = send()
	want(t, a, http.StatusForbidden, "This text was written with another account.")
	kept = unescape(keptInput.FindStringSubmatch(a.body)[1])
	a = b.post("/login", "login", "bob", "password", password, "kept", kept)
	want(t, a, http.StatusForbidden, "This text was written with another account.")
	kept = unescape(keptInput.FindStringSubmatch(a.body)[1])
	b.page = profile
	want(t, b.post("/@bob", "act", "follow"), http.StatusForbidden, "This page was opened with another account. Nothing was changed.")
	a = b.post("/login", "login", "ann", "password", password, "kept", kept)
	want(t, a, http.StatusOK, "You're logged in again", text, `name="account" value="bob"`)
}

// TestSwitchNeedsToken checks that other sites can't switch accounts or log out.
func TestSwitchNeedsToken(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob")
	other := w.browser().logIn("ann")
	other.get("/")
	for _, path := range []string{"/login/switch", "/logout"} {
		for _, token := range []string{"", "AAAA", formToken(other)} {
			want(t, b.postRaw(path, url.Values{"account": {"ann"}, "form_token": {token}}), http.StatusForbidden)
		}
	}
	b.shows("bob", "ann")
	b.header = http.Header{"Origin": {"https://evil.example"}}
	want(t, b.post("/login/switch", "account", "ann"), http.StatusForbidden)
	b.header = http.Header{}
	b.shows("bob", "ann")
	for next, to := range map[string]string{"/@ann": "/@ann", "//evil.example/": "/?switched=1", "https://evil.example": "/?switched=1"} {
		b.get("/")
		wantTo(t, b.post("/login/switch?next="+url.QueryEscape(next), "account", "ann"), to)
	}
	b.shows("ann", "bob")
}

// TestLinksOfferToSwitch checks the link of a push notification: it leads to the notifications of
// its account, after a switch or a login.
func TestLinksOfferToSwitch(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob")
	link := func(login string) string { return "/login/switch?account=" + login + "&next=%2Fnotifications" }
	wantTo(t, b.get(link("bob")), "/notifications")
	want(t, b.get(link("ann")), http.StatusOK, "Continue as <bdi>@ann</bdi>?", "This notification is for <bdi>@ann</bdi>.", `action="/login/switch?next=%2Fnotifications"`)
	if got := b.active(); got != "bob" {
		t.Errorf("the link alone makes @%s active", got)
	}
	b.get(link("ann"))
	wantTo(t, b.post("/login/switch?next=%2Fnotifications", "account", "ann"), "/notifications")
	b.shows("ann", "bob")
	w.user("cat")
	want(t, b.get(link("cat")), http.StatusOK, "@cat is no longer logged in on this browser.", `action="/login?next=%2Fnotifications"`, `value="cat"`)
	want(t, w.browser().get(link("ann")), http.StatusOK, `action="/login?next=%2Fnotifications"`)
	wantTo(t, b.get("/login/switch"), "/")
	if worker := b.get("/sw.js").body; !strings.Contains(worker, "'/login/switch?'") {
		t.Error("the service worker doesn't open the link")
	}
}

// TestAccountsAndLogIn checks that the other accounts survive the second factor, a changed password
// and a deleted account.
func TestAccountsAndLogIn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob")
	_, codes := twoFactorOn(t, w, b)
	b.get("/")
	wantTo(t, b.post("/logout"), "/?switched=out")
	b.shows("ann", "")
	b.get("/login")
	a := b.post("/login", "login", "bob", "password", password)
	want(t, a, http.StatusOK, "Enter the code")
	b.shows("ann", "") // until the code is entered
	b.page = a.body
	ticket := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(a.body)[1]
	wantTo(t, b.post("/login/code", "ticket", ticket, "code", codes[0]), "/")
	b.shows("bob", "ann")
	b.get("/settings/security")
	wantTo(t, b.post("/settings/password", "old", password, "new", password+" 2", "again", password+" 2"), "/settings/security?done=password")
	b.shows("bob", "ann")
	if n := len(w.sessionsOf("ann")); n != 1 {
		t.Errorf("%d sessions of ann", n)
	}
	b.switches("ann")
	b.switches("bob")
	b.get("/settings/delete")
	wantTo(t, b.post("/settings/delete", "password", password+" 2"), "/?switched=1")
	b.shows("ann", "")
}

// TestConsentShowsAccounts checks that the page about an app lets its reader choose an account.
func TestConsentShowsAccounts(t *testing.T) {
	w := newWorld(t, publicURL)
	app := w.app("read write", webApp)
	b := w.holding("ann", "bob")
	path := ask(app, webApp)
	want(t, b.get(path), http.StatusOK, "wants to access your account", "@bob", "Use another account", "Log in with another account")
	stale := b.page
	action := "/login/switch?next=" + url.QueryEscape(path)
	if !strings.Contains(unescape(b.page), `action="`+action+`"`) {
		t.Fatalf("no form with %s", action)
	}
	wantTo(t, b.post(action, "account", "ann"), path)
	want(t, b.get(path), http.StatusOK, `<span class="handle">@ann</span></span>`)
	b.page = stale // made for bob
	want(t, b.post(path, "decision", "approve"), http.StatusForbidden, "Continue as <bdi>@bob</bdi>?")
}

// TestLiveKeepsAccount checks that streams, completions and cards are refused to the page of
// another account.
func TestLiveKeepsAccount(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob")
	as := func(login string) string { return "&as=" + url.QueryEscape("/@"+login) }
	want(t, b.get("/complete?q=%40an"+as("bob")), http.StatusOK)
	want(t, b.get("/complete?q=%40an"+as("ann")), http.StatusConflict)
	want(t, b.get("/@ann/card?"+as("bob")), http.StatusOK, `value="follow"`)
	want(t, b.get("/@bob/card?"+as("ann")), http.StatusConflict)
	want(t, w.browser().get("/@bob/card?"+as("ann")), http.StatusConflict) // the session has ended
	want(t, w.browser().get("/@bob/card?as="), http.StatusOK)
	want(t, b.get("/live?of=home"+as("ann")), http.StatusConflict, "You've switched accounts or logged out.")
}

// TestAccountsKeepPush checks that the subscription of an account stays while another one is
// active, and ends when it logs out.
func TestAccountsKeepPush(t *testing.T) {
	w := newWorld(t, publicURL)
	b := w.holding("ann")
	b.get("/settings/push")
	b.post("/settings/push", "endpoint", "https://push.test/x", "p256dh", pushPoint, "auth", pushAuth, "alerts", "mention")
	ann := w.sessionsOf("ann")[0].User
	subscribed := func() bool { return w.pushOf(ann) != nil }
	w.user("bob")
	b.logIn("bob")
	b.switches("ann")
	b.switches("bob")
	if !subscribed() {
		t.Fatal("not subscribed")
	}
	b.get("/")
	wantTo(t, b.post("/logout"), "/?switched=out")
	if !subscribed() {
		t.Error("another account's log-out ended the subscription")
	}
	b.get("/")
	wantTo(t, b.post("/logout"), "/")
	if subscribed() {
		t.Error("the subscription stays after the log-out")
	}
}

// TestLateResponsesKeepLogin checks that the response to a request that was sent before a log-out
// doesn't delete the cookie of the account that is active since then.
func TestLateResponsesKeepLogin(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.holding("ann", "bob")
	b.get("/")
	late := w.browser()
	late.jar["linnet"], late.jar["linnet-others"], late.page = b.jar["linnet"], b.jar["linnet-others"], b.page
	wantTo(t, b.post("/logout"), "/?switched=out")
	late.header = http.Header{"Sec-Fetch-Mode": {"cors"}}
	again := late.post("/logout")
	wantTo(t, again, "/")
	for _, a := range []answer{late.get("/counts?of=1"), late.get("/"), again} {
		for _, c := range a.Cookies() {
			if c.Name == "linnet" || c.Name == "linnet-others" {
				t.Errorf("%s: %s", a.Request.URL, c)
			}
		}
	}
	b.shows("ann", "")
}
