package web_test

import (
	"net/http"
	"regexp"
	"strings"
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

// TestInvitationCarriesCollection checks that new members can follow the collection of their
// invitation.
func TestInvitationCarriesCollection(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.role("ann", linnet.Admin)
	w.register(linnet.RegisterInvite)
	name := "Marsh <birds>"
	v, err := w.svc.Social.Collections.Create(t.Context(), ann.ID, linnet.CollectionChange{Name: &name}, []linnet.ID{bob.ID})
	if err != nil {
		t.Fatal(err)
	}
	b, other := w.browser().logIn("ann"), w.browser().logIn("bob")
	if strings.Contains(other.get("/admin/invites").body, `name="collection"`) {
		t.Error("a member without collections can choose one")
	}
	want(t, b.get("/admin/invites"), http.StatusOK, `name="collection"`, `<option value="`+v.ID.String()+`">Marsh &lt;birds&gt;`)
	want(t, b.post("/admin/invites", "uses", "1", "expires", "24", "collection", bob.ID.String()), http.StatusUnprocessableEntity, `id="f-collection-wrong"`)
	a := b.post("/admin/invites", "uses", "1", "expires", "24", "collection", v.ID.String())
	link := invitation.FindStringSubmatch(a.body)[1]
	guest := w.browser()
	want(t, guest.get(link), http.StatusOK, "follow all accounts in the collection", "Marsh &lt;birds&gt;")
	wantTo(t, guest.post(link, "login", "cat", "password", password, "again", password), "/")
	path := "/collections/" + v.ID.String()
	want(t, guest.get("/"), http.StatusOK, "Collection from your invitation", `action="`+path+`"`)
	wantTo(t, guest.post(path, "act", "follow"), path)
	cat, err := w.svc.View.UserByLogin(t.Context(), 0, "cat")
	if err != nil {
		t.Fatal(err)
	}
	rels, err := w.svc.Social.Relationships(t.Context(), cat.ID, []linnet.ID{bob.ID})
	if err != nil || len(rels) != 1 || !rels[0].Following {
		t.Errorf("relations %+v, %v", rels, err)
	}
	if err := w.svc.Social.Collections.Delete(t.Context(), ann.ID, v.ID); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(guest.get("/").body, "Collection from your invitation") {
		t.Error("a deleted collection is offered")
	}
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
	want(t, a, http.StatusOK, "0 of 2", "at most 1 open invitation")
	link := invitation.FindStringSubmatch(a.body)[1]
	want(t, w.browser().get(link), http.StatusOK)
	want(t, b.post("/settings/invites", "uses", "1", "expires", "24"), http.StatusUnprocessableEntity, "You can have 1 open invitation at a time. Revoke it, or wait until it's used.")
	wantTo(t, b.post("/settings/invites/revoke", "invite", link[len("/invite/"):]), "/settings/invites?done=saved")
	want(t, w.browser().get(link), http.StatusGone)
	w.role("ann", linnet.Moderator)
	wantTo(t, b.get("/settings/invites"), "/admin/invites")
}
