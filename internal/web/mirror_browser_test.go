package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/assets"
)

// textsGoTheirWay checks that each text follows its own direction, regardless of the page.
func textsGoTheirWay(t *testing.T) {
	w, ann, bob := flock(t, 0)
	w.post(bob.ID, linnet.Draft{Text: "שלום לכולם", Warning: "אזהרה"})
	w.post(bob.ID, linnet.Draft{Text: "مرحبا بالجميع"})
	w.post(bob.ID, linnet.Draft{Text: "hello all"})
	name := "דנה"
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Name: &name, Note: &name, Fields: &[]linnet.ProfileField{{Name: name, Value: "a value"}}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	for path, page := range map[string]string{"/": "ltr", "/?": "rtl"} {
		tb.open(w.base + path)
		tb.eval("document.documentElement.dir = %q", page)
		tb.eval("document.querySelectorAll('details').forEach(d => d.open = true)")
		if got := tb.eval("getComputedStyle(document.documentElement).direction"); got != page {
			t.Errorf("%s goes %s", path, got)
		}
		if got := tb.eval("[...document.querySelectorAll('.post .text')].map(e => e.dir + ' ' + getComputedStyle(e).direction).join()"); got != "auto ltr,auto rtl,auto rtl" {
			t.Errorf("%s: the texts go %s", path, got)
		}
		// Text is aligned to the side where its direction begins.
		const sides = `[...document.querySelectorAll('.post .text p')].map(p => { const r = document.createRange(); r.selectNodeContents(p);
			const a = r.getBoundingClientRect(), b = p.getBoundingClientRect(); return a.left - b.left < b.right - a.right ? 'left' : 'right' }).join()`
		if got := tb.eval("%s", sides); got != "left,right,right" {
			t.Errorf("%s: the texts stand %s", path, got)
		}
		tb.holds("getComputedStyle(document.querySelector('.warned summary span')).direction == 'rtl'")
		tb.writes("שלום")
		tb.holds("getComputedStyle(document.getElementById('text')).direction == 'rtl'")
		tb.writes("hello")
		tb.holds("getComputedStyle(document.getElementById('text')).direction == 'ltr'")
	}
	tb.open(w.base + "/@ann")
	tb.holds("document.querySelector('.profile .text').dir == 'auto' && getComputedStyle(document.querySelector('.profile .text')).direction == 'rtl'")
	tb.holds("[...document.querySelectorAll('.fields dt, .fields dd')].map(e => getComputedStyle(e).direction).join() == 'rtl,ltr'")
	tb.calm()
}

// standsAt returns the distances of page elements from both sides of the window.
const standsAt = `['.nav', '.post .face', '.post .when', '.act.reply', '.composer .send', '.app .foot', '.post h3'].map(s => document.querySelector(s)).filter(e => e?.checkVisibility())
	.map(e => { const b = e.getBoundingClientRect(); return [b.left, innerWidth - b.right].map(Math.round) })`

// englishIsNotMirrored checks that the lang parameter changes neither the language nor the
// direction of the home page.
func englishIsNotMirrored(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	for _, b := range []*browser{w.browser(), w.browser().logIn("ann")} {
		for _, code := range []string{"ar", "he", "fa"} {
			if a := b.get("/?lang=" + code); strings.Contains(a.body, "rtl") || !strings.Contains(a.body, `<html lang="en"`) {
				t.Errorf("lang=%s: %s", code, a.body[:200])
			}
		}
	}
}

