package web

import (
	"net/http"
	"strconv"
	"testing"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

func TestSignUpClosed(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.browser()
	want(t, b.get("/signup"), http.StatusForbidden, "Sign-up is closed", `href="/login"`)
	b.get("/login")
	want(t, b.post("/signup", "login", "eve", "password", password, "again", password), http.StatusForbidden)
	if _, err := w.svc.View.UserByLogin(t.Context(), 0, "eve"); err == nil {
		t.Error("the account was made")
	}
}

func TestSignUp(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("taken")
	w.open("Be kind", "Sing softly")
	b := w.browser()
	want(t, b.get("/signup"), http.StatusOK, "Be kind", "Sing softly", "I agree to these rules")

	want(t, b.post("/signup", "login", "bob", "password", password, "again", password),
		http.StatusUnprocessableEntity, `id="agreed-wrong"`, `value="bob"`)
	want(t, b.post("/signup", "login", "Taken", "password", password, "again", password, "agreed", "1"),
		http.StatusUnprocessableEntity, `id="login-wrong"`, "taken")
	wantTo(t, b.post("/signup", "login", "bob", "password", password, "again", password, "agreed", "1"), "/#connect")
	want(t, b.get("/"), http.StatusOK, "@bob</a>", "Log out")
}

func TestSignUpWithoutRules(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	b := w.browser()
	b.get("/signup")
	wantTo(t, b.post("/signup", "login", "bob", "password", password, "again", password), "/#connect")
}

func TestSignUpThrottled(t *testing.T) {
	w := newLimitedWorld(t, loopbackURL, nil, core.Rates{})
	w.open()
	for i := range 5 {
		b := w.browser()
		b.get("/signup")
		want(t, b.post("/signup", "login", "bob"+strconv.Itoa(i), "password", password, "again", password), http.StatusSeeOther)
	}
	b := w.browser()
	b.get("/signup")
	a := b.post("/signup", "login", "bobby", "password", password, "again", password)
	want(t, a, http.StatusTooManyRequests)
	if a.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// Where a moderator decides, the form says so and asks for a reason; whoever has
// asked waits, and cannot log in before.
func TestSignUpByApproval(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.register(linnet.RegisterApproval)
	b := w.browser()
	want(t, b.get("/signup"), http.StatusOK, "A moderator reads each request", `name="reason"`, "Ask for an account")
	want(t, b.post("/signup", "login", "bob", "password", password, "again", password), http.StatusUnprocessableEntity, `id="reason-wrong"`)
	want(t, b.post("/signup", "login", "bob", "password", password, "again", password, "reason", "I like birds."),
		http.StatusOK, "@bob", "is with the moderators")
	b.get("/login")
	want(t, b.post("/login", "login", "bob", "password", password), http.StatusUnprocessableEntity, "Your account waits for approval")
	want(t, b.get("/@bob"), http.StatusNotFound)
	w.operate("bob", linnet.Measure{Act: linnet.Approve})
	b.get("/login")
	wantTo(t, b.post("/login", "login", "bob", "password", password), "/")
}
