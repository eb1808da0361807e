package web_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/post"
)

// uploaded uploads a picture that is not yet attached to a post. It returns the picture's id.
func (w *world) uploaded(me linnet.ID, width, height int, description string) linnet.ID {
	w.t.Helper()
	f, err := w.svc.Uploads.Receive(strings.NewReader(string(aPicture(width, height))))
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	a, err := w.svc.Uploads.Upload(w.t.Context(), me, f, nil, linnet.AttachmentChange{Description: &description})
	if err != nil {
		w.t.Fatal(err)
	}
	return a.ID
}

// postsWithPictures posts as bob with one to four pictures. Every second picture has a description.
func (w *world) postsWithPictures(bob linnet.ID) (all []linnet.StatusView) {
	w.t.Helper()
	for n := 1; n <= linnet.MaxAttachments; n++ {
		d := linnet.Draft{Text: fmt.Sprintf("with %d", n)}
		for i := range n {
			text := ""
			if i%2 == 0 {
				text = fmt.Sprintf("The fields, number %d of %d", i+1, n)
			}
			d.Media = append(d.Media, w.uploaded(bob, 900-200*i, 600, text))
		}
		all = append(all, w.post(bob, d))
	}
	eventually(w.t, "tasks end", w.svc.Idle)
	return all
}

// picturesHaveTexts checks that the alt text of each picture is its description, or says that it
// has none, on every page.
func picturesHaveTexts(t *testing.T) {
	w, _, bob := flock(t, 0)
	all := w.postsWithPictures(bob.ID)
	tb := newTab(t)
	tb.enters(w, "ann")
	for path, says := range map[string]string{
		postPath(all[0]): "The fields, number 1 of 1", postPath(all[0]) + "/media/1": "The fields, number 1 of 1",
		postPath(all[2]): "The fields, number 1 of 3|Picture 2 of 3, without a description|The fields, number 3 of 3",
	} {
		tb.open(w.base + path)
		if got := tb.eval("[...document.querySelectorAll('.gallery img, figure img')].map(e => e.alt).join('|')"); got != says {
			t.Errorf("%s: pictures say %q, want %q", path, got, says)
		}
	}
	for path, n := range map[string]string{"/": "10", "/@bob": "10", "/@bob/media": "10"} {
		tb.open(w.base + path)
		if got := tb.eval("[...document.querySelectorAll('.gallery img, .shots img')].filter(e => /^The fields|without a description$/.test(e.alt)).length"); got != n {
			t.Errorf("%s: %s pictures have a text, want %s", path, got, n)
		}
	}
	tb.pictured("media")
}

// answered posts a thread with replies four levels deep. Each level also has a reply with its own
// reply.
func (w *world) answered(ann, bob linnet.ID) (root linnet.StatusView) {
	w.t.Helper()
	root = w.post(ann, linnet.Draft{Text: "root"})
	last := root
	for i := range 4 {
		beside := w.post(ann, linnet.Draft{Text: fmt.Sprintf("beside %d", i+1), InReplyTo: last.ID})
		w.post(bob, linnet.Draft{Text: "answers it", InReplyTo: beside.ID})
		last = w.post(bob, linnet.Draft{Text: fmt.Sprintf("level %d", i+1), InReplyTo: last.ID})
	}
	eventually(w.t, "tasks end", w.svc.Idle)
	return root
}

// answersAreIndented checks that each reply level is indented by the same step from the start of
// lines. A visible line connects each reply to its parent.
func answersAreIndented(t *testing.T) {
	w, ann, bob := flock(t, 0)
	root := w.answered(ann.ID, bob.ID)
	tb := newTab(t)
	tb.enters(w, "ann")
	const steps = `(at => JSON.stringify(at.slice(1).map((x, i) => x - at[i])))([1, 2, 3, 4].map(n => {
		const b = [...document.querySelectorAll('.tree .post')].find(e => e.textContent.includes('level ' + n)).querySelector('.face img').getBoundingClientRect();
		return Math.round(document.dir == 'rtl' ? innerWidth - b.right : b.left) }))`
	const unled = `[...document.querySelectorAll('.tree ol > li')].filter(e => { const s = getComputedStyle(e, '::before');
		return s.borderInlineStartStyle != 'solid' || parseFloat(s.borderInlineStartWidth) < 1 || parseFloat(s.height) < 10 || s.borderInlineStartColor == getComputedStyle(e.closest('.sheet')).backgroundColor }).length`
	for px, want := range map[int]string{360: "[24,24,24]", 1280: "[36,36,36]"} {
		tb.width(px)
		tb.open(w.base + postPath(root))
		for _, dir := range []string{"ltr", "rtl"} {
			tb.eval("document.dir = %q", dir)
			if got := tb.eval(steps); got != want {
				t.Errorf("at %d px, %s: levels stand in by %s, want %s", px, dir, got, want)
			}
			if got := tb.eval(unled); got != "0" {
				t.Errorf("at %d px, %s: no line leads to %s answers", px, dir, got)
			}
		}
		tb.eval("document.dir = 'ltr', document.querySelector('.tree').scrollIntoView()")
		tb.pictured(fmt.Sprint("thread-", px))
	}
}