// languageMirrors checks that the right-to-left layout mirrors the page exactly. Each distance from
// one side equals the distance from the other side in the mirrored page.
func languageMirrors(t *testing.T) {
	w, _, bob := flock(t, 21)
	st := w.post(bob.ID, linnet.Draft{Text: "over there", Warning: "Birds"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, path := range []string{"/", postPath(st), "/@bob"} {
		for _, px := range []int{375, 800, 1280} {
			tb.width(px)
			tb.open(w.base + path)
			usual := tb.eval("JSON.stringify(%s)", standsAt)
			tb.eval("document.documentElement.dir = 'rtl'")
			if got := tb.eval("JSON.stringify(%s.map(p => p.reverse()))", standsAt); got != usual || strings.Count(usual, "[") < 5 {
				t.Errorf("%s at %d px: mirrored %s, usually %s", path, px, got, usual)
			}
			if tb.eval("document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollLeft != 0") == "true" {
				t.Errorf("%s at %d px: wider than the window", path, px)
			}
			if flipped := tb.eval("[...document.querySelectorAll('.flip')].filter(e => e.checkVisibility()).every(e => getComputedStyle(e).transform.startsWith('matrix(-1'))"); flipped != "true" {
				t.Errorf("%s: an arrow points the wrong way", path)
			}
		}
	}
	tb.calm()
}

// standsFirst tests whether a clipped text still shows its first letter.
const standsFirst = `(e => { const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), n = walk.nextNode(), r = document.createRange(), b = e.getBoundingClientRect();
	r.setStart(n, 0); r.setEnd(n, 1); const a = r.getBoundingClientRect(); return e.scrollWidth > e.clientWidth && a.left >= b.left - 1 && a.right <= b.right + 1 })(document.querySelector('%s'))`

// latinNamesAreCutAtTheirEnds checks that clipped Latin names lose their end, not their beginning,
// in Arabic pages. Handles and metadata are aligned to the start of lines.
func latinNamesAreCutAtTheirEnds(t *testing.T) {
	w, ann, bob := flock(t, 1)
	name := "Bartholomew Featherstonehaugh"
	if _, err := w.svc.Social.Profiles.Update(t.Context(), bob.ID, linnet.ProfileChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	st := w.post(bob.ID, linnet.Draft{Text: "a post"})
	w.post(ann.ID, linnet.Draft{Text: "quoted", QuoteOf: st.ID})
	w.role("ann", linnet.Admin)
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.width(320)
	tb.asks("ar")
	for path, selector := range map[string]string{"/@bob": ".post h3 bdi.p-name", "/@ann": ".quote-head bdi"} {
		tb.open(w.base + path)
		tb.holds(standsFirst, selector)
	}
	for path, selector := range map[string]string{"/@ann/following": ".person .handle", "/admin/users/bob": ".fields dd > *"} {
		tb.open(w.base + path)
		const begins = `(e => Math.abs(e.getBoundingClientRect().right - e.closest('h3, dd').getBoundingClientRect().right) < 2)(document.querySelector('%s'))`
		tb.holds(begins, selector)
	}
}

// physical matches properties for left and right that have a logical equivalent.
var physical = regexp.MustCompile(`(?:^|[;{\s])((?:margin|padding|border)-(?:left|right)|left|right|text-align: (?:left|right)|float|border-(?:top|bottom)-(?:left|right)-radius)\b\s*[:;]`)

// shorthand matches four-sided properties, whose second and fourth value must be equal.
var shorthand = regexp.MustCompile(`(?:margin|padding|inset|border-width):\s*([^;}]+)[;}]`)

// styleNamesNoSides checks that style sheets use logical properties, so that pages can be mirrored.
func styleNamesNoSides(t *testing.T) {
	for _, name := range assets.List("css") {
		b, err := os.ReadFile(filepath.Join("assets", "css", name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if m := physical.FindString(line); m != "" {
				t.Errorf("%s:%d names a side: %s", name, i+1, m)
			}
			for _, m := range shorthand.FindAllStringSubmatch(line, -1) {
				if sides := values(m[1]); len(sides) == 4 && sides[1] != sides[3] {
					t.Errorf("%s:%d differs by side: %s", name, i+1, m[0])
				}
			}
		}
	}
}

// values splits a CSS value at spaces outside of brackets.
func values(s string) []string {
	depth := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ' ' && depth == 0
	})
}
