package web_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// size sets the size of the viewport.
func (tb *tab) size(width, height int) {
	tb.t.Helper()
	tb.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// withoutScripts returns a tab with a logged-in account and scripts disabled.
func (w *world) withoutScripts(login string) *tab {
	w.t.Helper()
	tb := newTab(w.t.(*testing.T))
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.enters(w, login)
	return tb
}

const (
	// newestSeen tests whether the newest message is in view, above the composer.
	newestSeen = `((t, m) => m.bottom <= t.bottom + 1 && m.top >= t.top)(document.querySelector('.talk').getBoundingClientRect(), [...document.querySelectorAll('.m .bub')].at(-1).getBoundingClientRect())`
	// sendSeen tests whether the send button is in view, above the navigation bar of phones.
	sendSeen = `((b, n) => b.top >= 0 && b.bottom <= innerHeight && (n.top < 100 || b.bottom <= n.top))(document.querySelector('.say .send .button').getBoundingClientRect(), document.querySelector('.nav').getBoundingClientRect())`
	lastText = `[...document.querySelectorAll('.m .bub')].at(-1)?.textContent.trim()`
)

// conversationWithoutScripts checks that without scripts a conversation opens at the newest
// message, with the composer in view. Opening it marks it as read, sent messages appear at the
// bottom, and older ones are a link away.
func conversationWithoutScripts(t *testing.T) {
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	for i := range linnet.DefaultPage + 5 {
		by, to := bob, "@ann"
		if i%3 == 1 {
			by, to = ann, "@bob"
		}
		w.post(by.ID, linnet.Draft{Text: fmt.Sprintf("%s message %d", to, i), Visibility: vis(linnet.Direct)})
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(360, 560)
	tb.open(w.base + "/messages")
	tb.shows("message 24")
	if tb.eval("document.querySelectorAll('.line-of.fresh .dot').length") != "1" {
		t.Error("what is unread is not marked")
	}
	tb.press(".line-of")
	for _, size := range [][2]int{{320, 560}, {360, 560}, {768, 600}, {1280, 800}, {1920, 1080}} {
		tb.size(size[0], size[1])
		for what, holds := range map[string]string{"the newest message": newestSeen, "the button that sends": sendSeen} {
			if tb.eval("%s", holds) != "true" {
				t.Errorf("at %d by %d px %s is out of view", size[0], size[1], what)
			}
		}
		if tb.eval("document.documentElement.scrollWidth > innerWidth") == "true" {
			t.Errorf("at %d px the page is wider than the window", size[0])
		}
	}
	if tb.eval("document.querySelectorAll('.nav .go[href=\"/messages\"] .n').length") != "0" {
		t.Error("an opened conversation is unread in the navigation")
	}
	if text := tb.eval("[...document.querySelectorAll('.bub')].map(e => e.textContent).join()"); strings.Contains(text, "@ann") || strings.Contains(text, "@bob") {
		t.Error("messages name whom they go to, though that stands above")
	}
	tb.size(360, 560)
	tb.typeInto("#text", "the very newest")
	tb.press(".say .send .button")
	if got := tb.eval(lastText); got != "the very newest" || tb.eval(newestSeen) != "true" {
		t.Errorf("at the bottom stands %q", got)
	}
	if st := w.newest(ann.ID); st.Text != "@bob the very newest" || st.Visibility != linnet.Direct {
		t.Errorf("sent is %q, %v", st.Text, st.Visibility)
	}
	tb.press(".talk [rel=next]")
	tb.shows("message 0", "Your conversation with bob starts here.")
	tb.press(".talk [rel=prev]")
	tb.press(".toall")
	tb.shows("You: the very newest")
}

// newMessageWithoutScripts checks that recipients of a message can be chosen without scripts.
// Choosing the members of an existing conversation continues it.
func newMessageWithoutScripts(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	w.user("bob")
	w.user("eve")
	tb := w.withoutScripts("ann")
	tb.size(375, 700)
	tb.open(w.base + "/messages")
	tb.shows("No messages yet")
	tb.press(".empty .button")
	for _, name := range []string{"bob", "eve"} {
		tb.typeInto("#whom", name)
		tb.press(".choosing .search button")
		tb.press(".choosing .line-of")
	}
	tb.press(".chosen .button")
	tb.shows("Your conversation with bob and eve starts here")
	tb.typeInto("#text", "hello both")
	tb.press(".say .send .button")
	if got := tb.eval(lastText); got != "hello both" {
		t.Errorf("at the bottom stands %q", got)
	}
	if st := w.newest(ann.ID); st.Text != "@bob @eve hello both" || len(st.Mentions) != 2 || st.Visibility != linnet.Direct {
		t.Errorf("sent is %q to %v, %v", st.Text, st.Mentions, st.Visibility)
	}
	at := tb.eval("location.pathname")
	tb.open(w.base + "/messages/new?to=eve&to=bob&write=1")
	if now := tb.eval("location.pathname"); now != at {
		t.Errorf("the conversation is at %s and %s", at, now)
	}
	tb.open(w.base + "/messages/new?to=nobody&write=1")
	tb.shows("There's no account named nobody")
}

// conversationIsLive checks that received and sent messages appear at the bottom of an open
// conversation.
func conversationIsLive(t *testing.T) {
	w := served(t)
	w.user("ann")
	bob := w.user("bob")
	w.post(bob.ID, linnet.Draft{Text: "@ann first", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.size(1280, 700)
	tb.enters(w, "ann")
	tb.open(w.base + "/messages")
	tb.loads(func() { tb.clicks(".line-of") })
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	w.post(bob.ID, linnet.Draft{Text: "@ann second", Visibility: vis(linnet.Direct)})
	tb.holds(lastText + " == 'second'")
	tb.typeInto("#text", "third")
	tb.clicks(".say .send .button")
	tb.holds(lastText + " == 'third' && document.querySelector('#text').value == ''")
	if tb.eval("document.querySelectorAll('.m').length") != "3" || tb.eval(newestSeen) != "true" {
		t.Error("a message stands twice, or the newest is out of view")
	}
	for _, fault := range tb.complaints() {
		t.Errorf("the browser complains: %s", fault)
	}
}

// noticesWithoutScripts checks that follow requests can be accepted and rejected in the
// notifications, without scripts. It also covers grouped notifications, filters and read markers.
func noticesWithoutScripts(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	locked := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Locked: &locked}); err != nil {
		t.Fatal(err)
	}
	g, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: "watch", Name: "The watch", Kind: linnet.PrivateGroup})
	if err != nil {
		t.Fatal(err)
	}
	st := w.post(ann.ID, linnet.Draft{Text: "sing"})
	for i := range 9 {
		u := w.user(fmt.Sprintf("bird%d", i))
		if _, err := w.svc.Posting.Marks.Favourite(t.Context(), u.ID, st.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, login := range []string{"bob", "eve"} {
		u := w.user(login)
		for _, to := range []linnet.ID{ann.ID, g.ID} {
			if _, err := w.svc.Social.Follow(t.Context(), u.ID, to, linnet.FollowOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(375, 800)
	tb.open(w.base + "/notifications")
	tb.shows("favourited your post", "and 7 others", "+3", "requested to follow you", "requested to join The watch")
	if n := tb.eval("document.querySelectorAll('.happened .faces .avatar').length"); n != "6" {
		t.Errorf("%s faces stand with what nine people did", n)
	}
	if tb.eval("document.querySelectorAll('.fresh').length") != "5" || tb.eval("document.querySelectorAll('.nav .go[href=\"/notifications\"] .n').length") != "0" {
		t.Error("what is new is not marked, or still counted when it was opened")
	}
	for _, act := range []string{"accept", "reject"} {
		for _, where := range []string{"/@", "/groups/"} {
			tb.press(".happened form[action^='" + where + "'] [value=" + act + "]")
			eventually(t, "tasks end", w.svc.Idle)
			tb.open(w.base + "/notifications")
		}
	}
	if got := tb.eval(`[...document.querySelectorAll('.happened .small')].map(e => e.textContent).sort().join()`); got != "Accepted,No longer pending" {
		t.Errorf("requests to join are shown as %q after they were answered", got)
	}
	tb.shows("followed you") // one request was accepted, and the rejected one was deleted
	if n := tb.eval("document.querySelectorAll('.fresh, .answers [value=accept]').length"); n != "0" {
		t.Errorf("%s are new, or to be answered, the second time", n)
	}
	tb.press(".chip[href$=favourites]")
	if tb.eval("document.querySelectorAll('.happened').length + document.querySelector('.chip[aria-current]').textContent") != "1Favourites" {
		t.Error("the filter of favourites shows something else")
	}
}

// menusFit checks that the labels of the navigation fit at every width, including the current
// page's label.
func menusFit(t *testing.T) {
	w := served(t)
	w.user("ann")
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, path := range []string{"/notifications", "/messages"} {
		tb.open(w.base + path)
		for _, px := range []int{320, 360, 390, 414, 600, 768, 1280} {
			tb.size(px, 700)
			if cut := tb.eval(`[...document.querySelectorAll('.go .label')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth).map(e => e.textContent).join()`); cut != "" {
				t.Errorf("%s at %d px: cut is %q", path, px, cut)
			}
		}
	}
}

// chatIsAccessible checks that axe finds no faults in conversations, notifications and groups.
func chatIsAccessible(t *testing.T) {
	script := axe(t)
	w := served(t)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	w.post(bob.ID, linnet.Draft{Text: "@ann @eve with https://example.com/ and #birds", Visibility: vis(linnet.Direct)})
	own := w.post(ann.ID, linnet.Draft{Text: "@bob @eve an answer, https://example.com/", Visibility: vis(linnet.Direct)})
	if _, err := w.svc.Posting.Marks.Favourite(t.Context(), eve.ID, own.ID); err != nil {
		t.Fatal(err)
	}
	pages := w.furnishGroups()
	eventually(t, "tasks end", w.svc.Idle)
	all, err := w.svc.Posting.Conversations.List(t.Context(), ann.ID, linnet.Page{})
	if err != nil || len(all.Items) == 0 {
		t.Fatal(all, err)
	}
	tb := newTab(t)
	tb.enters(w, "ann")
	talk := "/messages/" + all.Items[len(all.Items)-1].ID.String()
	for _, path := range []string{"/messages", talk, "/messages/new", "/messages/new?to=bob", "/notifications", pages[0]} {
		tb.sound(w, script, path)
		if got := tb.eval("%s", ringsCut); got != "" {
			t.Errorf("%s: cut rings of %s", path, got)
		}
	}
}
