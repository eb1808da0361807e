package web

import (
	"testing"

	"linnet/internal/linnet"
)

// On a phone the list of sections is a page of its own, and an open section leads back to it;
// where there is room they stand side by side, on the side where lines begin. Nothing of it
// needs the script.
func TestPanes(t *testing.T) {
	w := served(t)
	w.user("ann")
	w.role("ann", linnet.Admin)
	tb := newTab(t)
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.enters(w, "ann")
	const seen = "document.querySelector('%s')?.checkVisibility() ?? false"
	shows := func(where, selector string, wanted bool) {
		t.Helper()
		if got := tb.eval(seen, selector); got != map[bool]string{true: "true", false: "false"}[wanted] {
			t.Errorf("%s: %s is seen: %s", where, selector, got)
		}
	}
	for root, first := range map[string]string{settingsRoot: "/settings/profile", adminPath: overviewPath} {
		tb.width(360)
		tb.open(w.base + root)
		shows(root, ".places", true)
		shows(root, ".panes .column", false)
		tb.loads(func() { tb.clicks(".places a[href='" + first + "']") })
		shows(first, ".places", false)
		shows(first, ".panes .column", true)
		tb.loads(func() { tb.clicks(".back") })
		shows(root+" again", ".places", true)
		tb.width(1280)
		tb.open(w.base + first)
		shows(first, ".places", true)
		shows(first, ".panes .column", true)
		shows(first, ".back", false)
		for _, dir := range []string{"ltr", "rtl"} {
			beside := `(() => { document.dir = '` + dir + `'; const a = document.querySelector('.places').getBoundingClientRect(), b = document.querySelector('.panes .column').getBoundingClientRect();
				return '` + dir + `' == 'ltr' ? a.right < b.left : b.right < a.left; })()`
			if tb.eval("%s", beside) != "true" {
				t.Errorf("%s, %s: the list does not stand beside the section", first, dir)
			}
		}
	}
	tb.open(w.base + adminPath)
	shows(adminPath+" with room", ".panes .column", true)
	// A search is a page of what was found, which leads to the single setting.
	tb.open(w.base + "/settings/profile")
	tb.eval("document.querySelector('#find-place').focus()")
	tb.do("Input.insertText", map[string]any{"text": "dark"}, nil)
	tb.loads(func() { tb.hit("Enter") })
	tb.loads(func() { tb.clicks(".places .within") })
	if at := tb.eval("location.pathname + location.hash"); at != "/settings/appearance#f-theme" {
		t.Errorf("the search led to %s", at)
	}
}

// With the script the list is narrowed while somebody types.
func TestPlacesAreNarrowed(t *testing.T) {
	w := served(t)
	w.user("ann")
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.width(1280)
	tb.open(w.base + "/settings/profile")
	const left = "[...document.querySelectorAll('.places li > a')].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join()"
	tb.eval("document.querySelector('#find-place').focus()")
	tb.do("Input.insertText", map[string]any{"text": "night"}, nil)
	tb.holds("%s == 'Appearance'", left)
	tb.do("Input.insertText", map[string]any{"text": "xyzzy"}, nil)
	tb.holds("%s == '' && document.querySelector('.places .found').textContent == 'Nothing matches “nightxyzzy”. Try another word.'", left)
	tb.eval("document.querySelector('#find-place').value = '', document.querySelector('#find-place').dispatchEvent(new Event('input'))")
	tb.holds("%s.includes('Profile') && document.querySelector('.places .found').textContent == ''", left)
}
