package web_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestGroupsWithoutScripts checks that groups work without scripts. It creates a group, invites and
// admits a member, removes a post and leaves the group.
func TestGroupsWithoutScripts(t *testing.T) {
	w := served(t)
	w.user("ann")
	w.user("bob")
	ann, bob := newTab(t), newTab(t)
	for login, tb := range map[string]*tab{"ann": ann, "bob": bob} {
		tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
		tb.width(375)
		tb.logIn(w, login)
	}
	idle := func() { t.Helper(); eventually(t, "tasks end", w.svc.Idle) }

	ann.foundsWatch(w)
	idle()

	bob.open(w.base + "/notifications")
	bob.press(".happened h3 a[href='/@night_watch']")
	bob.shows("You've been invited to join", "Only members can see")
	bob.press("button[value=join]")
	idle()
	bob.open(w.base + "/@night_watch")
	bob.shows("owls at two", "2 members")
	bob.typeInto("#text", "@night_watch I saw the fox")
	bob.press(".composer .button")
	idle()
	bob.open(w.base + "/groups")
	bob.shows("You're a member", "Night watch")

	ann.open(w.base + "/@night_watch")
	ann.shows("I saw the fox")
	ann.press("a[href$='/remove']")
	ann.shows("Remove this post from the group?", "I saw the fox")
	ann.press(".card .button")
	idle()
	ann.open(w.base + "/@night_watch")
	if strings.Contains(ann.eval("document.body.innerText"), "the fox") {
		t.Error("what was taken out is in the group")
	}
	ann.open(w.base + "/groups/night_watch/members")
	ann.press("button[value=promote]")
	ann.shows("moderator")

	bob.open(w.base + "/@night_watch")
	bob.shows("you're a moderator", "Bans")
	bob.press("a[href$='/leave']")
	bob.press(".card .button")
	bob.shows("Only members can see", "Request to join")
	for _, tb := range []*tab{ann, bob} {
		for _, fault := range tb.complaints() {
			if strings.Contains(fault, "status of 422") { // the rejected name
				continue
			}
			t.Errorf("the browser complains: %s", fault)
		}
	}
}

// foundsWatch creates a private group with an invitation for bob, and posts to it.
func (tb *tab) foundsWatch(w *world) {
	tb.t.Helper()
	tb.open(w.base + "/groups")
	tb.shows("You haven't joined any groups yet")
	tb.press(".head .button")
	tb.eval("(document.querySelector('[value=private]').checked = true, 1)")
	tb.typeInto("#login", "night watch")
	tb.typeInto("#name", "Night watch")
	tb.press(".card .button")
	tb.shows("must contain only letters")
	tb.typeInto("#login", "night_watch")
	tb.typeInto("#invite", "@bob")
	tb.press(".card .button")
	tb.shows("Night watch", "private group", "you're an owner")
	tb.typeInto("#text", "@night_watch owls at two")
	tb.press(".composer .button")
}

// furnishGroups creates a public group of ann with bob as a member, and a private one with bob's
// request. It returns their pages, public ones first.
func (w *world) furnishGroups() []string {
	w.t.Helper()
	ctx, ann, bob := w.t.Context(), w.named("ann"), w.named("bob")
	for login, kind := range map[string]linnet.GroupKind{"flock": linnet.PublicGroup, "watch": linnet.PrivateGroup} {
		g, err := w.svc.Groups.CreateGroup(ctx, ann, linnet.NewGroup{Login: login, Name: "About the " + login, Note: "Everything that flies", Kind: kind})
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := w.svc.Social.Follow(ctx, bob, g.ID, linnet.FollowOptions{}); err != nil {
			w.t.Fatal(err)
		}
	}
	st := w.post(bob, linnet.Draft{Text: "@flock a wren"})
	eventually(w.t, "tasks end", w.svc.Idle)
	return []string{"/@flock", "/@watch", "/groups/flock/members", "/groups", "/groups/find", "/groups/find?q=w", "/groups/new", "/groups/watch/requests",
		"/groups/flock/invite", "/groups/flock/bans", "/groups/flock/edit", "/groups/flock/delete", "/groups/flock/leave", "/groups/flock/owner?person=bob",
		"/groups/flock/posts/" + st.ID.String() + "/remove"}
}

// groupsAreAccessible checks that axe finds no faults on group pages.
func groupsAreAccessible(t *testing.T) {
	script := axe(t)
	w := served(t)
	w.user("ann")
	w.user("bob")
	pages := w.furnishGroups()
	readers := map[string]*tab{"": newTab(t)}
	for _, login := range []string{"ann", "bob"} {
		readers[login] = newTab(t)
		readers[login].enters(w, login)
	}
	for who, paths := range map[string][]string{"": pages[:2], "bob": {"/groups", "/groups/find", "/@flock"}, "ann": slices.Concat(pages[:1], pages[2:4], pages[6:])} {
		for _, path := range paths {
			readers[who].sound(w, script, path)
		}
	}
}
