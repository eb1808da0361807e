package web_test

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// press clicks an element and waits for the next page.
func (tb *tab) press(selector string) {
	tb.t.Helper()
	if tb.eval("document.querySelectorAll(%q).length", selector) == "0" {
		tb.t.Fatalf("nothing is called %q on %s: %s", selector, tb.eval("location.pathname"), tb.eval("document.body.innerText"))
	}
	tb.loads(func() { tb.eval("document.querySelector(%q).click()", selector) })
}

// typeInto replaces the text of an input with key presses, which fire the events that scripts
// listen to. It opens the details element around the input, and fails if a user could not type
// there.
func (tb *tab) typeInto(selector, text string) {
	tb.t.Helper()
	tb.unfolds(selector)
	if tb.eval("(e => (e?.focus(), e?.select?.(), document.activeElement === e && e.getClientRects().length > 0 && !e.disabled && !e.readOnly))(document.querySelector(%q))", selector) != "true" {
		tb.t.Fatalf("%s cannot be typed into on %s", selector, tb.eval("location.href"))
	}
	tb.hit("Backspace")
	for _, r := range text {
		if r == '\n' {
			tb.hit("Enter")
		} else {
			tb.hit(string(r))
		}
	}
}

// unfolds opens the details element around an element, if any, by clicking its summary.
func (tb *tab) unfolds(selector string) {
	tb.t.Helper()
	tb.eval("(document.querySelector(%q)?.closest('details:not([open])')?.querySelector('summary').click(), 1)", selector)
}

// shows checks the text of the loaded page. It does not wait.
func (tb *tab) shows(texts ...string) {
	tb.t.Helper()
	page := tb.eval("document.body.innerText")
	for _, s := range texts {
		if !strings.Contains(page, s) {
			tb.t.Fatalf("%s lacks %q:\n%s", tb.eval("location.href"), s, page)
		}
	}
}

// dayWithoutScripts runs through the main features in a browser without scripts.
func dayWithoutScripts(t *testing.T) {
	tb := newTab(t)
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	const older = 25
	for range older {
		w.post(bob.ID, linnet.Draft{Text: "chirp"})
	}
	first := w.post(bob.ID, linnet.Draft{Text: "the first cuckoo"})
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.width(375)
	tb.joins(w)
	tb.logIn(w, "ann")

	tb.open(w.base + "/@bob")
	tb.press("button[value=follow]")
	tb.shows("Following")
	tb.open(w.base + "/")
	tb.press(".opener") // phones have the composer on its own page
	tb.typeInto("#text", "good morning")
	tb.typeInto("#warning", "early")
	tb.press(".composer .button")
	tb.shows("early")
	for _, act := range []string{"favourite", "boost", "bookmark"} {
		tb.open(w.base + postPath(first))
		tb.press("article [value$=" + act + "]")
		if at := tb.eval("location.hash"); at != "#p"+first.ID.String() {
			t.Errorf("after %s the page stands at %q", act, at)
		}
		if got := tb.eval("document.querySelector('article [value$=%s]').ariaPressed", act); got != "true" {
			t.Errorf("%s is pressed: %s", act, got)
		}
	}
	tb.press(".opener")
	tb.typeInto("#text", "@bob where?")
	tb.press(".composer .button")
	tb.shows("where?", "the first cuckoo")
	tb.press(".opened a.danger")
	tb.press("form.pad .button")
	if strings.Contains(tb.eval("document.body.innerText"), "where?") {
		t.Error("a deleted post is on the profile")
	}

	tb.listsAndMessages(w)
	tb.open(w.base + "/settings/profile")
	tb.typeInto("#f-display_name", "Ann of the hedge")
	tb.typeInto("#f-note", "Birds, mostly.")
	tb.press("form[action='/settings/profile'] .button")
	tb.open(w.base + "/@ann")
	tb.shows("Ann of the hedge", "Birds, mostly.")
	tb.toTheEnd(w.base+"/@bob", older+1)
	tb.press("[rel=prev]")
	tb.press("form[action='/logout'] button")
	tb.shows("Log in")
	rel := w.relation(ann.ID, bob.ID)
	if v, err := w.svc.View.Status(t.Context(), ann.ID, first.ID); err != nil || !v.Favourited || !v.Reposted || !v.Bookmarked || !rel.Following {
		t.Errorf("%+v %+v %v", v, rel, err)
	}
	for _, fault := range tb.complaints() {
		t.Errorf("the browser complains: %s", fault)
	}
}

