package web_test

import (
	"strconv"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// counterCounts checks that the character counter of the script agrees with the server.
func counterCounts(t *testing.T) {
	w, _, _ := flock(t, 0)
	tb := homeOf(t, w)
	for _, typed := range []string{"", "abc", "👩‍👩‍👧‍👦 and 🇩🇪", "e\u0301", "https://example.com/" + strings.Repeat("a", 90), "(see https://example.com/a_(b).)",
		"http://localhost:80/x y", "https://a", "xhttps://example.com", "@ann@birds.example hello", "@ann.", "a@b.example", "日本https://example.comです",
		"https://1.2.3.4/?q=%41%4g", "#tag @bob", "line\nline", "https://example.com:99999/x", "https://user@example.com/"} {
		tb.writes(typed)
		want := strconv.Itoa(linnet.StatusChars - text.Count(typed))
		if got := tb.eval("document.querySelector('.counter').firstChild.data"); got != want {
			t.Errorf("%q leaves %s, want %s", typed, got, want)
		}
	}
	for n, disabled := range map[int]string{linnet.StatusChars: "false", linnet.StatusChars + 1: "true"} {
		tb.writes(strings.Repeat("x", n))
		if got := tb.eval("document.querySelector('.send .button').disabled"); got != disabled {
			t.Errorf("%d characters: disabled is %s", n, got)
		}
	}
}

// refusedTextStaysTyped checks that a rejected post keeps its text in the composer and shows the
// error.
func refusedTextStaysTyped(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes(strings.Repeat("x", linnet.StatusChars+1))
	tb.holds("document.querySelector('.send .button').disabled")
	tb.eval("(b => (b.disabled = false, b.click()))(document.querySelector('.send .button'))") // as if the script had miscounted
	tb.expects("status of 422")
	tb.holds("document.querySelector('[role=alert]').textContent.includes('maximum is 500')")
	tb.holds("document.getElementById('text').value.length == %d && location.pathname == '/'", linnet.StatusChars+1)
	if n := len(w.postsOf(ann.ID)); n != 0 {
		t.Errorf("%d posts", n)
	}
}

// writes replaces the text of the composer with key presses.
func (tb *tab) writes(text string) {
	tb.t.Helper()
	tb.typeInto("#text", text)
}

// postsOf returns the texts of a profile's posts, newest first.
func (w *world) postsOf(who linnet.ID) []string {
	w.t.Helper()
	posts, err := w.svc.Reading.Profile(w.t.Context(), who, who, linnet.ProfileFilter{}, linnet.Page{Limit: 40})
	if err != nil {
		w.t.Fatal(err)
	}
	var texts []string
	for _, st := range posts.Items {
		texts = append(texts, st.Text)
	}
	return texts
}

// draftOutlivesReload checks that a draft survives a reload and is deleted after posting.
func draftOutlivesReload(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("a draft")
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == 'a draft'")
	tb.eval("document.querySelector('.send .button').click()")
	tb.holds("document.querySelector('.post .text')?.textContent.trim() == 'a draft' && document.getElementById('text').value == ''")
	if got := w.postsOf(ann.ID); len(got) != 1 {
		t.Errorf("posts %q", got)
	}
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1' && document.getElementById('text').value == ''")
	tb.calm()
}

// draftOutlivesFailure checks that a draft survives a failed submission, and that retrying
// publishes it once.
func draftOutlivesFailure(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("a stubborn draft")
	w.down()
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=alert]').textContent.includes('Connection failed')")
	tb.holds("document.getElementById('text').value == 'a stubborn draft' && !document.querySelector('.send .button').disabled")
	w.up()
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == 'a stubborn draft'")
	tb.eval("document.getElementById('text').focus()")
	tb.hit("Ctrl+Enter")
	tb.holds("document.getElementById('text').value == ''")
	if got := w.postsOf(ann.ID); len(got) != 1 || got[0] != "a stubborn draft" {
		t.Errorf("posts %q", got)
	}
	tb.expects("net::ERR_") // requests to the stopped server
}

// ctrlEnterSendsOnce checks that pressing Ctrl+Enter several times submits the post once.
func ctrlEnterSendsOnce(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("just once")
	w.requests()
	release := w.hold(isPost)
	tb.hit("Ctrl+Enter", "Ctrl+Enter")
	tb.eval("document.querySelector('.send .button').click()")
	release()
	tb.holds("document.querySelector('.post .text')?.textContent.trim() == 'just once'")
	sent := 0
	for _, asked := range w.requests() {
		if asked == "POST /compose" {
			sent++
		}
	}
	if got := w.postsOf(ann.ID); len(got) != 1 || sent != 1 {
		t.Errorf("%d times sent, posts %q", sent, got)
	}
	tb.hit("Enter")
	if got := w.postsOf(ann.ID); len(got) != 1 {
		t.Errorf("Enter alone makes %q", got)
	}
	tb.calm()
}

