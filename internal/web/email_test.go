package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
	"linnet/internal/web"
)

// mailWorld starts a world that sends e-mail to a test server.
func mailWorld(t *testing.T) (*world, *mailtest.Server) {
	t.Helper()
	at := mailtest.New(t, mailtest.Options{})
	w := newWorld(t, loopbackURL)
	w.halt()
	w.mails = &mail.Server{Addr: at.Addr, TLS: mail.StartTLS, From: "linnet@birds.example", Roots: at.Roots}
	w.start()
	return w, at
}

// pathIn returns the path of the link in an e-mail.
func pathIn(t *testing.T, m mailtest.Mail, part string) string {
	t.Helper()
	u, err := url.Parse(m.Link(part))
	if err != nil || !strings.HasPrefix(u.Path, part) {
		t.Fatalf("no link %s in\n%s", part, m.Text())
	}
	return u.Path
}

// TestConfirmEmail checks that an address given at sign-up is confirmed with a button, not by
// opening the link. The settings can resend the link and change the address.
func TestConfirmEmail(t *testing.T) {
	w, at := mailWorld(t)
	w.open()
	b := w.browser()
	want(t, b.get("/signup"), http.StatusOK, `name="email"`, "E-mail address (optional)")
	want(t, b.post("/signup", "login", "ann", "email", "ann@localhost", "password", password, "again", password), http.StatusUnprocessableEntity, `id="email-wrong"`, `value="ann@localhost"`)
	wantTo(t, b.post("/signup", "login", "ann", "email", "Ann@Example.com", "password", password, "again", password), "/")
	first := pathIn(t, at.Wait(t, 1)[0], "/confirm/")
	want(t, b.get("/settings/email"), http.StatusOK, "ann@example.com (not confirmed yet)", "Send link again")
	wantTo(t, b.post("/settings/email/resend"), "/settings/email?done=saved")
	link := pathIn(t, at.Wait(t, 2)[1], "/confirm/")
	reader := w.browser() // the link can be opened in another browser without a session
	want(t, reader.get(first), http.StatusGone, "no longer valid")
	for range 2 {
		want(t, reader.get(link), http.StatusOK, "ann@example.com", "@ann", "Confirm</button>")
	}
	want(t, reader.post(link), http.StatusOK, "is now the e-mail address of @ann")
	want(t, reader.get(link), http.StatusGone, "no longer valid")
	want(t, b.get("/settings/email"), http.StatusOK, "ann@example.com (confirmed)")
	want(t, b.post("/settings/email", "email", "x", "password", password), http.StatusUnprocessableEntity, "must be a valid e-mail address", `value="x"`)
	want(t, b.post("/settings/email", "email", "ann@bücher.example", "password", "wrong"), http.StatusUnprocessableEntity, `value="ann@bücher.example"`)
	wantTo(t, b.post("/settings/email", "email", "ann@bücher.example", "password", password), "/settings/email?done=saved")
	at.Wait(t, 3)
	want(t, b.get("/settings/email"), http.StatusOK, "ann@example.com (confirmed)", "We sent a link to ann@bücher.example")
	want(t, w.browser().get("/settings/email"), http.StatusSeeOther)
}

