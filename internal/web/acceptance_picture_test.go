package web_test

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func pointsOfPictures() []point {
	return []point{
		{61, "the composer shows each attachment as a thumbnail with buttons to remove, describe and reorder it", []proof{
			{"forms", attachmentsByForms}, {"in place", attachmentsInPlace}, {"drag", attachmentsAreDragged}}},
		{62, "posting media without descriptions shows a reminder, unless the author turned it off", []proof{
			{"reminder", reminderIsAnswered}}},
	}
}

// attachmentsByForms checks that buttons move, remove and describe attachments without script, and
// keep the rest of the form.
func attachmentsByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/compose")
	form := []string{"text", "kept <b>", "visibility", "private", "key", "one"}
	a := b.send("/compose", files(aPicture(30, 30), aPicture(40, 40), aPicture(50, 50)), append(form, "do", "attach")...)
	want(t, a, http.StatusOK, `<details class="describe" name="describe" open>`, `aria-label="Remove attachment 3"`)
	ids := attached(a)
	form = append(form, "alt-"+ids[1], "a square", "focus-"+ids[1], "-0.67,0.67")
	press := func(do string, order ...int) {
		t.Helper()
		sent := append([]string{}, form...)
		for _, id := range attached(a) {
			sent = append(sent, "media", id)
		}
		a = b.send("/compose", files(), append(sent, "do", do)...)
		want(t, a, http.StatusOK, "kept &lt;b&gt;", `value="private" checked`, "a square</textarea>", `value="-0.67,0.67" checked`)
		var wants []string
		for _, i := range order {
			wants = append(wants, ids[i])
		}
		if got := attached(a); strings.Join(got, " ") != strings.Join(wants, " ") {
			t.Errorf("after %s: %v, want %v", do, got, wants)
		}
	}
	press("later "+ids[0], 1, 0, 2)
	press("earlier "+ids[2], 1, 2, 0)
	press("earlier "+ids[1], 1, 2, 0)
	press("later "+ids[0], 1, 2, 0)
	press("later 5", 1, 2, 0)
	press("drop "+ids[2], 1, 0)
	if _, err := w.svc.Uploads.Attachment(t.Context(), ann.ID, mustID(t, ids[2])); linnet.KindOf(err) != linnet.NotFound {
		t.Errorf("the removed file is still there: %v", err)
	}
	want(t, b.send("/compose", files(), append(form, "media", ids[1], "media", ids[0], "alt-"+ids[0], "smaller", "focus-"+ids[0], "NaN,7")...), http.StatusSeeOther)
	st := w.newest(ann.ID)
	if len(st.Media) != 2 || st.Media[0].Description != "a square" || st.Media[0].Focus != (linnet.Focus{X: -.67, Y: .67}) || st.Media[1].Focus != (linnet.Focus{}) {
		t.Errorf("posted %+v", st.Media)
	}
}

func mustID(t *testing.T, digits string) linnet.ID {
	t.Helper()
	id, ok := linnet.ParseID(digits)
	if !ok {
		t.Fatalf("%q is no id", digits)
	}
	return id
}

// uploadsHere uploads pictures with the input of the composer in the page, in a browser.
func (tb *tab) uploadsHere(n int) {
	tb.t.Helper()
	tb.eval("(document.querySelector('.pictures summary').focus(), 1)")
	for i := range n {
		tb.eval(drawnHere + `.then((transfer) => {
  const chooser = document.getElementById('pictures');
  chooser.files = transfer.files;
  chooser.dispatchEvent(new Event('change', {bubbles: true}));
})`)
		tb.holds("document.querySelectorAll('.attached li').length == %d && !document.querySelector('progress')", i+1)
	}
}

// attachedOrder returns the ids of the attachments in the composer.
const attachedOrder = "[...document.querySelectorAll('.attached [name=media]')].map(e => e.value).join()"