// keysMove checks that keyboard shortcuts move between posts and do nothing in text fields. The ?
// key lists them.
func keysMove(t *testing.T) {
	w, _, _ := flock(t, 25)
	tb := homeOf(t, w)
	tb.hit("j", "j", "k", "j")
	tb.holds("document.activeElement.textContent.includes('Status 24')")
	tb.hit("?")
	tb.holds("document.querySelector('dialog').open && document.querySelector('dialog').contains(document.activeElement)")
	for range 4 { // focus stays within the dialog
		tb.hit("Tab")
		if tb.eval("document.activeElement == document.body || document.querySelector('dialog').contains(document.activeElement)") != "true" {
			t.Error("the focus leaves the dialog for " + tb.eval("document.activeElement.outerHTML"))
		}
	}
	tb.hit("j")
	tb.holds("document.querySelector('dialog').open")
	tb.hit("Escape")
	tb.holds("!document.querySelector('dialog').open && document.activeElement.textContent.includes('Status 24')")
	tb.hit("j", "j", "j", "j", "j", "j")
	tb.holds("(b => b.top >= 0 && b.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())")
	tb.hit("n")
	tb.holds("document.activeElement.id == 'text'")
	tb.hit("j")
	tb.holds("document.activeElement.value == 'j'")
}

// composerIsRenewed checks that the composer is reset after posting, with its poll, warning,
// visibility and panels.
func composerIsRenewed(t *testing.T) {
	w, ann, _ := flock(t, 1)
	tb := homeOf(t, w)
	tb.writes("Which bird?")
	tb.typeInto("#option1", "Linnet")
	tb.typeInto("#option2", "Wren")
	tb.typeInto("#warning", "birds")
	tb.unfolds("[name=visibility][value=private]")
	tb.eval("(document.querySelector('[name=visibility][value=private]').click(), 1)")
	tb.eval("(document.getElementById('text').focus(), 1)")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.posts .post')?.textContent.includes('Which bird?') && document.getElementById('text').value == ''")
	tb.holds("document.activeElement.id == 'text' && !document.querySelector('.composer details[open]')")
	tb.holds("document.getElementById('warning').value == '' && [...document.querySelectorAll('[name=option]')].every(e => e.value == '') && document.querySelector('[name=visibility]:checked').value == 'public'")
	tb.writes("plain")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.posts .post .text')?.textContent.trim() == 'plain'")
	second := w.newest(ann.ID)
	if second.Text != "plain" || second.Poll != nil || second.Warning != "" || second.Visibility != linnet.Public {
		t.Errorf("the second post is %+v", second)
	}
	if texts := w.postsOf(ann.ID); len(texts) != 2 {
		t.Errorf("posts %q", texts)
	}
}

// textTypedWhileSendingStays checks that text typed during a submission stays in the composer.
func textTypedWhileSendingStays(t *testing.T) {
	w, ann, _ := flock(t, 1)
	tb := homeOf(t, w)
	tb.writes("first")
	release := w.hold(isPost)
	tb.hit("Ctrl+Enter")
	tb.hit(" ", "n", "e", "x", "t")
	release()
	tb.holds("document.querySelector('.posts .post .text')?.textContent.trim() == 'first' && document.getElementById('text').value == ' next'")
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == ' next'")
	if texts := w.postsOf(ann.ID); len(texts) != 1 {
		t.Errorf("posts %q", texts)
	}
}

// messageComposerWorks checks that the composer of a conversation counts characters, stores a draft
// in the browser and submits with a shortcut.
func messageComposerWorks(t *testing.T) {
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	w.post(bob.ID, linnet.Draft{Text: "@ann hello", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.width(1280)
	tb.enters(w, "ann")
	tb.open(w.base + "/messages")
	tb.press(".line-of")
	conversation := tb.eval("location.href")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	room := tb.eval("document.querySelector('.counter').firstChild.data")
	tb.writes("hi bob")
	if left := tb.eval("document.querySelector('.counter').firstChild.data"); left == room {
		t.Errorf("the counter stays at %s", left)
	}
	tb.open(conversation)
	tb.holds("document.getElementById('text').value == 'hi bob' && document.querySelector('.news')?.dataset.open == '1'")
	for _, text := range []string{"hi bob", "and again"} {
		tb.writes(text)
		tb.hit("Ctrl+Enter")
		tb.holds("%s == %q && document.getElementById('text').value == '' && document.activeElement.id == 'text'", lastText, text)
	}
	tb.open(conversation)
	tb.holds("document.querySelector('.news')?.dataset.open == '1' && document.getElementById('text').value == ''")
	if st := w.newest(ann.ID); st.Text != "@bob and again" || st.Visibility != linnet.Direct {
		t.Errorf("sent is %q, %v", st.Text, st.Visibility)
	}
}