// TestForgotten checks that a forgotten password can be reset with an e-mailed link. Every request
// gets the same response, so it does not reveal which accounts exist.
func TestForgotten(t *testing.T) {
	w, at := mailWorld(t)
	u, err := w.svc.Identity.SignUp(t.Context(), linnet.SignUp{Login: "ann", Password: password, Email: "ann@example.com", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	want(t, b.post(pathIn(t, at.Wait(t, 1)[0], "/confirm/")), http.StatusForbidden) // without opening the page first
	b.get(pathIn(t, at.Wait(t, 1)[0], "/confirm/"))
	want(t, b.post(pathIn(t, at.Wait(t, 1)[0], "/confirm/")), http.StatusOK)
	want(t, b.get("/login"), http.StatusOK, `href="/forgot"`)
	want(t, b.get("/forgot"), http.StatusOK, "Send link")
	want(t, b.post("/forgot", "email", "ann"), http.StatusUnprocessableEntity, `id="email-wrong"`, `value="ann"`)
	known := b.post("/forgot", "email", "ann@example.com")
	b.get("/forgot")
	unknown := b.post("/forgot", "email", "nobody@example.com")
	want(t, known, http.StatusOK, "If this address belongs to an account and is confirmed, we've sent a link to it.")
	if known.body != unknown.body {
		t.Errorf("who is known is answered\n%s\nand who is not\n%s", known.body, unknown.body)
	}
	link := pathIn(t, at.Wait(t, 2)[1], "/reset/")
	want(t, b.get(link), http.StatusOK, "Set a new password")
	wantTo(t, b.post(link, "password", "another horse battery", "again", "another horse battery"), "/login")
	if _, err := w.svc.Identity.Authenticate(t.Context(), "ann", "another horse battery"); err != nil {
		t.Errorf("@%s: %v", u.Login, err)
	}
	want(t, w.browser().logIn2(t, "another horse battery").get("/settings/security"), http.StatusOK, "We sent a link to reset your password to your e-mail address.")
}

// logIn2 logs in as ann with the given password.
func (b *browser) logIn2(t *testing.T, with string) *browser {
	t.Helper()
	b.get("/login")
	want(t, b.post("/login", "login", "ann", "password", with), http.StatusSeeOther)
	return b
}

// TestSignUpWithEmail checks that the sign-up form asks for a required address, and that login
// needs its confirmation.
func TestSignUpWithEmail(t *testing.T) {
	w, at := mailWorld(t)
	w.open()
	yes := true // on a private instance too
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Private: &yes}); err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	want(t, b.get("/forgot"), http.StatusOK)
	want(t, b.get("/signup"), http.StatusOK, "We'll send you a link to activate your account.")
	want(t, b.post("/signup", "login", "ann", "password", password, "again", password), http.StatusUnprocessableEntity, `id="email-wrong"`)
	want(t, b.post("/signup", "login", "ann", "email", "ann@example.com", "password", password, "again", password), http.StatusOK, "Confirm your e-mail address", "ann@example.com")
	at.Wait(t, 1)
	b.get("/login")
	want(t, b.post("/login", "login", "ann", "password", password), http.StatusUnprocessableEntity, "Confirm your e-mail address first", `href="/confirm?name=ann"`)
	first := pathIn(t, at.Wait(t, 2)[1], "/confirm/")
	want(t, b.get("/confirm?name=ann"), http.StatusOK, `value="ann"`)
	want(t, b.post("/confirm", "login", "ann", "password", "wrong horse", "email", "ann@example.org"), http.StatusUnprocessableEntity, "Incorrect username or password.", `value="ann@example.org"`)
	want(t, b.post("/confirm", "login", "ann", "password", password, "email", "ann@"), http.StatusUnprocessableEntity, `id="email-wrong"`)
	want(t, b.post("/confirm", "login", "@ann", "password", password, "email", "ann@example.org"), http.StatusOK, "ann@example.org")
	mended := at.Wait(t, 3)[2]
	if mended.To != "ann@example.org" {
		t.Errorf("the link goes to %s", mended.To)
	}
	want(t, b.get(first), http.StatusGone)
	link := pathIn(t, mended, "/confirm/")
	b.get(link)
	want(t, b.post(link), http.StatusOK)
	b.get("/login")
	wantTo(t, b.post("/login", "login", "ann", "password", password), "/")
	other := w.browser()
	other.get("/confirm")
	want(t, other.post("/confirm", "login", "ann", "password", password, "email", "ann@example.net"), http.StatusUnprocessableEntity, "This account has no e-mail address to confirm. To change your address, log in and go to the settings.")
	for range 10 {
		other.post("/confirm", "login", "ann", "password", "wrong horse", "email", "ann@example.net")
	}
	want(t, other.post("/confirm", "login", "ann", "password", "wrong horse", "email", "ann@example.net"), http.StatusTooManyRequests, `role="alert"`, `value="ann@example.net"`)
}