// attachmentsInPlace checks with mouse and keyboard that thumbnails can be moved, described and
// removed without leaving the page, and that a click on the picture sets its focus.
func attachmentsInPlace(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("three")
	tb.uploadsHere(3)
	tb.holds("document.activeElement.matches('.attached li:nth-of-type(3) summary') && !document.querySelector('.pictures[open], .describe[open]')")
	tb.pictured("row")
	ids := strings.Split(tb.eval(attachedOrder), ",")
	tb.eval("(document.querySelector('.attached li .moves :enabled').focus(), 1)") // the first one moves forward twice
	tb.hit("Enter")
	tb.holds("%s == %q && document.activeElement.ariaLabel == 'Move attachment 2 forward'", attachedOrder, strings.Join([]string{ids[1], ids[0], ids[2]}, ","))
	tb.hit("Enter")
	tb.holds("%s == %q && document.activeElement.ariaLabel == 'Move attachment 3 back'", attachedOrder, strings.Join([]string{ids[1], ids[2], ids[0]}, ","))
	tb.clicks(".attached li:nth-of-type(2) .drop")
	tb.holds("%s == %q && document.activeElement.ariaLabel == 'Remove attachment 2'", attachedOrder, ids[1]+","+ids[0])
	eventually(t, "the removed file is deleted", func() bool {
		_, err := w.svc.Uploads.Attachment(t.Context(), ann.ID, mustID(t, ids[2]))
		return linnet.KindOf(err) == linnet.NotFound
	})
	tb.clicks(".attached summary")
	tb.holds("document.activeElement.matches('.attached li:first-child textarea')")
	for _, r := range "a square" {
		tb.hit(string(r))
	}
	tb.hit("Escape")
	tb.holds("!document.querySelector('.describe[open]') && document.activeElement.matches('.attached li:first-child summary')")
	tb.clicks(".attached li:nth-of-type(2) > img") // opens its description
	tb.holds("document.activeElement.matches('.attached li:nth-of-type(2) textarea')")
	tb.pictured("focus")
	x, y := tb.middleOf(".attached li:nth-of-type(2) .points")
	side := tb.eval("document.querySelector('.attached li:nth-of-type(2) .points').offsetWidth")
	var px float64
	if _, err := fmt.Sscan(side, &px); err != nil || px < 20 {
		t.Fatalf("the picture is %s wide", side)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x + px/4, "y": y - px/4, "button": "left", "clickCount": 1}, nil)
	}
	tb.holds("getComputedStyle(document.querySelector('.attached li:nth-of-type(2) img')).objectPosition.split(' ').every((s, i) => Math.abs(parseFloat(s) - [75, 25][i]) < 5)")
	tb.typeInto(".attached li:nth-of-type(2) textarea", "another")
	tb.hit("Ctrl+Enter")
	tb.holds("!!document.querySelector('.posts .post .gallery.of2')")
	st := w.newest(ann.ID)
	if len(st.Media) != 2 || st.Media[0].Description != "a square" || st.Media[1].Description != "another" || math.Abs(st.Media[1].Focus.X-.5) > .1 || math.Abs(st.Media[1].Focus.Y-.5) > .1 {
		t.Errorf("posted %+v", st.Media)
	}
	tb.calm()
}

// attachmentsAreDragged checks that the mouse reorders thumbnails.
func attachmentsAreDragged(t *testing.T) {
	w, _, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.uploadsHere(2)
	ids := strings.Split(tb.eval(attachedOrder), ",")
	x, y := tb.middleOf(".attached li:first-child > img")
	toX, toY := tb.middleOf(".attached li:last-child > img")
	mouse := func(kind string, x, y float64) {
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
	mouse("mousePressed", x, y)
	mouse("mouseMoved", (x+toX)/2, y)
	mouse("mouseMoved", toX, toY)
	mouse("mouseReleased", toX, toY)
	tb.holds("%s == %q && !document.querySelector('.describe[open], .moving')", attachedOrder, ids[1]+","+ids[0])
	tb.holds("document.querySelector('.attached li:last-child .drop').ariaLabel == 'Remove attachment 2'")
	tb.calm()
}

// reminderIsAnswered checks in a browser that a new account is reminded to describe a picture. The
// reminder opens the description, and the post is published with it.
func reminderIsAnswered(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("a walk")
	tb.uploadsHere(1)
	tb.loads(func() { tb.clicks(".send .button") })
	tb.expects("status of 422")
	tb.holds("document.querySelector('.attached .wrong').textContent.includes('has no description') && document.querySelector('.describe').open && document.getElementById('text').value == 'a walk'")
	tb.pictured("reminder")
	if n := len(w.postsOf(ann.ID)); n != 0 {
		t.Fatalf("%d posts before the reminder was answered", n)
	}
	tb.typeInto(".attached textarea", "A path along the river")
	tb.loads(func() { tb.clicks(".send .button") })
	if st := w.newest(ann.ID); st.Text != "a walk" || len(st.Media) != 1 || st.Media[0].Description != "A path along the river" {
		t.Errorf("posted %+v", st.Status)
	}
	tb.calm()
}
