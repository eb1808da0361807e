package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"linnet/internal/linnet"
)

var invitation = regexp.MustCompile(`(?s)Invitation created\..*?value="http://127.0.0.1:8420(/invite/[a-z2-7]{16})"`)

// TestFirstInvitationLetsIn checks that the first invitation after setup works, although sign-up is
// closed by default.
func TestFirstInvitationLetsIn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	path := "/setup/" + w.setupToken()
	b := w.browser()
	b.get(path)
	wantTo(t, b.post(path, "login", "ann", "password", password, "again", password), "/admin/start")
	want(t, b.get("/admin/start"), http.StatusOK, "<h1 dir=\"auto\">First steps</h1>", "Name your server", "Invite people")
	want(t, b.get("/admin/invites"), http.StatusOK, "Creating an invitation opens it to invited people", "Open sign-up to invited people and create invitation")
	a := b.post("/admin/invites", "uses", "1", "expires", "168")
	want(t, a, http.StatusOK, "Sign-up is now open to invited people.")
	link := invitation.FindStringSubmatch(a.body)[1]
	guest := w.browser()
	want(t, guest.get(link), http.StatusOK, "<bdi>ann</bdi> invited you to <bdi>Linnet</bdi>")
	wantTo(t, guest.post(link, "login", "bob", "password", password, "again", password), "/")
	want(t, w.browser().get("/signup"), http.StatusForbidden)
	want(t, b.get("/admin/audit"), http.StatusOK, "registrations", "create invitation")

	wantTo(t, b.post("/admin/settings", "title", "Birds", "description", "For birds."), "/admin/settings?done=saved")
	b.get("/admin/settings")
	wantTo(t, b.post("/admin/settings/rules", "rules", "Be kind."), "/admin/settings/rules?done=saved")
	b.get("/admin/settings")
	wantTo(t, b.post("/admin/settings/signup", "registrations", "closed", "invite_uses", "5", "invite_days", "30"), "/admin/settings/signup?done=saved")
	want(t, b.get("/admin"), http.StatusOK, "First steps", "3 of 4 steps done")
	w.role("bob", linnet.Moderator)
	want(t, guest.get("/admin/invites"), http.StatusOK, "An administrator can open it")
	want(t, guest.post("/admin/invites", "uses", "1", "expires", "24"), http.StatusForbidden, "Sign-up is closed")
	want(t, guest.get("/admin/start"), http.StatusNotFound)
}

// TestMemberInvites checks that members have a page of invitations if the administrator allows them
// to invite.
func TestMemberInvites(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.register(linnet.RegisterInvite)
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/invites"), http.StatusNotFound)
	b.get("/settings/profile")
	want(t, b.post("/settings/invites", "uses", "1", "expires", "24"), http.StatusForbidden)
	one := 1
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Invites: &one}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/settings/profile"), http.StatusOK, `href="/settings/invites"`)
	want(t, b.get("/settings/invites"), http.StatusOK, "At most 1 of your invitations can be open", "No invitations yet.")
	want(t, b.post("/settings/invites", "uses", "99", "expires", "24"), http.StatusUnprocessableEntity, `id="f-uses-wrong"`, `value="99"`)
	a := b.post("/settings/invites", "uses", "2", "expires", "24")
	want(t, a, http.StatusOK, "0 of 2", "the maximum")
	link := invitation.FindStringSubmatch(a.body)[1]
	want(t, w.browser().get(link), http.StatusOK)
	want(t, b.post("/settings/invites", "uses", "1", "expires", "24"), http.StatusUnprocessableEntity, "You can have 1 open invitation at a time. Revoke it, or wait until it's used.")
	wantTo(t, b.post("/settings/invites/revoke", "invite", link[len("/invite/"):]), "/settings/invites?done=saved")
	want(t, w.browser().get(link), http.StatusGone)
	w.role("ann", linnet.Moderator)
	wantTo(t, b.get("/settings/invites"), "/admin/invites")
}
