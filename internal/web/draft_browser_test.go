package web_test

import (
	"testing"
)

// hurries opens the home page with a save delay that is 20 times shorter.
func (tb *tab) hurries(w *world) {
	tb.t.Helper()
	tb.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": "const patient = setTimeout; window.setTimeout = (f, wait) => patient(f, f.name === 'save' ? wait / 20 : wait)"}, nil)
	tb.open(w.base + "/")
}

// draftOnTwoDevices checks that a draft is saved automatically and can be continued and posted on
// another device. Posting deletes it on both.
func draftOnTwoDevices(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.hurries(w)
	tb.writes("begun here")
	tb.holds("document.querySelector('.saved').textContent == 'Draft saved.'")
	tb.writes("begun here, more")
	tb.holds("document.querySelector('.saved').textContent == ''")
	tb.holds("document.querySelector('.saved').textContent == 'Draft saved.'")
	if d := w.saved(ann.ID); d.Draft.Text != "begun here, more" || w.drafts(ann.ID) != 1 {
		t.Errorf("%d drafts, %+v", w.drafts(ann.ID), d)
	}
	other := newTab(t)
	other.width(1280)
	other.enters(w, "ann")
	other.open(w.base + "/drafts")
	other.eval("document.querySelector('.planned .actions a').click()")
	other.holds("document.readyState == 'complete' && location.search.startsWith('?draft=') && document.getElementById('text')?.value == 'begun here, more'")
	other.writes("begun here, ended there")
	other.eval("document.querySelector('.send .button').click()")
	other.holds("document.querySelector('.post .text')?.textContent.trim() == 'begun here, ended there'")
	if got := w.postsOf(ann.ID); len(got) != 1 || w.drafts(ann.ID) != 0 {
		t.Errorf("posts %q, %d drafts", got, w.drafts(ann.ID))
	}
	tb.writes("begun here, more of it") // the draft was deleted, but the text in this tab remains
	tb.holds("[...document.querySelectorAll('.flash')].some((e) => e.textContent.includes('as a new draft'))")
	if d := w.saved(ann.ID); d.Draft.Text != "begun here, more of it" {
		t.Errorf("saved anew: %+v", d)
	}
	tb.eval("document.querySelector('.send .button').click()")
	tb.holds("document.getElementById('text').value == '' && document.querySelector('.post .text')?.textContent.trim() == 'begun here, more of it'")
	if n := w.drafts(ann.ID); n != 0 {
		t.Errorf("%d drafts are left of what was posted", n)
	}
	tb.writes("brief")
	tb.holds("document.querySelector('.saved').textContent == 'Draft saved.'")
	tb.writes(" ")
	tb.holds("document.querySelector('.saved').textContent == 'Draft deleted.'")
	if n := w.drafts(ann.ID); n != 0 {
		t.Errorf("%d drafts are left of nothing", n)
	}
	tb.calm()
}

// draftOutlivesLeaving checks that leaving a page saves unsaved text as a draft, and that returning
// continues this draft.
func draftOutlivesLeaving(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.hurries(w)
	tb.writes("left early")
	tb.open(w.base + "/explore")
	eventually(t, "a draft", func() bool { return w.drafts(ann.ID) == 1 })
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == 'left early'")
	tb.writes("left early, and came back")
	tb.holds("document.querySelector('.saved').textContent == 'Draft saved.'")
	if d := w.saved(ann.ID); d.Draft.Text != "left early, and came back" || w.drafts(ann.ID) != 1 {
		t.Errorf("%d drafts, %+v", w.drafts(ann.ID), d)
	}
	tb.calm()
}
