package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/social"
)

func pointsOfWelcome() []point {
	return []point{
		{65, "an invitation page shows the inviter, the server's banner and description, and the rules", []proof{
			{"parts", invitationPageTells}, {"browser", invitationPageShows}}},
		{66, "new links have a Copy button and a QR code, and never wrap", []proof{
			{"fields", newLinksAreFields}, {"browser", newLinksAreCopied}}},
		{67, "new members land on their home timeline with the inviter, five people to follow, and a picture and name to set", []proof{
			{"landing", newMembersAreWelcomed}}},
		{68, "a form reports all errors at once", []proof{
			{"sign-up", signUpShowsAllFaults}, {"forms", formsShowAllFaults}}},
	}
}

func pointsOfGroups() []point {
	return []point{
		{79, "requests to join a group are rows with Accept and Decline, and commands to the group never appear", []proof{
			{"pages", requestsWithoutCommands}, {"rows", requestsAreRows}, {"invitations", invitationsAreRows}, {"readers", questionsAreForReaders}}},
	}
}

// invitation returns the path of a new invitation by a user. An empty login stands for the
// operator.
func (w *world) invitation(by string) string {
	w.t.Helper()
	i, err := w.svc.Invites.Create(w.t.Context(), linnet.Operator(), linnet.InviteDraft{By: by, Uses: 9})
	if err != nil {
		w.t.Fatal(err)
	}
	return "/invite/" + i.Code
}

// invitationPageTells checks the parts of an invitation page, for invitations by users and by the
// operator. A deleted inviter is not shown.
func invitationPageTells(t *testing.T) {
	w := newWorld(t, publicURL)
	name, title, about := "Ann <Finch>", "The Aviary", "A place for birds."
	ann := w.user("ann")
	w.register(linnet.RegisterInvite, "Be kind.", "No hawks.")
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Title: &title, Description: &about}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	path := w.invitation("ann")
	a := w.browser().get(path)
	want(t, a, http.StatusOK, "<bdi>Ann &lt;Finch&gt;</bdi> invited you to <bdi>The Aviary</bdi>", "@ann", `class="avatar big"`, about, "Be kind.", "No hawks.", "I agree to these rules",
		`class="site-banner"`, `property="og:title" content="You&#39;re invited to The Aviary"`)
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	b.get("/admin/settings/pictures")
	wantTo(t, b.send("/admin/settings/pictures", map[string][][]byte{"thumbnail": {aPicture(2400, 1260)}}), "/admin/settings?done=saved")
	want(t, w.browser().get(path), http.StatusOK, `class="site-banner" src="/media/`)
	a = w.browser().get(w.invitation(""))
	want(t, a, http.StatusOK, "You&#39;re invited to <bdi>The Aviary</bdi>", about)
	if strings.Contains(a.body, "avatar big") {
		t.Error("an invitation by the operator shows a face")
	}
	guest := w.browser()
	guest.get(path)
	want(t, guest.post(path, "login", "x y", "password", password, "again", password), http.StatusUnprocessableEntity, "invited you to", "must contain only letters", "You must agree to the rules.")
	if err := w.svc.Social.Deletion.DeleteUser(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	want(t, w.browser().get(path), http.StatusGone)
}

// invitationPageShows checks an invitation page in the browser, at phone and desktop sizes.
func invitationPageShows(t *testing.T) {
	w := served(t)
	w.user("ann")
	w.register(linnet.RegisterInvite, "Be kind.")
	path := w.invitation("ann")
	tb := newTab(t)
	tb.sound(w, axe(t), path)
	for _, px := range []int{320, 1280} {
		tb.size(px, 800)
		tb.open(w.base + path)
		tb.shows("ann invited you to Linnet", "Be kind.", "Sign up")
		if tb.eval("(f => f.complete && f.naturalWidth > 0 && f.getBoundingClientRect().bottom < innerHeight)(document.querySelector('.invited .avatar'))") != "true" {
			t.Errorf("the inviter isn't visible at %d px", px)
		}
		tb.pictured(fmt.Sprint("invitation-", px))
	}
	tb.calm()
}

// newLinksAreFields checks that new links are in fields that can be selected, with a QR code.
// Invitations that can't be used any more have no link.
func newLinksAreFields(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	w.register(linnet.RegisterInvite)
	const field = `<input class="link" readonly value="` + loopbackURL
	b := w.browser().logIn("ann")
	b.get("/admin/invites")
	a := b.post("/admin/invites", "uses", "1", "expires", "24")
	want(t, a, http.StatusOK, field+"/invite/", `<svg class="qr" role="img" aria-label="QR code of the link"`)
	link := invitation.FindStringSubmatch(a.body)[1]
	wantTo(t, b.press("/admin/invites/revoke", "invite", strings.TrimPrefix(link, "/invite/")), "/admin/invites?done=saved")
	if a := b.get("/admin/invites"); strings.Contains(a.body, field) || strings.Contains(a.body, `class="qr"`) {
		t.Error("a revoked invitation is shown as a link")
	}
	b.get("/admin/users/bob/password")
	want(t, b.post("/admin/users/bob/password", "password", password, "text", "asked"), http.StatusOK, "Give this link to @bob", field+"/reset/", `class="qr"`)
}