// joins signs up a new account after one rejected attempt, and logs out.
func (tb *tab) joins(w *world) {
	tb.t.Helper()
	w.open("Be kind.")
	tb.open(w.base + "/signup")
	fill := func(again string) {
		tb.typeInto("#login", "newcomer")
		tb.typeInto("#password", password)
		tb.typeInto("#again", again)
		tb.eval("document.querySelector('[name=agreed]').checked = true")
		tb.press(".card .button")
	}
	fill("another password")
	tb.holds("document.querySelector('#again-wrong') && document.getElementById('login').value == 'newcomer'")
	fill(password)
	tb.shows("Welcome")
	if _, err := w.svc.View.UserByLogin(tb.t.Context(), 0, "newcomer"); err != nil {
		tb.t.Error(err)
	}
	tb.press("form[action='/logout'] button")
	for _, fault := range tb.complaints() {
		if !strings.Contains(fault, "422") {
			tb.t.Errorf("the browser complains: %s", fault)
		}
	}
}

// listsAndMessages creates a list with bob in it and sends bob a message.
func (tb *tab) listsAndMessages(w *world) {
	tb.t.Helper()
	tb.open(w.base + "/lists")
	tb.typeInto("#title", "Early birds")
	tb.press(".card .button")
	tb.open(w.base + "/@bob/lists")
	tb.press("button[value=add]")
	tb.shows("Added")
	tb.open(w.base + "/compose?to=bob")
	tb.typeInto("#text", "@bob thank you")
	tb.press(".composer .button")
	eventually(tb.t, "the message is sent", w.svc.Idle)
	tb.open(w.base + "/messages")
	tb.shows("thank you")
}

// toTheEnd follows the pagination of a list to its end.
func (tb *tab) toTheEnd(address string, posts int) {
	tb.t.Helper()
	tb.open(address)
	pages := 1
	for ; tb.eval("document.querySelectorAll('[rel=next]').length") != "0" && pages < 10; pages++ {
		tb.press("[rel=next]")
	}
	if pages < 2 || pages == 10 {
		tb.t.Errorf("%d pages of %d posts", pages, posts)
	}
}

// homeIsLight limits the size of the home page with a full page of posts.
func homeIsLight(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	for range linnet.DefaultPage {
		w.post(ann.ID, linnet.Draft{Text: "A linnet on the gate this morning, singing as if nobody had told it about the weather. #birds https://birds.example/" + strings.Repeat("a", 40)})
	}
	b := w.browser().logIn("ann")
	body := []byte(b.get("/").body)
	if n := strings.Count(b.page, "<article"); n != linnet.DefaultPage {
		t.Fatalf("%d posts", n)
	}
	if raw, sent := len(body), packed(t, string(body)); raw > 80<<10 || sent > 12<<10 {
		t.Errorf("home has %d bytes, %d on the way", raw, sent)
	}
	if n := strings.Count(b.page, "<") / 2; n > 1500 {
		t.Errorf("home has about %d elements", n)
	}
	if n := strings.Count(b.page, "<script"); n != strings.Count(b.page, `<script type="module" src="/assets/`) || n > 1 {
		t.Errorf("home holds %d scripts, not just that of the assets", n)
	}
	for _, foreign := range []string{"<style", " style=", "@import", "http://"} {
		if strings.Contains(b.page, foreign) {
			t.Errorf("home holds %q", foreign)
		}
	}
}
