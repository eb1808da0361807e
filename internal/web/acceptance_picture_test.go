package web_test

import (
	"fmt"
	"math"
	"net/http"
	"os"
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
		{63, "ALT shows the description of a picture in place, and a picture opens over the page with zoom, arrows and Escape", []proof{
			{"description", descriptionInPlace}, {"keyboard", pictureOpensByKeyboard}, {"mouse and fingers", pictureIsZoomed}, {"frames", picturesHaveNoBands}, {"videos", videoOpensOverThePage}}},
		{64, "the profile settings show the current picture and banner, and preview new ones as they will be cropped", []proof{
			{"current", settingsShowPictures}, {"new", chosenPictureIsPreviewed}, {"groups", groupPicturesArePreviewed}}},
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
		t.Fatalf("%q is not an id", digits)
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
		t.Fatalf("the picture is %s px wide", side)
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

// descriptionInPlace checks that ALT shows the description of a picture on the page, with and
// without scripts, and that a text longer than the picture scrolls.
func descriptionInPlace(t *testing.T) {
	w, _, bob := flock(t, 0)
	long := strings.Repeat("The fields, seen from the hill. ", 40)
	w.post(bob.ID, linnet.Draft{Text: "fields", Media: []linnet.ID{w.uploaded(bob.ID, 900, 600, long), w.uploaded(bob.ID, 600, 600, "")}})
	eventually(t, "tasks end", w.svc.Idle)
	for _, script := range []bool{true, false} {
		tb := newTab(t)
		tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": !script}, nil)
		tb.enters(w, "ann")
		tb.width(390)
		tb.open(w.base + "/")
		if got := tb.eval("document.querySelectorAll('.alt').length + ' ' + document.querySelector('.alt > p').checkVisibility()"); got != "1 false" {
			t.Errorf("script %v: %s", script, got)
		}
		tb.eval("(document.querySelector('.alt > summary').focus(), 1)")
		tb.hit(" ")
		tb.holds("document.querySelector('.alt').open && document.querySelector('.alt > p').checkVisibility() && location.pathname == '/'")
		tb.holds("((p, g) => p.top >= g.top && p.bottom <= g.bottom && p.left >= g.left && p.right <= g.right)(document.querySelector('.alt > p').getBoundingClientRect(), document.querySelector('.gallery').getBoundingClientRect())")
		tb.holds("(e => e.scrollHeight > e.clientHeight && e.textContent.length > 1000)(document.querySelector('.alt > p'))")
		tb.pictured(fmt.Sprint("alt-", script))
		tb.clicks(".alt > summary")
		tb.holds("!document.querySelector('.alt').open")
		tb.calm()
	}
}

// lightboxSays reads the position, the description and the loaded file of the picture over the
// page.
const lightboxSays = "(d => [d.open, d.ariaLabel, d.querySelector('.caption').innerText.trim(), d.querySelector('img').complete && d.querySelector('img').naturalWidth].join('|'))(document.querySelector('.lightbox'))"

// pictureOpensByKeyboard checks that Enter opens a picture over the page, that arrows move between
// pictures and stop at the ends, and that Escape returns to the picture.
func pictureOpensByKeyboard(t *testing.T) {
	w, _, bob := flock(t, 0)
	w.postsWithPictures(bob.ID)
	tb := homeOf(t, w)
	tb.eval("(document.querySelector('.gallery.of3 a').focus(), 1)")
	tb.hit("Enter")
	tb.holds("%s == 'true|Picture 1 of 3|1 of 3\\n\\nThe fields, number 1 of 3|900'", lightboxSays)
	tb.pictured("lightbox")
	tb.hit("ArrowLeft")
	tb.holds("%s.startsWith('true|Picture 1 of 3')", lightboxSays)
	tb.hit("ArrowRight")
	tb.holds("%s == 'true|Picture 2 of 3|2 of 3|700'", lightboxSays)
	tb.hit("ArrowRight", "ArrowRight")
	tb.holds("%s == 'true|Picture 3 of 3|3 of 3\\n\\nThe fields, number 3 of 3|500'", lightboxSays)
	tb.hit("+")
	tb.holds("document.querySelector('.stage.near img').style.transform.includes('scale(1.5)') && document.querySelector('.lightbox .zoom').ariaLabel == 'Zoom out'")
	tb.hit("0")
	tb.holds("!document.querySelector('.stage.near')")
	for range 6 { // focus stays within the dialog
		tb.hit("Tab")
		if tb.eval("document.activeElement == document.body || document.querySelector('.lightbox').contains(document.activeElement)") != "true" {
			t.Error("the focus leaves the picture for " + tb.eval("document.activeElement.outerHTML"))
		}
	}
	tb.hit("Escape")
	tb.holds("!document.querySelector('.lightbox') && document.activeElement.matches('.gallery.of3 .shot:nth-child(3) > a') && location.pathname == '/'")
	tb.eval("(document.activeElement.click(), document.activeElement.click(), 1)")
	tb.holds("%s.startsWith('true|Picture 3 of 3')", lightboxSays)
	tb.hit("Escape")
	tb.holds("!document.querySelector('.lightbox')") // the second click opened no other one
	tb.calm()
}

// pictureIsZoomed checks that a click zooms at its point, that the mouse moves the zoomed picture,
// and that a finger swipes to the next picture and two fingers zoom. With a modifier key the link
// works.
func pictureIsZoomed(t *testing.T) {
	w, _, bob := flock(t, 0)
	w.postsWithPictures(bob.ID)
	tb := homeOf(t, w)
	tb.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true}, nil)
	tb.clicks(".gallery.of4 a")
	tb.holds("%s.startsWith('true|Picture 1 of 4') && document.querySelector('.stage img').naturalWidth == 900", lightboxSays)
	tb.clicks(".stage")
	tb.holds("document.querySelector('.stage.near img').style.transform == 'translate(0px, 0px) scale(2.5)'")
	mouse := func(kind string, x, y int) {
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
	mouse("mousePressed", 600, 400)
	mouse("mouseMoved", 500, 380)
	mouse("mouseReleased", 500, 380)
	tb.holds("document.querySelector('.stage.near img').style.transform == 'translate(-100px, -20px) scale(2.5)'")
	tb.clicks(".lightbox .zoom")
	tb.holds("!document.querySelector('.stage.near')")
	touch := func(kind string, at ...[2]int) {
		points := []map[string]any{}
		for i, p := range at {
			points = append(points, map[string]any{"x": p[0], "y": p[1], "id": i})
		}
		tb.do("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points}, nil)
	}
	touch("touchStart", [2]int{600, 300})
	touch("touchMove", [2]int{500, 310})
	touch("touchMove", [2]int{400, 310})
	touch("touchEnd")
	tb.holds("%s.startsWith('true|Picture 2 of 4')", lightboxSays)
	touch("touchStart", [2]int{500, 300}, [2]int{600, 300})
	touch("touchMove", [2]int{450, 300}, [2]int{650, 300})
	touch("touchEnd")
	tb.holds("parseFloat(document.querySelector('.stage.near img').style.transform.split('scale(')[1]) > 1.5")
	tb.clicks(".lightbox .close")
	tb.holds("!document.querySelector('.lightbox')")
	tb.eval("(document.querySelector('.gallery.of1 a').focus(), 1)")
	tb.clicks(".gallery.of1 a")
	tb.holds("%s.startsWith('true|Picture|The fields, number 1 of 1')", lightboxSays)
	mouse("mousePressed", 4, 300) // outside the picture
	mouse("mouseReleased", 4, 300)
	tb.holds("!document.querySelector('.lightbox')")
	tb.calm()
}

// picturesHaveNoBands checks that pictures and videos of any shape have no empty bands at their
// sides, in posts and on the pages of pictures.
func picturesHaveNoBands(t *testing.T) {
	w, _, bob := flock(t, 0)
	var all []linnet.StatusView
	for _, size := range [][2]int{{600, 1400}, {1600, 400}, {600, 600}} {
		all = append(all, w.post(bob.ID, linnet.Draft{Text: "shape", Media: []linnet.ID{w.uploaded(bob.ID, size[0], size[1], "a shape")}}))
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	const bands = `[...document.querySelectorAll('.shot > a, .viewer > a')].map(a => { a.scrollIntoView(); const b = a.getBoundingClientRect(), i = a.querySelector('img').getBoundingClientRect(); return Math.abs(b.width - i.width) + Math.abs(b.height - i.height); }).filter(n => n > 2).join()`
	for _, px := range []int{390, 1280} {
		tb.width(px)
		tb.open(w.base + "/")
		tb.holds("[...document.querySelectorAll('.gallery img')].every(e => (e.scrollIntoView(), e.complete && e.naturalWidth > 0))")
		if got := tb.eval(bands); got != "" {
			t.Errorf("bands in posts at %d px: %s", px, got)
		}
		tb.pictured(fmt.Sprint("shapes-", px))
		for _, st := range all {
			tb.open(w.base + postPath(st) + "/media/1")
			if got := tb.eval(bands); got != "" {
				t.Errorf("bands on the page of a picture at %d px: %s", px, got)
			}
		}
	}
	tb.calm()
}

// settingsShowPictures checks without scripts that the profile settings show the current picture
// and banner, and that the administration shows the icon and the picture of the server.
func settingsShowPictures(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/profile"), http.StatusOK, `<div class="frame circle"><img src="/faces/ann.svg" alt="Current picture">`, `<div class="frame banner"></div>`)
	wantTo(t, b.send("/settings/profile", map[string][][]byte{"avatar": {aPicture(600, 500)}, "header": {aPicture(3000, 900)}}, "display_name", "Ann", "visibility", "public"), "/settings/profile?done=saved")
	u, err := w.svc.View.User(t.Context(), ann.ID, ann.ID)
	if err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/settings/profile"), http.StatusOK, `<div class="frame circle"><img src="/media/`+u.Avatar+`"`, `<div class="frame banner"><img src="/media/`+u.Banner+`"`)
	want(t, b.get("/admin/settings"), http.StatusOK, `<div class="frame square"></div>`, `<div class="frame link"></div>`)
	wantTo(t, b.send("/admin/settings/pictures", map[string][][]byte{"icon": {aPicture(600, 600)}}), "/admin/settings?done=saved")
	want(t, b.get("/admin/settings"), http.StatusOK, `<div class="frame square"><img src="/media/`)
}

// videoOpensOverThePage checks that a video opens over the page from a post and from the media of a
// profile, where arrows lead to the pictures next to it. Without script it opens on its own page.
func videoOpensOverThePage(t *testing.T) {
	w, _, bob := flock(t, 0)
	w.post(bob.ID, linnet.Draft{Text: "fields", Media: []linnet.ID{w.uploaded(bob.ID, 900, 600, "The fields")}})
	data, err := os.ReadFile("../media/testdata/clip.webm")
	if err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("bob")
	b.get("/compose")
	a := b.send("/compose", files(data), "text", "moving", "visibility", "public", "key", "moving", "do", "attach")
	want(t, a, http.StatusOK)
	id := attached(a)[0]
	want(t, b.send("/compose", nil, "text", "moving", "visibility", "public", "key", "moving", "media", id, "alt-"+id, "A field in the wind"), http.StatusSeeOther)
	eventually(t, "tasks end", w.svc.Idle)
	const says = "(d => [d.ariaLabel, d.querySelector('.caption').innerText.trim(), d.querySelector('.stage').firstElementChild.localName, d.querySelector('.zoom').hidden].join('|'))(document.querySelector('.lightbox'))"
	tb := homeOf(t, w)
	tb.clicks(".played .enlarge")
	tb.holds("%s == 'Video|A field in the wind|video|true' && document.activeElement.localName == 'video'", says)
	tb.holds("document.querySelector('.stage video').readyState > 0 && document.querySelector('.stage video').videoWidth > 0")
	tb.pictured("video")
	tb.clicks(".stage video")
	tb.holds("!!document.querySelector('.lightbox')") // the click is for the video
	tb.hit("Escape")
	tb.holds("!document.querySelector('.lightbox') && document.activeElement.matches('.enlarge')")
	tb.open(w.base + "/@bob/media")
	tb.clicks(".shots li:first-child a")
	tb.holds("%s.startsWith('Video|1 of 2') && %[1]s.endsWith('video|true')", says)
	tb.hit("ArrowRight")
	tb.holds("%s.startsWith('Picture 2 of 2|2 of 2') && %[1]s.endsWith('img|false')", says)
	tb.hit("ArrowLeft")
	tb.holds("%s.endsWith('video|true')", says)
	tb.clicks(".lightbox .close")
	tb.holds("!document.querySelector('.lightbox') && document.activeElement.matches('.shots li:first-child a')")
	tb.calm()
	still := w.withoutScripts("ann")
	still.open(w.base + "/")
	still.press(".played .enlarge")
	still.holds("location.pathname.endsWith('/media/1') && !!document.querySelector('.viewer video')")
}

// groupPicturesArePreviewed checks that the settings of a group show its pictures and preview new
// ones, as in the settings of a profile.
func groupPicturesArePreviewed(t *testing.T) {
	w, ann, _ := flock(t, 0)
	g := w.privateGroup(ann.ID)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.width(390)
	for range 2 {
		tb.open(w.base + "/groups/watch/edit")
		tb.holds("document.querySelector('.circle img').naturalWidth > 0 && !document.querySelector('.banner canvas') && document.querySelectorAll('p[role=status]').length == 2")
		for frame, input := range map[string]string{"circle": "f-avatar", "banner": "f-header"} {
			tb.eval(drawnHere+`.then((transfer) => {
  const chooser = document.getElementById(%q);
  chooser.files = transfer.files;
  chooser.dispatchEvent(new Event('change', {bubbles: true}));
})`, input)
			tb.holds("(c => c.width == 40 && getComputedStyle(c).objectFit == 'cover')(document.querySelector('.%s canvas'))", frame)
		}
		tb.holds("(b => Math.abs(b.width / b.height - 3) < .05 && b.width > 250)(document.querySelector('.banner').getBoundingClientRect())")
		tb.pictured("group")
		tb.loads(func() { tb.clicks("main .card .button") })
		u, err := w.svc.View.User(t.Context(), ann.ID, g.ID)
		if err != nil || u.Avatar == "" || u.Banner == "" {
			t.Errorf("saved %+v, %v", u.User, err)
		}
	}
	tb.open(w.base + "/groups/watch/edit")
	tb.holds("document.querySelector('.banner img').naturalWidth > 0 && !!document.getElementsByName('no-avatar')[0] && !!document.getElementsByName('no-header')[0]")
	tb.calm()
}

// chosenPictureIsPreviewed checks that a chosen picture is shown as it will be cropped, until it is
// saved or another choice replaces it.
func chosenPictureIsPreviewed(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.width(390)
	release := w.hold(isModule("frame.js"))
	tb.open(w.base + "/settings/profile")
	choose := func(input, list string) {
		t.Helper()
		tb.eval(drawnHere+`.then((transfer) => {
  const chooser = document.getElementById(%q);
  chooser.files = %s;
  chooser.dispatchEvent(new Event('change', {bubbles: true}));
})`, input, list)
	}
	choose("f-avatar", "transfer.files")
	release() // a picture may be chosen while the module is loaded
	tb.holds("!!document.querySelector('.circle canvas') && document.querySelectorAll('p[role=status]').length >= 2")
	for frame, input := range map[string]string{"circle": "f-avatar", "banner": "f-header"} {
		choose(input, "transfer.files")
		tb.holds("(c => c.width == 40 && getComputedStyle(c).objectFit == 'cover' && c.ariaLabel == 'New picture, not saved yet')(document.querySelector('.%s canvas'))", frame)
	}
	tb.holds("(b => Math.abs(b.width / b.height - 3) < .05 && b.width > 250)(document.querySelector('.banner').getBoundingClientRect())")
	tb.holds("document.querySelector('.banner + p').innerText == 'New picture, not saved yet'")
	tb.eval("(document.querySelector('.circle').scrollIntoView({block: 'center'}), 1)")
	tb.pictured("preview")
	choose("f-header", "new DataTransfer().files")
	tb.holds("!document.querySelector('.banner canvas') && document.querySelector('.banner + p').innerText == ''")
	tb.loads(func() { tb.clicks(".save .button") })
	u, err := w.svc.View.User(t.Context(), ann.ID, ann.ID)
	if err != nil || u.Avatar == "" || u.Banner != "" {
		t.Errorf("saved %+v, %v", u.User, err)
	}
	tb.holds("document.querySelector('.circle img').src.endsWith('/media/%s')", u.Avatar)
	tb.calm()
}