// newLinksAreCopied checks the button next to a new invitation in the browser. The link is on one
// line at all widths.
func newLinksAreCopied(t *testing.T) {
	w := served(t)
	w.user("ann")
	w.role("ann", linnet.Admin)
	w.register(linnet.RegisterInvite)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.sound(w, axe(t), "/admin/invites")
	tb.open(w.base + "/admin/invites")
	tb.press(".desk form .button")
	tb.holds("document.querySelectorAll('.share button').length == 1")
	link := tb.eval("document.querySelector('.share .link').value")
	tb.eval("(navigator.clipboard.writeText = async (text) => { window.copied = text; }, 1)") // windows in the background can't read the clipboard
	tb.clicks(".share button")
	tb.holds("document.querySelector('.flash').innerText == 'Copied.' && window.copied == %q", link)
	if !strings.HasPrefix(link, w.base+"/invite/") {
		t.Errorf("the link is %q", link)
	}
	for _, px := range []int{320, 390, 1280, 1920} {
		tb.size(px, 800)
		tb.holds("[...document.querySelectorAll('.link')].every((e) => e.getBoundingClientRect().height < 48) && document.documentElement.scrollWidth <= innerWidth")
		tb.pictured(fmt.Sprint("link-", px))
	}
	tb.calm()
}