// seen reports whether the element is visible.
func (tb *tab) seen(selector string) bool {
	tb.t.Helper()
	return tb.eval("(e => !!e && e.checkVisibility({contentVisibilityAuto: true}) && e.getBoundingClientRect().height > 1)(document.querySelector(%q))", selector) == "true"
}

// foldsOpen checks that collapsed content opens and closes without scripts.
func foldsOpen(t *testing.T) {
	w, ann, bob := flock(t, 0)
	root := w.post(ann.ID, linnet.Draft{Text: "root"})
	first := w.post(bob.ID, linnet.Draft{Text: "first", InReplyTo: root.ID})
	for i := range 3 {
		w.post(w.user(fmt.Sprint("quiet", i)).ID, linnet.Draft{Text: fmt.Sprint("in quiet ", i), InReplyTo: first.ID})
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(360, 700)
	tb.open(w.base + postPath(root))
	if says := tb.eval("document.querySelector('.fold > summary').innerText.trim()"); says != "3 more replies" || tb.seen(".fold .post") {
		t.Errorf("shut, it says %q, or shows what is folded", says)
	}
	if n := tb.eval("document.querySelectorAll('.fold > summary .faces img').length"); n != "3" {
		t.Errorf("it has %s faces", n)
	}
	tb.clicks(".fold > summary")
	tb.holds("[...document.querySelectorAll('.fold .post')].filter(e => e.checkVisibility() && e.getBoundingClientRect().height > 30).length == 3")
	tb.pictured("open")
	tb.clicks(".fold > summary")
	tb.holds("!document.querySelector('.fold').open")
}

// homeSaysWhomPostsAnswer checks that a reply in the home timeline names its addressee and links to
// the parent post. Reposts name the accounts that boosted.
func homeSaysWhomPostsAnswer(t *testing.T) {
	w, ann, bob := flock(t, 0)
	eve := w.user("eve")
	w.follows(ann.ID, eve.ID)
	root := w.post(eve.ID, linnet.Draft{Text: "asked"})
	for i := range 3 {
		w.post(bob.ID, linnet.Draft{Text: fmt.Sprint("between ", i)})
	}
	w.post(bob.ID, linnet.Draft{Text: "answered", InReplyTo: root.ID})
	song := w.post(w.user("cat").ID, linnet.Draft{Text: "boosted"})
	for _, u := range []linnet.User{bob, eve} {
		if _, err := w.svc.Posting.Repost(t.Context(), u.ID, song.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	if got := tb.eval("[...document.querySelectorAll('.ctx')].map(e => e.textContent.trim().replace(/\\s+/g, ' ') + ' ' + e.pathname).join()"); got != "Replying to @eve "+postPath(root) {
		t.Errorf("it says %q", got)
	}
	if got := tb.eval("[...document.querySelectorAll('.by:not(:has(.ctx))')].map(e => e.textContent.trim().replace(/\\s+/g, ' ')).join()"); got != "bob and 1 other boosted" {
		t.Errorf("it says %q", got)
	}
	if twice := tb.eval("(all => all.length - new Set(all).size)([...document.querySelectorAll('.post')].map(e => e.dataset.id))"); twice != "0" {
		t.Errorf("%s posts stand twice", twice)
	}
	tb.pictured("home")
	tb.press(".ctx")
	tb.shows("asked")
}

// longPostsOpen checks that a long post is collapsed and expands without scripts. Posts with a few
// emoji only are shown larger.
func longPostsOpen(t *testing.T) {
	w, _, bob := flock(t, 0)
	w.post(bob.ID, linnet.Draft{Text: strings.Repeat("a line\n", 30) + "the end"})
	w.post(bob.ID, linnet.Draft{Text: "🐈 🪶"})
	w.post(bob.ID, linnet.Draft{Text: "words"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(360, 700)
	tb.open(w.base + "/")
	const ends = "document.body.innerText.includes('the end')"
	if tb.eval(ends) != "false" || tb.eval("document.body.textContent.includes('the end')") != "true" {
		t.Error("the end is shown, or is not in the page")
	}
	shut := tb.eval("document.documentElement.scrollHeight")
	tb.clicks(".rest > summary")
	tb.holds("%s && document.documentElement.scrollHeight > %s + 200 && document.querySelector('.rest > summary').innerText.includes('Show less')", ends, shut)
	tb.clicks(".rest > summary")
	tb.holds("!(%s)", ends)
	if got := tb.eval("[...document.querySelectorAll('.post .text')].slice(0, 2).map(e => parseFloat(getComputedStyle(e).fontSize)).reduce((words, emoji) => emoji / words > 1.5)"); got != "true" {
		t.Error("emoji are not larger than words")
	}
	tb.pictured("home")
}

// unframed returns galleries with pictures that overflow, overlap or leave a part of the frame
// empty.
const unframed = `[...document.querySelectorAll('.gallery')].map(g => { g.scrollIntoView(); const a = g.getBoundingClientRect(), all = [...g.querySelectorAll('img')].map(e => e.getBoundingClientRect());
	const out = all.some(b => b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1);
	const over = all.some((b, i) => all.slice(i + 1).some(c => b.left < c.right - 1 && c.left < b.right - 1 && b.top < c.bottom - 1 && c.top < b.bottom - 1));
	const share = all.reduce((n, b) => n + b.width * b.height, 0) / a.width / a.height;
	return out || over || share < .93 || a.height > 700 ? g.className + ': out ' + out + ', over ' + over + ', filled ' + share : '' }).filter(Boolean).join()`

// picturesFillTheirFrame checks that pictures fill their frame, and that those with a description
// have an ALT badge.
func picturesFillTheirFrame(t *testing.T) {
	w, _, bob := flock(t, 0)
	w.postsWithPictures(bob.ID)
	tb := homeOf(t, w)
	for _, px := range []int{360, 1280} {
		tb.width(px)
		tb.holds("[...document.querySelectorAll('.gallery img')].every(e => (e.scrollIntoView(), e.complete && e.naturalWidth > 0))")
		if got := tb.eval(unframed); got != "" {
			t.Errorf("at %d px: %s", px, got)
		}
		tb.eval("document.querySelector('.gallery').closest('.post').scrollIntoView()")
		tb.pictured(fmt.Sprint("pictures-", px))
	}
	if got := tb.eval("[...document.querySelectorAll('.gallery')].map(e => e.querySelectorAll('img').length + ' ' + [...e.querySelectorAll('.alt')].filter(e => e.checkVisibility() && e.innerText == 'ALT').length).join()"); got != "4 2,3 2,2 1,1 1" {
		t.Errorf("pictures, and signs on them: %s", got)
	}
}

// framesAreInPosts checks that quotes, polls and link previews have a frame within the text
// column. They also have to work without scripts.
func framesAreInPosts(t *testing.T) {
	w, ann, bob := flock(t, 0)
	of := w.post(ann.ID, linnet.Draft{Text: "quoted words"})
	w.post(bob.ID, linnet.Draft{Text: "see", QuoteOf: of.ID})
	asked := w.post(bob.ID, linnet.Draft{Text: "which?", Poll: &linnet.PollDraft{Options: []string{"tea", "milk"}, Seconds: 3600}})
	w.post(bob.ID, linnet.Draft{Text: "read https://www.site.test/a"})
	eventually(t, "tasks end", w.svc.Idle)
	var b strings.Builder
	card := &linnet.Card{Link: "https://www.site.test/a", Title: "A title of the usual length", Description: "And what it is about", Site: "Site"}
	if err := post.LinkPreviewOf(card).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	tb := w.withoutScripts("ann")
	tb.open(w.base + "/")
	tb.eval("document.querySelector('.post .text').insertAdjacentHTML('afterend', %q)", b.String())
	const odd = `['.quote', '.poll', '.preview'].filter(s => { const e = document.querySelector(s), b = e.getBoundingClientRect(), p = e.closest('.post').querySelector('.text').getBoundingClientRect();
		const framed = [e, ...e.querySelectorAll('.check')].some(e => getComputedStyle(e).borderTopStyle == 'solid' || getComputedStyle(e).backgroundColor != 'rgba(0, 0, 0, 0)');
		return !framed || b.height < 40 || b.left < p.left - 1 || b.right > p.right + 1 }).join()`
	for _, px := range []int{320, 1280} {
		tb.width(px)
		if got := tb.eval(odd); got != "" {
			t.Errorf("at %d px: %s is not framed, or stands out", px, got)
		}
		tb.pictured(fmt.Sprint("frames-", px))
	}
	if got := tb.eval("document.querySelector('.quote .when').pathname + ' ' + document.querySelector('.quote').innerText.includes('quoted words')"); got != postPath(of)+" true" {
		t.Errorf("the quote leads to and shows: %s", got)
	}
	tb.clicks(".poll .check [value='1']")
	tb.press(".poll button.quiet")
	tb.open(w.base + postPath(asked))
	if got := tb.eval("document.querySelector('.poll .most').innerText.replace(/\\s+/g, ' ')"); !strings.Contains(got, "milk") || !strings.Contains(got, "100%") {
		t.Errorf("after a vote the poll says %q", got)
	}
	tb.pictured("voted")
}

// editedPostsLeadToTheirHistory checks that an edited post is marked as edited, and that the mark
// leads to the edit history.
func editedPostsLeadToTheirHistory(t *testing.T) {
	w, _, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "It sings in a fortnight"})
	if _, err := w.svc.Posting.Edit(t.Context(), bob.ID, st.ID, linnet.Edit{Text: "It sings in a week"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(360, 700)
	for _, path := range []string{"/", "/@bob", postPath(st)} {
		tb.open(w.base + path)
		if !tb.seen(".post .edited") || tb.eval("document.querySelector('.post .edited').title.startsWith('Edited ')") != "true" {
			t.Errorf("%s does not say that it was edited", path)
		}
	}
	tb.shows("Edited ") // the post's own page spells out the date
	tb.press(".post .edited")
	tb.shows("Edit history", "It sings in a", "week", "fortnight")
	if marked := tb.eval("[...document.querySelectorAll('.version ins, .version del')].map(e => e.tagName + ' ' + e.textContent.trim()).join()"); !strings.Contains(marked, "INS ") || !strings.Contains(marked, "DEL ") {
		t.Errorf("what changed is marked as %q", marked)
	}
	tb.pictured("history")
}

// actionsShareOneGrid checks that the actions of all posts are aligned, regardless of content and
// author.
func actionsShareOneGrid(t *testing.T) {
	w, ann, bob := flock(t, 1)
	of := w.post(ann.ID, linnet.Draft{Text: "my own, " + strings.Repeat("and long ", 40)})
	w.post(bob.ID, linnet.Draft{Text: "behind", Warning: "Birds"})
	w.post(bob.ID, linnet.Draft{Text: "@ann see", QuoteOf: of.ID})
	w.post(bob.ID, linnet.Draft{Text: "with a picture", Media: []linnet.ID{w.uploaded(bob.ID, 300, 300, "")}})
	w.post(bob.ID, linnet.Draft{Text: "an answer", InReplyTo: of.ID})
	for i := range 11 {
		if _, err := w.svc.Posting.Marks.Favourite(t.Context(), w.user(fmt.Sprint("bird", i)).ID, of.ID); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	const grids = `[...new Set([...document.querySelectorAll('.post:not(.tree *) > .acts')].filter(e => e.checkVisibility()).map(e => { const a = e.getBoundingClientRect();
		return JSON.stringify([...e.children].filter(e => e.getBoundingClientRect().width).map(e => { const b = e.querySelector('svg').getBoundingClientRect(); return Math.round(b.left - a.left) })) }))]`
	for _, path := range []string{"/", "/@bob", "/local", "/notifications"} {
		tb.open(w.base + path)
		for _, px := range []int{320, 375, 1280} {
			tb.width(px)
			if got := tb.eval("(g => g.length == 1 && JSON.parse(g[0]).length == 5 ? '' : g.join(' and '))(%s)", grids); got != "" {
				t.Errorf("%s at %d px: actions stand at %s", path, px, got)
			}
		}
		tb.pictured(strings.ReplaceAll("grid"+path, "/", "-"))
	}
}

// pressedActionsShow checks that a pressed action changes its colour and number at once. Pressing
// it again restores both.
func pressedActionsShow(t *testing.T) {
	w, _, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "sing"})
	eve := w.user("eve")
	if _, err := w.svc.Posting.Marks.Favourite(t.Context(), eve.ID, st.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	tb.media("", lightSystem, noMotion)
	tb.eval("window.stays = 1")
	for act, counts := range map[string][2]string{"favourite": {"1", "2"}, "bookmark": {"", ""}} {
		const state = "(e => e.ariaPressed + ' ' + e.textContent.trim())(document.querySelector('.act.%s'))"
		colour := fmt.Sprintf("getComputedStyle(document.querySelector('.act.%s .i')).color", act)
		before := tb.eval("%s", colour)
		if got := tb.eval(state, act); got != "false "+counts[0] {
			t.Errorf("%s is %q at first", act, got)
		}
		tb.clicks(".act." + act)
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": 1, "y": 1}, nil)
		tb.holds(state+" == 'true %s' && !document.querySelector('[data-busy]')", act, counts[1])
		tb.holds("%s != '%s'", colour, before)
		if act == "favourite" {
			tb.clicks(".act.favourite")
			tb.holds(state+" == 'false 1' && !document.querySelector('[data-busy]')", act)
			tb.clicks(".act.favourite")
			tb.holds(state+" == 'true 2' && !document.querySelector('[data-busy]')", act)
		}
	}
	if tb.eval("window.stays") != "1" {
		t.Error("the page was left")
	}
	tb.pictured("pressed")
	tb.calm()
}
