package web_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// media emulates a medium ("" for the screen) with media features such as "prefers-color-scheme:
// dark".
func (tb *tab) media(medium string, wishes ...string) {
	tb.t.Helper()
	features := []map[string]string{}
	for _, wish := range wishes {
		name, value, _ := strings.Cut(wish, ": ")
		features = append(features, map[string]string{"name": name, "value": value})
	}
	tb.do("Emulation.setEmulatedMedia", map[string]any{"media": medium, "features": features}, nil)
}

const (
	lightSystem = "prefers-color-scheme: light"
	darkSystem  = "prefers-color-scheme: dark"
	noMotion    = "prefers-reduced-motion: reduce"
	noColours   = "forced-colors: active"
)

// brightness returns "light" or "dark" for a colour property of an element.
func (tb *tab) brightness(property, element string) string {
	tb.t.Helper()
	return tb.eval(`(c => { const p = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d');
		p.fillStyle = c; p.fillRect(0, 0, 1, 1); return Math.round([...p.getImageData(0, 0, 1, 1).data].slice(0, 3).reduce((a, b) => a + b) / 3) > 127 ? 'light' : 'dark' })(getComputedStyle(%s).%s)`, element, property)
}

// coloursFollow checks that colours follow the system setting until the user chooses a theme, with
// and without scripts. All themes need enough contrast.
func coloursFollow(t *testing.T) {
	script := axe(t)
	w, _, bob := flock(t, 2)
	w.post(bob.ID, linnet.Draft{Text: "A link, https://example.com/, #birds and @ann", Warning: "Birds"})
	eventually(t, "tasks end", w.svc.Idle)
	for _, scripts := range []bool{true, false} {
		tb := newTab(t)
		tb.width(1280)
		tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": !scripts}, nil)
		tb.enters(w, "ann")
		tb.open(w.base + "/")
		for _, choice := range []string{"", "dark", "light", ""} {
			chip := fmt.Sprintf(".choice button[value=%q]", choice)
			if scripts {
				tb.eval("document.querySelector(%q).click()", chip)
				tb.holds("document.querySelector(%q).ariaPressed == 'true'", chip)
			} else {
				tb.press(chip)
			}
			for system, wish := range map[string]string{"light": lightSystem, "dark": darkSystem} {
				tb.media("", wish, noMotion)
				want := choice
				if choice == "" {
					want = system
				}
				for _, element := range []string{"document.body", "document.querySelector('.post')"} {
					if got := tb.brightness("backgroundColor", element); got != want {
						t.Errorf("scripts %v, choice %q, system %s: %s is %s", scripts, choice, system, element, got)
					}
				}
				if got := tb.brightness("color", "document.body"); got == want {
					t.Errorf("choice %q, system %s: the text is %s too", choice, system, got)
				}
				if scripts {
					tb.axe(script, fmt.Sprintf("home, choice %q, system %s", choice, system), "color-contrast")
				}
			}
		}
	}
}

// moving returns elements with animations, transitions or smooth scrolling.
const moving = `[...document.querySelectorAll('*')].flatMap(e => ['', '::before', '::after'].map(p => [e, p, getComputedStyle(e, p)]))
	.filter(([, , s]) => s.animationName != 'none' || s.transitionDuration.split(', ').some(d => parseFloat(d) > 0) || s.scrollBehavior == 'smooth')
	.map(([e, p]) => e.tagName + '.' + e.className + p).slice(0, 5).join()`

// nothingMoves checks that animations are off if the system or account setting reduces motion.
func nothingMoves(t *testing.T) {
	w, ann, _ := flock(t, 3)
	tb := homeOf(t, w)
	tb.media("", "prefers-reduced-motion: no-preference")
	if tb.eval(moving) == "" {
		t.Error("nothing moves anyway: the test sees nothing")
	}
	tb.media("", noMotion)
	for _, path := range []string{"/", "/@bob", "/compose", "/notifications", "/settings/profile"} {
		tb.open(w.base + path)
		if got := tb.eval(moving); got != "" {
			t.Errorf("%s: %s moves", path, got)
		}
	}
	tb.media("", "prefers-reduced-motion: no-preference")
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Appearance: &linnet.Appearance{Still: true}}); err != nil {
		t.Fatal(err)
	}
	tb.open(w.base + "/")
	if got := tb.eval(moving); got != "" {
		t.Errorf("by setting: %s moves", got)
	}
}