// newMembersAreWelcomed checks the home page after a sign-up with an invitation, without scripts.
// The welcome offers the inviter and five others to follow, and can be closed.
func newMembersAreWelcomed(t *testing.T) {
	w := served(t)
	w.user("ann")
	listed := true
	for i := range 7 {
		u := w.user(fmt.Sprint("bird", i))
		if _, err := w.svc.Social.Profiles.Update(t.Context(), u.ID, linnet.ProfileChange{Discoverable: &listed}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	w.register(linnet.RegisterInvite)
	tb := newTab(t)
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.size(390, 800)
	tb.open(w.base + w.invitation("ann"))
	tb.typeInto("#login", "robin")
	tb.typeInto("#password", password)
	tb.typeInto("#again", password)
	tb.press("main form .button")
	tb.shows("Welcome, robin", "ann invited you", "Set your picture and name", "People to follow")
	if got := tb.eval("location.pathname + location.hash + ' ' + document.querySelectorAll('.welcome .person').length + ' ' + scrollY"); got != "/ 6 0" {
		t.Errorf("a new member lands at %s", got)
	}
	tb.pictured("welcome")
	tb.press(".welcome [action='/@ann'] button")
	tb.open(w.base + "/")
	if got := tb.eval("document.querySelector(\".welcome [action='/@ann'] button\").value"); got != "unfollow" {
		t.Errorf("the button next to the followed inviter sends %q", got)
	}
	tb.press(".welcome .you a")
	if got := tb.eval("location.pathname"); got != "/settings/profile" {
		t.Errorf("the link to the profile leads to %s", got)
	}
	tb.open(w.base + "/")
	tb.press(".welcome [action='/welcome'] button")
	if tb.eval("document.querySelectorAll('.welcome').length") != "0" {
		t.Error("the welcome can't be closed")
	}
	tb.calm()
	other := newTab(t) // without an invitation, there is no welcome
	other.enters(w, "ann")
	other.open(w.base + "/")
	if other.eval("document.querySelectorAll('.welcome').length") != "0" {
		t.Error("a member without an invitation is welcomed")
	}
}

// requestsWithoutCommands checks that pages never show the commands with which apps answer join
// requests, nor the replies that explain commands.
func requestsWithoutCommands(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, cat := w.user("ann"), w.user("cat")
	w.privateGroup(ann.ID, cat.ID)
	for _, words := range []string{"/help", "/accept @cat", "/remove it", "/sing"} {
		w.post(ann.ID, linnet.Draft{Text: "@watch " + words, Visibility: vis(linnet.Direct)})
		eventually(t, "the group replies", w.svc.Idle)
	}
	all, err := w.svc.Posting.Conversations.List(t.Context(), ann.ID, linnet.Page{Limit: 1})
	if err != nil || len(all.Items) != 1 {
		t.Fatal(all, err)
	}
	talk := "/messages/" + all.Items[0].ID.String()
	b := w.browser().logIn("ann")
	for _, path := range []string{"/messages", "/notifications", talk, "/@watch", "/groups/watch/requests"} {
		a := b.get(path)
		for _, command := range []string{"/accept @", "/reject @", "/help", "/remove http", "/sing"} {
			if strings.Contains(a.body, command) {
				t.Errorf("%s shows the command %q", path, command)
			}
		}
	}
	want(t, b.get(talk), http.StatusOK, "requested to join", "Accepted", "cat is now a member.", `href="/@watch">Go to the group`)
}

// requestsAreRows checks that requests to join can be answered in the list of messages, in the
// conversation, in the notifications and on the group's page, with and without scripts.
func requestsAreRows(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	var asking []linnet.ID
	for i := range 8 {
		asking = append(asking, w.user(fmt.Sprint("bird", i)).ID)
	}
	g := w.privateGroup(ann.ID)
	for n, tb := range []*tab{w.withoutScripts("ann"), newTab(t)} {
		if n == 1 {
			tb.enters(w, "ann")
		}
		tb.size([]int{375, 1280}[n], 800)
		for i, path := range []string{"/messages", "/messages", "/notifications", "/@watch"} {
			who := asking[4*n+i]
			w.follows(who, g.ID)
			eventually(t, "tasks end", w.svc.Idle)
			tb.open(w.base + path)
			if i == 1 {
				tb.press(".talklist .line-of")
			}
			tb.pictured(fmt.Sprint("request-", i))
			act := []string{"accept", "reject"}[i%2]
			tb.press("main [action='/groups/watch/members'] [value=" + act + "]")
			eventually(t, "tasks end", w.svc.Idle)
			if i == 1 {
				tb.shows("Accepted", "No longer pending")
			}
			if n := tb.eval("document.querySelectorAll('main .answers [value=accept]').length"); n != "0" {
				t.Errorf("%s still has %s requests", path, n)
			}
			rel := w.relation(who, g.ID)
			if rel.Requested || rel.Following != (act == "accept") {
				t.Errorf("%s on %s: %+v", act, path, rel)
			}
		}
		tb.calm()
	}
}

// invitationsAreRows checks that invitations to groups can be answered in the list of messages, in
// the conversation, in the notifications and on the page of groups, with and without scripts.
func invitationsAreRows(t *testing.T) {
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	name := "Bob Birder"
	if _, err := w.svc.Social.Profiles.Update(t.Context(), bob.ID, linnet.ProfileChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	made := 0
	for n, tb := range []*tab{w.withoutScripts("ann"), newTab(t)} {
		if n == 1 {
			tb.enters(w, "ann")
		}
		tb.size([]int{375, 1280}[n], 800)
		for i, path := range []string{"/messages", "/messages", "/notifications", "/groups"} {
			made++
			login := fmt.Sprint("nest_", made)
			kind := []linnet.GroupKind{linnet.Chat, linnet.PrivateGroup}[i%2]
			g, err := w.svc.Groups.CreateGroup(t.Context(), bob.ID, linnet.NewGroup{Login: login, Name: fmt.Sprint("The nest ", made), Kind: kind, Invite: []linnet.ID{ann.ID}})
			if err != nil {
				t.Fatal(err)
			}
			eventually(t, "tasks end", w.svc.Idle)
			tb.open(w.base + path)
			if i == 1 {
				tb.press(".talklist .line-of")
			}
			if i < 3 {
				tb.shows("invited you to join", g.Name)
			}
			if body := tb.eval("document.body.innerText"); strings.Contains(body, "invites you to join") || strings.Contains(body, "follow this account") {
				t.Errorf("%s shows the text for apps: %s", path, body)
			}
			tb.pictured(fmt.Sprint("invitation-", i))
			act := []string{"join", "leave"}[(i+n)%2]
			tb.press("main [action='/groups/" + login + "/membership'] [value=" + act + "]")
			eventually(t, "tasks end", w.svc.Idle)
			if i == 1 {
				tb.shows(map[string]string{"join": "Joined", "leave": "No longer pending"}[act])
			}
			if i < 3 && tb.eval("location.pathname") == "/groups" {
				t.Errorf("%s on %s leads to the groups", act, path)
			}
			mine, err := w.svc.Groups.GroupsAround(t.Context(), ann.ID)
			if err != nil || len(mine.Invited) > 0 {
				t.Errorf("%s on %s leaves %v, %v", act, path, mine.Invited, err)
			}
			in := slices.ContainsFunc(mine.In, func(in linnet.GroupIn) bool { return in.ID == g.ID })
			if in != (act == "join") {
				t.Errorf("%s on %s: member: %v", act, path, in)
			}
		}
		tb.calm()
	}
	want(t, w.browser().logIn("ann").get("/notifications"), http.StatusOK, "Bob Birder", "The nest 1")
}

// questionsAreForReaders checks that a message that looks like one of a group has no buttons, and
// that a reader who can no longer decide on a request sees none.
func questionsAreForReaders(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, cat := w.user("ann"), w.user("bob"), w.user("cat")
	g := w.privateGroup(bob.ID, cat.ID)
	w.post(bob.ID, linnet.Draft{Text: "@ann bob invites you to join the group @watch. To accept, follow this account.", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	if a := w.browser().logIn("ann").get("/messages"); strings.Contains(a.body, `value="join"`) {
		t.Error("a message by a user offers to join")
	}
	states, err := w.svc.Groups.Questions(t.Context(), bob.ID, []social.Question{{Group: g.ID, By: "cat"}, {Group: g.ID, By: "nosuch"}, {Group: 77, By: "cat"}, {Group: ann.ID, By: "cat"}})
	if err != nil || !states[0].Known || !states[0].Pending || states[0].By.ID != cat.ID || states[1].Known || states[2].Known || states[3].Known {
		t.Errorf("the states for the owner are %+v, %v", states, err)
	}
	if states, err = w.svc.Groups.Questions(t.Context(), ann.ID, []social.Question{{Group: g.ID, By: "cat"}}); err != nil || states[0].Known {
		t.Errorf("the states for others are %+v, %v", states, err)
	}
}

// privateGroup creates the group @watch of an owner, which other users request to join.
func (w *world) privateGroup(owner linnet.ID, asking ...linnet.ID) linnet.UserView {
	w.t.Helper()
	g, err := w.svc.Groups.CreateGroup(w.t.Context(), owner, linnet.NewGroup{Login: "watch", Name: "The watch", Kind: linnet.PrivateGroup})
	for _, who := range asking {
		if err == nil {
			_, err = w.svc.Social.Follow(w.t.Context(), who, g.ID, linnet.FollowOptions{})
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
	eventually(w.t, "tasks end", w.svc.Idle)
	return g
}

// formsShowAllFaults checks that each form with several fields shows the errors of all of them.
func formsShowAllFaults(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	ann := w.browser().logIn("ann")
	long := strings.Repeat("x", 20_000)
	for _, form := range []struct {
		path   string
		fields []string
		wrong  []string // ids of the fields
	}{
		{"/groups/new", []string{"login", "two words", "name", long, "note", long, "kind", "private", "invite", "nobody"}, []string{"login", "name", "note", "invite"}},
		{"/settings/profile", []string{"display_name", long, "note", long, "attribution", "no domain"}, []string{"f-display_name", "f-note", "f-attribution"}},
		{"/settings/password", []string{"old", "", "new", "x", "again", "y"}, []string{"new", "again"}},
		{"/admin/invites", []string{"uses", "1000000", "expires", "1000000"}, []string{"f-uses", "f-expires"}},
		{"/admin/announcements", []string{"text", "Hello", "starts_at", "soon", "ends_at", "late"}, []string{"f-starts_at", "f-ends_at"}},
		{"/admin/roles", []string{"name", long, "colour", "green"}, []string{"f-name", "f-colour"}},
		{"/admin/emoji", []string{"shortcode", "x", "category", long}, []string{"f-shortcode", "f-category", "f-image"}},
		{"/feeds/new", []string{"title", "", "order", "importance", "favourites", "900", "reblogs", "-1", "replies", "0", "half_life", "1", "window", "1"}, []string{"f-title", "f-favourites", "f-reblogs", "f-half_life", "f-window"}},
		{"/admin/settings", []string{"title", long, "description", long, "contact", "nobody"}, []string{"f-title", "f-description", "f-contact"}},
		{"/admin/settings/signup", []string{"registrations", "x", "new_days", "900", "invites", "900", "invite_uses", "0", "invite_days", "0"}, []string{"f-registrations", "f-new_days", "f-invites", "f-invite_uses", "f-invite_days"}},
		{"/admin/settings/look", []string{"accent_light", "x", "accent_dark", "y", "style", "@import 'x'"}, []string{"f-accent_light", "f-accent_dark", "f-style"}},
	} {
		ann.get(form.path)
		a := ann.post(form.path, form.fields...)
		var got []string
		for _, part := range strings.Split(a.body, ` id="`)[1:] {
			if id, _, _ := strings.Cut(part, `"`); strings.HasSuffix(id, "-wrong") {
				got = append(got, strings.TrimSuffix(id, "-wrong"))
			}
		}
		slices.Sort(got)
		slices.Sort(form.wrong)
		if a.StatusCode != http.StatusUnprocessableEntity || !slices.Equal(got, form.wrong) {
			t.Errorf("%s: status %d with errors of %q, want %q", form.path, a.StatusCode, got, form.wrong)
		}
	}
}
