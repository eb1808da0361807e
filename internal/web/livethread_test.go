package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestLiveThread checks that an open thread receives replies by followed accounts and replies to
// the viewer, and no other posts. Reconnecting delivers missed replies.
func TestLiveThread(t *testing.T) {
	w, ann, bob := flock(t, 0)
	eve := w.user("eve")
	root := w.post(ann.ID, linnet.Draft{Text: "who comes?"})
	id := root.ID.String()
	b := w.browser().logIn("ann")
	path := "/live?" + url.Values{"of": {"thread"}, "status": {id}}.Encode() + "&since=" + id
	page := b.get("/@ann/" + id)
	want(t, page, http.StatusOK, `data-live="`+strings.ReplaceAll(path, "&", "&amp;"))
	if strings.Contains(w.browser().get("/@ann/"+id).body, "data-live") {
		t.Error("strangers are told")
	}
	l := w.listen(b, path, "")
	w.post(bob.ID, linnet.Draft{Text: "about something else"})
	w.post(eve.ID, linnet.Draft{Text: "@ann another talk"})
	first := w.post(bob.ID, linnet.Draft{Text: "I do", InReplyTo: root.ID})
	if got := l.next(); got != "post "+first.ID.String() {
		t.Errorf("of somebody followed: %s", got)
	}
	second := w.post(eve.ID, linnet.Draft{Text: "@bob @ann so do I", InReplyTo: first.ID})
	got := l.next()
	for got == "post "+first.ID.String() { // also delivered as a notification
		got = l.next()
	}
	if got != "post "+second.ID.String() {
		t.Errorf("to the reader: %s", got)
	}
	eventually(t, "tasks end", w.svc.Idle)
	again := w.listen(b, path, first.ID.String())
	if got := again.next(); got != "post "+second.ID.String() {
		t.Errorf("missed: %s", got)
	}
	want(t, b.get("/live?of=thread&status=1"), http.StatusNotFound)
}

// TestThreadGrows checks that new replies in an open thread appear below their parent when the
// viewer loads them. The parent can have any number of replies and any level.
func TestThreadGrows(t *testing.T) {
	needChromium(t)
	w, ann, bob := flock(t, 0)
	root := w.post(ann.ID, linnet.Draft{Text: "who comes?"})
	tb := newTab(t)
	tb.width(1280)
	tb.enters(w, "ann")
	tb.open(w.base + "/@ann/" + root.ID.String())
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	tb.eval("window.stays = 1")
	comes := func(text string, to linnet.ID) linnet.ID {
		t.Helper()
		st := w.post(bob.ID, linnet.Draft{Text: text, InReplyTo: to})
		tb.holds("document.querySelector('.pill')?.checkVisibility()")
		tb.eval("document.querySelector('.pill').click()")
		tb.holds("document.getElementById(%q) && !document.querySelector('.pill')", "p"+st.ID.String())
		return st.ID
	}
	one := comes("I do", root.ID)
	two := comes("I too", root.ID)
	below := comes("with whom?", one)
	deeper := comes("with both", below)
	for _, x := range []struct{ id, over linnet.ID }{{below, one}, {deeper, below}} {
		if got := tb.eval("document.getElementById(%q).closest('li').parentElement.closest('li').querySelector('.post').id", "p"+x.id.String()); got != "p"+x.over.String() {
			t.Errorf("it stands below %s", got)
		}
	}
	if got := tb.eval("[...document.querySelectorAll('.tree > li > .post')].map(e => e.id).join(' ')"); got != "p"+one.String()+" p"+two.String() {
		t.Errorf("the answers are %s", got)
	}
	if got := tb.eval("window.stays + document.querySelector('#answers').textContent + document.activeElement.id"); got != "1Repliesp"+deeper.String() {
		t.Errorf("the page is anew, or says or shows something else: %s", got)
	}
	tb.calm()
}