// TestPagesWithoutMail checks that the pages explain how to recover an account if e-mail is not
// configured.
func TestPagesWithoutMail(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	w.user("ann")
	want(t, w.browser().get("/forgot"), http.StatusOK, "administrators")
	want(t, w.browser().logIn("ann").get("/settings/email"), http.StatusOK, "This server doesn't send e-mail")
	if a := w.browser().get("/signup"); strings.Contains(a.body, `name="email"`) {
		t.Error("an address is asked for")
	}
}

// TestUnsubscribe checks that a digest can be unsubscribed with the button of its page. It also
// accepts the one-click request of mail clients, without cookies or a form token. Opening the link
// changes nothing, and no other page accepts such requests.
func TestUnsubscribe(t *testing.T) {
	w, at := mailWorld(t)
	u, err := w.svc.Identity.SignUp(t.Context(), linnet.SignUp{Login: "ann", Password: password, Email: "ann@example.com", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	link := pathIn(t, at.Wait(t, 1)[0], "/confirm/")
	b.get(link)
	want(t, b.post(link), http.StatusOK)
	ann := w.browser().logIn("ann")
	want(t, ann.get("/settings/email"), http.StatusOK, "A weekly summary of notifications you haven't seen", "A login from a new browser")
	wantTo(t, ann.post("/settings/email/mails", "digest", "1"), "/settings/email?done=saved")
	wished := func() bool {
		t.Helper()
		e, err := w.svc.Emails.State(t.Context(), u.ID)
		if err != nil {
			t.Fatal(err)
		}
		return len(e.Mails) == 1 && e.Mails[0] == linnet.MailDigest
	}
	if !wished() {
		t.Fatal("it is not wished")
	}
	sec, err := store.New(w.engine, store.Options{}).Accounts.Secret(t.Context(), u.ID)
	if err != nil {
		t.Fatal(err)
	}
	path := "/unsubscribe/" + u.ID.String() + "-" + sec.Mail.Stop
	want(t, w.browser().get(path), http.StatusOK, "Unsubscribe")
	if !wished() {
		t.Error("opening the page ends it")
	}
	oneClick := func(path string) answer {
		return w.browser().do(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader("List-Unsubscribe=One-Click"))
	}
	want(t, oneClick("/unsubscribe/"+u.ID.String()+"-x"), http.StatusGone)
	want(t, oneClick("/settings/email/mails"), http.StatusForbidden)
	want(t, oneClick(path), http.StatusOK, "no longer gets the weekly summary.")
	want(t, oneClick(path), http.StatusOK)
	if wished() {
		t.Error("it is still wished")
	}
	for _, rt := range web.Routes() {
		if rt.Foreign != (rt.Pattern == "/unsubscribe/{token}") {
			t.Errorf("%s takes posts from elsewhere: %v", rt.Pattern, rt.Foreign)
		}
	}
}

// TestNewBrowserIsReported checks that the member gets an e-mail about the first login from another
// browser, and none about later ones.
func TestNewBrowserIsReported(t *testing.T) {
	w, at := mailWorld(t)
	_, err := w.svc.Identity.SignUp(t.Context(), linnet.SignUp{Login: "ann", Password: password, Email: "ann@example.com", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser()
	link := pathIn(t, at.Wait(t, 1)[0], "/confirm/")
	b.get(link)
	want(t, b.post(link), http.StatusOK)
	b.logIn("ann").logIn("ann")
	w.browser().logIn("ann")
	if m := at.Wait(t, 2)[1]; m.Header.Get("Subject") != "New login to your account" {
		t.Errorf("told of as %s", m.Raw)
	}
	b.logIn("ann")
	eventually(t, "tasks end", w.svc.Idle)
	if n := len(at.Mails()); n != 2 {
		t.Errorf("%d mails, want 2", n)
	}
}
