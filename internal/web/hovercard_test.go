package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// cardsFollowProfiles checks that a card has the same response code as the profile for every
// viewer, shows the viewer's relation, and has a form that works without script.
func cardsFollowProfiles(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve, locked, bad := w.user("ann"), w.user("bob"), w.user("eve"), w.user("locked"), w.user("bad")
	ctx := t.Context()
	note, yes := "Watches <b>birds</b>", true
	for id, change := range map[linnet.ID]linnet.ProfileChange{bob.ID: {Note: &note}, locked.ID: {Locked: &yes}} {
		if _, err := w.svc.Social.Profiles.Update(ctx, id, change); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.svc.Social.Block(ctx, bob.ID, eve.ID); err != nil {
		t.Fatal(err)
	}
	w.follows(bob.ID, ann.ID)
	for login, kind := range map[string]linnet.GroupKind{"talk": linnet.Chat, "closed": linnet.PrivateGroup, "public": linnet.PublicGroup} {
		if _, err := w.svc.Groups.CreateGroup(ctx, bob.ID, linnet.NewGroup{Login: login, Name: "The " + login, Kind: kind}); err != nil {
			t.Fatal(err)
		}
	}
	w.operate("bad", linnet.Measure{On: bad.ID, Act: linnet.Suspend})
	eventually(t, "tasks end", w.svc.Idle)
	readers := map[string]*browser{"nobody": w.browser()}
	for _, login := range []string{"ann", "bob", "eve"} {
		readers[login] = w.browser().logIn(login)
	}
	for who, b := range readers {
		for _, login := range []string{"ann", "bob", "BOB", "locked", "bad", "talk", "closed", "public", "nosuch"} {
			card, profile := b.get("/@"+login+"/card"), b.get("/@"+login)
			if card.StatusCode != profile.StatusCode {
				t.Errorf("%s sees the card of %s with %d, the profile with %d", who, login, card.StatusCode, profile.StatusCode)
			}
			if card.StatusCode != http.StatusOK {
				continue
			}
			if !strings.HasPrefix(card.body, `<section class="hovercard"`) || strings.Contains(card.body, "<html") || !strings.Contains(card.Header.Get("X-Robots-Tag"), "noindex") {
				t.Errorf("the card of %s is %s", login, card.body)
			}
			if private := `href="/@talk`; login != "talk" && strings.Contains(card.body, private) {
				t.Errorf("the card of %s contains %s", login, private)
			}
		}
	}
	wantTo(t, readers["ann"].get("/@BOB/card"), "/@bob/card")
	want(t, readers["ann"].get("/@bob/card"), http.StatusOK, "Watches &lt;b&gt;birds&lt;/b&gt;", "follows you", "<strong>0</strong> followers", `value="follow"`)
	wantTo(t, readers["ann"].post("/@bob", "act", "follow"), "/@bob")
	want(t, readers["ann"].get("/@bob/card"), http.StatusOK, "you follow each other", `value="unfollow"`)
	want(t, readers["ann"].get("/@locked/card"), http.StatusOK, "Request to follow", "approves followers")
	want(t, readers["ann"].get("/@public/card"), http.StatusOK, "The public", "<strong>1</strong> member", "Join")
	want(t, readers["bob"].get("/@eve/card"), http.StatusOK, "Unblock")
	for _, reader := range []string{"nobody", "bob"} {
		if a := readers[reader].get("/@bob/card"); strings.Contains(a.body, "<form") {
			t.Errorf("%s gets a form on the card of bob", reader)
		}
	}
}

// rests moves the mouse to an element.
func (tb *tab) rests(selector string) {
	tb.t.Helper()
	x, y := tb.middleOf(selector)
	tb.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
}

// cardByMouse checks that a card appears for the picture, the name and the mention of a person, and
// stays while the pointer is on it. Escape, leaving and scrolling hide it, and it is read only
// once.
func cardByMouse(t *testing.T) {
	w, ann, bob := flock(t, 20)
	carl := w.user("carl")
	if _, err := w.svc.Social.Follow(t.Context(), carl.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "with @carl"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	const shown, hidden = "document.querySelector('.hovercard')?.ariaLabel == %q", "!document.querySelector('.hovercard')"
	const away = ".post .act.bookmark"
	tb.taps(".post h3 a bdi.handle")
	tb.holds("location.pathname == '/@bob'") // a touch only opens the profile
	tb.holds(hidden)
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	tb.requested()
	for _, selector := range []string{".post h3 a", ".post .face"} {
		tb.rests(selector)
		tb.holds(shown, "bob")
		tb.rests(away)
		tb.holds(hidden)
	}
	read := 0
	for _, path := range tb.requested() {
		if strings.Contains(path, "/@bob/card?") {
			read++
		}
	}
	if read != 1 {
		t.Errorf("the card was read %d times", read)
	}
	tb.rests(".post .text .mention")
	tb.holds(shown, "carl")
	tb.pictured("card")
	tb.rests(".hovercard h2")
	tb.eval("new Promise(done => setTimeout(done, 600))")
	tb.clicks(".hovercard [value=follow]")
	tb.holds("document.querySelector('.hovercard [value=unfollow]')?.ariaPressed == 'true' && !document.querySelector('[data-busy]')")
	tb.holds("document.querySelector('.hovercard .badge').textContent == 'you follow each other'")
	if rel := w.relation(ann.ID, carl.ID); !rel.Following {
		t.Error("the button on the card doesn't follow")
	}
	tb.hit("Escape")
	tb.holds(hidden)
	tb.rests(away)
	tb.rests(".post .text .mention")
	tb.holds(shown+" && !!document.querySelector('.hovercard [value=unfollow]')", "carl")
	tb.eval("(scrollTo(0, 300), 1)")
	tb.holds(hidden)
	if tb.eval("location.pathname") != "/" {
		t.Error("the page was left")
	}
	tb.calm()
}

// cardByKeyboard checks that a card appears for the focused link, that Tab leads through it to the
// next control, and that Escape returns to the link.
func cardByKeyboard(t *testing.T) {
	w, _, _ := flock(t, 2)
	release := w.hold(isModule("hovercard.js"))
	tb := homeOf(t, w)
	const shown, hidden = "document.querySelector('.hovercard')?.ariaLabel == 'bob'", "!document.querySelector('.hovercard')"
	tb.tabTo(".post h3 a")
	release() // the focus has passed other links while the module was loaded
	tb.holds(shown + " && document.activeElement.ariaExpanded == 'true'")
	tb.hit("Tab")
	tb.holds("document.activeElement.matches('.hovercard [value=unfollow]')")
	tb.hit("Escape")
	tb.holds(hidden + " && document.activeElement.matches('.post h3 a') && document.activeElement.ariaExpanded == null")
	tb.hit("Tab")
	tb.holds("document.activeElement.matches('.post .when')")
	tb.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Tab", "windowsVirtualKeyCode": 9, "modifiers": 8}, nil)
	tb.holds(shown + " && document.activeElement.matches('.post h3 a')")
	tb.axe(axe(t), "a card about a person", "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
	for range 4 {
		tb.hit("Tab")
		tb.holds("document.querySelector('.hovercard').contains(document.activeElement)")
	}
	tb.hit("Tab")
	tb.holds(hidden + " && document.activeElement.matches('.post .when')")
	tb.calm()
}
