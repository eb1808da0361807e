package web_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// navigationHasNine checks that the navigation has nine entries, or five on phones. The menu
// contains all others, so that every page links to every section.
func navigationHasNine(t *testing.T) {
	w := served(t)
	w.user("ann")
	w.role("ann", linnet.Admin)
	page := w.browser().logIn("ann").get("/").body
	nav := page[strings.Index(page, `<header class="nav">`):strings.Index(page, "</header>")]
	for _, path := range []string{"/", "/explore", "/notifications", "/messages", "/groups", "/lists", "/bookmarks", "/@ann", "/catchup", "/local", "/settings", "/admin", "/compose"} {
		if !strings.Contains(nav, `href="`+path+`"`) {
			t.Errorf("the navigation does not lead to %s", path)
		}
	}
	if !strings.Contains(nav, `action="/logout"`) {
		t.Error("the navigation has no way out")
	}
	var signs []string
	for _, m := range regexp.MustCompile(`class="go"[^>]*>\s*<svg[^>]*><use href="[^"#]*#([a-z]+)"`).FindAllStringSubmatch(nav, -1) {
		signs = append(signs, m[1])
	}
	slices.Sort(signs)
	if n := len(signs); n != 8 || len(slices.Compact(signs)) != n { // the ninth has an avatar instead of an icon
		t.Errorf("places have the signs %q", signs)
	}
	for path, sends := range map[string]string{"/bookmarks": "/favourites", "/favourites": "/bookmarks", "/lists": "/feeds", "/feeds": "/lists", "/explore": "/search"} {
		if body := w.browser().logIn("ann").get(path).body; !strings.Contains(body, `"`+sends+`"`) {
			t.Errorf("%s does not lead to %s", path, sends)
		}
	}
	tb := newTab(t)
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.enters(w, "ann")
	tb.open(w.base + "/")
	const seen = `[...document.querySelectorAll('.go')].filter(e => e.checkVisibility()).length`
	const within = `(b => b.height > 30 && b.top >= 0 && b.bottom <= innerHeight && b.left >= 0 && b.right <= innerWidth)(document.querySelector('%s').getBoundingClientRect())`
	for _, size := range [][3]int{{320, 560, 5}, {375, 560, 5}, {768, 560, 9}, {1024, 560, 9}, {1280, 560, 9}, {1920, 1080, 9}} {
		tb.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": false}, nil)
		where := fmt.Sprintf("at %d by %d px", size[0], size[1])
		if got := tb.eval(seen); got != fmt.Sprint(size[2]) {
			t.Errorf("%s there are %s places, want %d", where, got, size[2])
		}
		for _, what := range []string{".nav .write", ".nav .drop > summary"} {
			if tb.eval(within, what) != "true" {
				t.Errorf("%s %s is out of view", where, what)
			}
		}
		tb.clicks(".nav .drop > summary")
		tb.holds("document.querySelector('.nav .menu').checkVisibility()")
		if tb.eval(within, ".nav .menu") != "true" {
			t.Errorf("%s the list is out of view", where)
		}
		tb.clicks(".nav .drop > summary")
		tb.holds("!document.querySelector('.nav .menu').checkVisibility()")
	}
}

// composerWithoutScripts checks that every tool of the composer works without scripts. It shows the
// chosen value, and the post contains it.
func composerWithoutScripts(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	tb := newTab(t)
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.enters(w, "ann")
	for _, px := range []int{375, 1280} {
		tb.width(px)
		tb.open(w.base + "/compose")
		// Chromium's emulation does not change the media feature that hides the link to the emoji.
		if n := tb.eval(`document.querySelectorAll('.tools > .tool:not(.scripted)').length`); n != "6" {
			t.Fatalf("there are %s tools", n)
		}
		if tb.eval(`new Set([...document.querySelectorAll('.tools > *')].map(e => { const b = e.getBoundingClientRect(); return Math.round((b.top + b.bottom) / 2 / 8); })).size`) != "1" {
			t.Errorf("at %d px the tools stand in several lines", px)
		}
		tb.clicks(".audience > summary")
		tb.holds("document.querySelector('.audience .menu').checkVisibility()")
		tb.clicks(".audience [value=private]")
		tb.holds("getComputedStyle(document.querySelector('.audience > summary > .private')).display != 'none' && getComputedStyle(document.querySelector('.audience > summary > .public')).display == 'none'")
		tb.clicks(".audience > summary")
		tb.clicks(".tool:has(#warning) > summary")
		tb.holds("document.querySelector('#warning').checkVisibility()")
		tb.eval("document.querySelector('#warning').focus()")
		tb.do("Input.insertText", map[string]any{"text": "Birds"}, nil)
		tb.eval("document.querySelector('#text').focus()")
		tb.do("Input.insertText", map[string]any{"text": fmt.Sprintf("written at %d px", px)}, nil)
		tb.loads(func() { tb.clicks(".send .button") })
		st := w.newest(ann.ID)
		if st.Text != fmt.Sprintf("written at %d px", px) || st.Visibility != linnet.Private || st.Warning != "Birds" {
			t.Errorf("posted is %q, %v, %q", st.Text, st.Visibility, st.Warning)
		}
	}
	// Enter in a field submits the post, not the upload.
	tb.open(w.base + "/compose")
	tb.clicks(".tool:has(#warning) > summary")
	tb.eval("document.querySelector('#text').focus()")
	tb.do("Input.insertText", map[string]any{"text": "by Enter"}, nil)
	tb.eval("document.querySelector('#warning').focus()")
	tb.loads(func() { tb.hit("Enter") })
	if st := w.newest(ann.ID); st.Text != "by Enter" {
		t.Errorf("posted is %q", st.Text)
	}
}
