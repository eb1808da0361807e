package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"linnet/internal/linnet"
)

func TestSignUpBlockPage(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/settings/signup/blocks"), http.StatusOK, "No sign-up rules yet.")
	want(t, b.post("/admin/settings/signup/blocks", "kind", "address", "value", "300.1.1.1", "note", "typed"), http.StatusUnprocessableEntity, `is &#34;300.1.1.1&#34;, but must be an address`, `value="typed"`)
	wantTo(t, b.post("/admin/settings/signup/blocks", "kind", "address", "value", "192.0.2.1/24", "expires", "24", "note", "from here"), "/admin/settings/signup/blocks?done=saved")
	guest := w.browser()
	want(t, guest.get("/signup"), http.StatusOK)
	want(t, guest.post("/signup", "login", "bob", "password", password, "again", password), http.StatusUnprocessableEntity, "You can't sign up here at the moment. Ask the administrators for an account.", `value="bob"`)
	a := b.get("/admin/settings/signup/blocks")
	want(t, a, http.StatusOK, "192.0.2.0/24", "from here", "blocked")
	id := regexp.MustCompile(`name="id" value="([0-9]+)"`).FindStringSubmatch(a.body)[1]
	wantTo(t, b.post("/admin/settings/signup/blocks/remove", "id", id), "/admin/settings/signup/blocks?done=saved")
	want(t, guest.get("/signup"), http.StatusOK)
	wantTo(t, guest.post("/signup", "login", "bob", "password", password, "again", password), "/")
	want(t, b.get("/admin/audit"), http.StatusOK, "block sign-up", "address 192.0.2.0/24: sign-up is blocked, until", "unblock sign-up")
}