// borderless returns controls without a visible border.
const borderless = `[...document.querySelectorAll('button, summary, .button, .quiet, .chip, .act, .write')].filter(e => e.checkVisibility() && e.getBoundingClientRect().height > 1)
	.filter(e => { const s = getComputedStyle(e); return !(parseFloat(s.borderTopWidth) >= 1 && s.borderTopStyle != 'none' && s.borderTopColor != s.backgroundColor && !/^rgba.*, 0\)$/.test(s.borderTopColor)) })
	.map(e => e.outerHTML.slice(0, 70)).slice(0, 5).join(' | ')`

// edgesWithForcedColours checks that controls have a border in forced colours mode.
func edgesWithForcedColours(t *testing.T) {
	w, _, bob := flock(t, 2)
	w.post(bob.ID, linnet.Draft{Text: "behind", Warning: "Birds"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	if tb.eval(borderless) == "" {
		t.Error("all has an edge anyway: the test sees nothing")
	}
	tb.media("", noColours)
	for _, path := range []string{"/", "/@bob", "/compose", "/notifications", "/settings/profile", "/lists", "/explore"} {
		tb.open(w.base + path)
		tb.eval("document.querySelectorAll('details').forEach(d => d.open = true)")
		for _, px := range []int{375, 1280} {
			tb.width(px)
			if got := tb.eval(borderless); got != "" {
				t.Errorf("%s at %d px: without an edge: %s", path, px, got)
			}
		}
	}
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	w.post(bob.ID, linnet.Draft{Text: "new"})
	tb.holds("document.querySelector('.pill')?.checkVisibility()")
	if got := tb.eval(borderless); got != "" {
		t.Errorf("the button for new posts: %s", got)
	}
}

// cut returns elements with clipped text.
const cut = `[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && /hidden|clip/.test(getComputedStyle(e).overflow + getComputedStyle(e).overflowX))
	.filter(e => !e.closest('.unseen, .invisible, svg, .label, select') && getComputedStyle(e).webkitLineClamp == 'none')
	.filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
	.concat([...document.querySelectorAll('button, .button, .quiet, .chip, .act, summary, input:not([type=hidden]), .badge')].filter(e => e.checkVisibility() && !e.closest('.unseen')
		&& (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1 && e.clientHeight > 1)))
	.map(e => e.outerHTML.slice(0, 90)).slice(0, 5).join(' | ')`

// wider sets the text spacing that WCAG 2.2, criterion 1.4.12, requires pages to support.
const wider = `(s => (s.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }'),
	document.adoptedStyleSheets = [s]))(new CSSStyleSheet())`

// larger doubles the font size.
const larger = `(s => (s.replaceSync('html { font-size: 200% !important }'), document.adoptedStyleSheets = [s]))(new CSSStyleSheet())`

// enlargedNothingIsCut checks that no text is clipped after zooming, with larger fonts or with
// wider text spacing.
func enlargedNothingIsCut(t *testing.T) {
	w := served(t)
	st := furnish(w)
	w.role("ann", linnet.Admin)
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, path := range []string{"/", postPath(st), "/@bob", "/compose", "/notifications", "/settings/profile", "/lists", "/explore", "/admin", "/search?q=bob"} {
		tb.open(w.base + path)
		for _, how := range []struct {
			says, style string
			px          int
		}{{"zoomed", "1", 640}, {"wider", wider, 1280}, {"wider", wider, 375}, {"larger", larger, 640}} {
			tb.width(how.px)
			tb.eval("document.adoptedStyleSheets = []")
			tb.eval("(%s, 1)", how.style)
			if got := tb.eval(cut); got != "" {
				t.Errorf("%s, %s at %d px: cut is %s", path, how.says, how.px, got)
			}
			if tb.eval("document.documentElement.scrollWidth > innerWidth") == "true" {
				t.Errorf("%s, %s at %d px: %s px wide", path, how.says, how.px, tb.eval("document.documentElement.scrollWidth"))
			}
		}
	}
}

// cutLines returns lines of posts whose middle is clipped. Comparing heights is not enough, because
// the boxes of links are taller than their lines in some fonts.
const cutLines = `[...document.querySelectorAll('.post .text')].flatMap(text => {
	const lines = [], walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
	for (let n = walker.nextNode(); n; n = walker.nextNode()) {
		if (n.parentElement.closest('.invisible')) continue;
		const range = document.createRange();
		range.selectNodeContents(n);
		for (const r of range.getClientRects()) {
			for (let e = n.parentElement; e && e !== document.body; e = e.parentElement) {
				const style = getComputedStyle(e), box = e.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
				if (style.overflowY !== 'visible' && (y < box.top || y > box.bottom) || style.overflowX !== 'visible' && (x < box.left || x > box.right)) lines.push(n.data);
			}
		}
	}
	return lines;
}).join(' | ')`

// paperReads checks that printed pages contain complete posts and the addresses of links, dark on
// light. Controls are not printed.
func paperReads(t *testing.T) {
	w, ann, bob := flock(t, 1)
	st := w.post(bob.ID, linnet.Draft{Text: "See https://example.com/a/long/way/" + strings.Repeat("x", 40) + " and #birds"})
	w.post(ann.ID, linnet.Draft{Text: "@bob seen", InReplyTo: st.ID})
	w.post(bob.ID, linnet.Draft{Text: strings.Repeat("A long post is printed whole. ", 16)})
	eventually(t, "tasks end", w.svc.Idle)
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Appearance: &linnet.Appearance{Theme: "dark"}}); err != nil {
		t.Fatal(err)
	}
	tb := homeOf(t, w)
	w.post(bob.ID, linnet.Draft{Text: "new"})
	tb.holds("document.querySelector('.pill')?.checkVisibility()")
	const aids = ".nav, .foot, .skip, .composer, .acts, .pager, .news, .flash, .tabs, .line, form, button"
	for _, path := range []string{"", "/", postPath(st), "/@bob"} {
		if path != "" {
			tb.media("")
			tb.open(w.base + path)
		}
		if seen := tb.eval("[...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).length", aids); seen == "0" {
			t.Errorf("%s has no navigation anyway: the test sees nothing", path)
		}
		tb.media("print", noMotion)
		if seen := tb.eval("[...document.querySelectorAll(%q)].filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80)).join(' | ')", aids); seen != "" {
			t.Errorf("%s: on paper stands %s", path, seen)
		}
		for _, part := range []string{"body", ".post", ".post .text", ".post h3 a", ".text a[href^=http]"} {
			e := fmt.Sprintf("document.querySelector(%q)", part)
			if path == "" && part == ".text a[href^=http]" || tb.brightness("color", e) == "dark" {
				continue
			}
			t.Errorf("%s: on paper %s is light", path, part)
		}
		if got := tb.eval("[...document.querySelectorAll('body, main, .sheet, .post, .post *')].map(e => getComputedStyle(e).backgroundColor).filter(c => !/^rgba.*, 0[)]$|255, 255, 255/.test(c)).join()"); got != "" {
			t.Errorf("%s: on paper there are backgrounds: %s", path, got)
		}
		if got := tb.eval("[...document.querySelectorAll('.text a[href^=http]:not(.mention, [rel=tag])')].filter(a => !getComputedStyle(a, '::after').content.includes(a.href)).map(a => a.outerHTML).join()"); got != "" {
			t.Errorf("%s: the address cannot be read of %s", path, got)
		}
		tb.holds("[...document.querySelectorAll('.post .text')].every(e => e.checkVisibility()) && %s == ''", cutLines)
	}
}
