package web

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// The composer counts as the server does.
func counterCounts(t *testing.T) {
	w, _, _ := flock(t, 0)
	tb := homeOf(t, w)
	for _, typed := range []string{"", "abc", "👩‍👩‍👧‍👦 and 🇩🇪", "e\u0301", "https://example.com/" + strings.Repeat("a", 90), "(see https://example.com/a_(b).)",
		"http://localhost:80/x y", "https://a", "xhttps://example.com", "@ann@birds.example hello", "@ann.", "a@b.example", "日本https://example.comです",
		"https://1.2.3.4/?q=%41%4g", "#tag @bob", "line\nline", "https://example.com:99999/x", "https://user@example.com/"} {
		js, _ := json.Marshal(typed)
		tb.eval("(e => (e.value = %s, e.dispatchEvent(new Event('input', {bubbles: true}))))(document.getElementById('text'))", js)
		want := strconv.Itoa(linnet.StatusChars - text.Count(typed))
		if got := tb.eval("document.querySelector('.counter').firstChild.data"); got != want {
			t.Errorf("%q leaves %s, want %s", typed, got, want)
		}
	}
	for n, disabled := range map[int]string{linnet.StatusChars: "false", linnet.StatusChars + 1: "true"} {
		tb.eval("(e => (e.value = 'x'.repeat(%d), e.dispatchEvent(new Event('input', {bubbles: true}))))(document.getElementById('text'))", n)
		if got := tb.eval("document.querySelector('.send .button').disabled"); got != disabled {
			t.Errorf("%d characters: disabled is %s", n, got)
		}
	}
}

// A text that the server refuses stays where it was typed, with what is wrong.
func refusedTextStaysTyped(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes(strings.Repeat("x", linnet.StatusChars+1))
	tb.holds("document.querySelector('.send .button').disabled")
	tb.eval("(b => (b.disabled = false, b.click()))(document.querySelector('.send .button'))") // as a count that is wrong would
	tb.holds("document.querySelector('[role=alert]').textContent.includes('the limit is 500')")
	tb.holds("document.getElementById('text').value.length == %d && location.pathname == '/'", linnet.StatusChars+1)
	if n := len(w.postsOf(ann.ID)); n != 0 {
		t.Errorf("%d posts", n)
	}
}

// writes puts a text into the composer as somebody who types it.
func (tb *tab) writes(text string) {
	tb.t.Helper()
	tb.eval("(document.getElementById('text').focus(), document.getElementById('text').select(), 1)")
	tb.do("Input.insertText", map[string]any{"text": text}, nil)
}

// postsOf are the texts of a profile, the newest first.
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

// A draft outlives a reload and goes when it was posted.
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

// A draft outlives a server that is away when it is sent, and goes out once.
func draftOutlivesFailure(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("a stubborn draft")
	w.down()
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=alert]').textContent.includes('cannot be reached')")
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
	tb.complaints() // of the server that was away
}

// Ctrl+Enter sends, and pressed again while that is on its way it does not.
func ctrlEnterSendsOnce(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("just once")
	w.requests()
	release := w.holdPosts()
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

// Keys move through posts, leave writers alone, and are listed by "?".
func keysMove(t *testing.T) {
	w, _, _ := flock(t, 25)
	tb := homeOf(t, w)
	tb.hit("j", "j", "k", "j")
	tb.holds("document.activeElement.textContent.includes('Status 24')")
	tb.hit("?")
	tb.holds("document.querySelector('dialog').open && document.querySelector('dialog').contains(document.activeElement)")
	for range 4 { // there is no way out but to close it
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
