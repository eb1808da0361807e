package web_test

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// panesAreLaidOut checks that phones show the settings sections as a separate page with a link
// back. Wide windows show sections and content next to each other, without scripts.
func panesAreLaidOut(t *testing.T) {
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
	for root, first := range map[string]string{"/settings": "/settings/profile", "/admin": "/admin/overview"} {
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
	tb.open(w.base + "/admin")
	shows("/admin with room", ".panes .column", true)
	// A search shows its results as a page with links to each setting.
	tb.open(w.base + "/settings/profile")
	tb.eval("document.querySelector('#find-place').focus()")
	tb.do("Input.insertText", map[string]any{"text": "dark"}, nil)
	tb.loads(func() { tb.hit("Enter") })
	tb.loads(func() { tb.clicks(".places .within") })
	if at := tb.eval("location.pathname + location.hash"); at != "/settings/appearance#f-theme" {
		t.Errorf("the search led to %s", at)
	}
}

// menuIsFiltered checks that the script filters the list of sections while the user types.
func menuIsFiltered(t *testing.T) {
	w := served(t)
	w.user("ann")
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.width(1280)
	tb.open(w.base + "/settings/profile")
	const left = "[...document.querySelectorAll('.places li > a')].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join()"
	tb.typeInto("#find-place", "night")
	tb.holds("%s == 'Appearance'", left)
	tb.typeInto("#find-place", "nightxyzzy")
	tb.holds("%s == '' && document.querySelector('.places .found').textContent == 'Nothing matches “nightxyzzy”. Try another word.'", left)
	tb.typeInto("#find-place", "")
	tb.holds("%s.includes('Profile') && document.querySelector('.places .found').textContent == ''", left)
}

// saveStaysInView checks that the save button stays visible while any part of a long form is in
// view. It is above the navigation bar of phones and never covers the focused field.
func saveStaysInView(t *testing.T) {
	w := served(t)
	w.user("ann")
	w.role("ann", linnet.Admin)
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, size := range [][2]int{{360, 560}, {768, 700}, {1280, 800}} {
		tb.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": false}, nil)
		for _, path := range []string{"/settings/profile", "/settings/old-posts", "/admin/settings/signup", "/feeds/new"} {
			tb.open(w.base + path)
			const form = "document.querySelector('.save').closest('form')"
			for _, at := range []string{form + ".getBoundingClientRect().top + scrollY - 60", form + ".getBoundingClientRect().bottom + scrollY - innerHeight", "document.body.scrollHeight / 2"} {
				inView := tb.eval(`(scrollTo(0, %s), [...document.querySelectorAll('.save .button')].some(e => { const b = e.getBoundingClientRect(), nav = document.querySelector('.nav').getBoundingClientRect();
					const bar = innerWidth < 704 ? nav.top : innerHeight; return b.top >= 0 && b.bottom <= bar && document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2).closest('.save') != null; }))`, at)
				if inView != "true" {
					t.Errorf("%s at %d x %d, scrolled to %s: Save is out of view", path, size[0], size[1], at)
				}
			}
			covered := tb.eval(`[...document.querySelectorAll('.column form :is(input:not([type=hidden]), select, textarea)')].filter(e => { if (!e.checkVisibility() || e.closest('.save')) return false;
				e.focus(); e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect(), s = document.querySelector('.save').getBoundingClientRect();
				return b.bottom > s.top + 1 && b.top < s.bottom && s.bottom > 0 && s.top < innerHeight; }).map(e => e.id).slice(0, 3).join()`)
			if covered != "" {
				t.Errorf("%s at %d x %d: Save covers %s", path, size[0], size[1], covered)
			}
		}
	}
	tb.calm()
}

// tablesAreCards checks that staff tables become cards with labelled cells on narrow screens. No
// table is wider than the page or has more than six columns.
func tablesAreCards(t *testing.T) {
	w := served(t)
	f := w.furnishAll()
	tb := newTab(t)
	tb.enters(w, "ann")
	const odd = `[...document.querySelectorAll('table')].flatMap(t => { const heads = [...t.querySelectorAll('thead tr > *')].map(e => e.textContent.trim());
		if (heads.length > 6) return [heads.length + ' columns'];
		return [...t.querySelectorAll('tbody tr')].flatMap(r => [...r.cells].map((d, i) => heads[i] == (d.dataset.l ?? '') ? '' : 'no label ' + heads[i])); }).filter(Boolean).slice(0, 3).join()`
	const cards = `[...document.querySelectorAll('.tbl td[data-l]:not(.void)')].every(e => getComputedStyle(e).display == 'grid' && getComputedStyle(e, '::before').content.includes(e.dataset.l))`
	for _, path := range []string{"/admin/users", "/admin/users?groups=1", "/admin/reports", "/admin/invites", "/admin/audit", "/admin/settings/signup/blocks", "/admin/emoji", "/admin/terms", "/admin/announcements", "/admin/roles", "/admin/tasks", "/settings/mutes", "/settings/filters", f.report} {
		tb.open(w.base + path)
		if got := tb.eval("%s", odd); got != "" {
			t.Errorf("%s: %s", path, got)
		}
		for px, are := range map[int]string{320: "true", 360: "true", 1180: "true", 1200: "false", 1280: "false"} {
			tb.width(px)
			if tb.eval("document.querySelector('.tbl') == null") == "false" && tb.eval("%s", cards) != are {
				t.Errorf("%s at %d px: rows are cards: not %s", path, px, are)
			}
			if wide := tb.eval("document.documentElement.scrollWidth > innerWidth && document.documentElement.scrollWidth"); wide != "false" {
				t.Errorf("%s at %d px: %s px wide", path, px, wide)
			}
		}
	}
	tb.open(w.base + "/admin/users")
	tb.holds("document.querySelectorAll('.tbl tbody tr').length > 1")
}

// ownFeedWithoutScripts checks that a feed can be created without scripts and shows the chosen
// posts.
func ownFeedWithoutScripts(t *testing.T) {
	w := served(t)
	w.user("ann")
	bob, eve := w.user("bob"), w.user("eve")
	w.post(bob.ID, linnet.Draft{Text: "chosen by name"})
	w.post(eve.ID, linnet.Draft{Text: "chosen by tag #birds"})
	w.post(eve.ID, linnet.Draft{Text: "not chosen"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.enters(w, "ann")
	tb.width(360)
	tb.open(w.base + "/feeds/new")
	tb.typeInto("#f-title", "Mine")
	tb.loads(func() { tb.clicks("button[value='remove:home']") })
	tb.typeInto("#f-find", "bob")
	tb.loads(func() { tb.hit("Enter") })
	tb.loads(func() { tb.clicks("button[value='add:account:" + bob.ID.String() + "']") })
	tb.typeInto("#f-find", "#birds")
	tb.loads(func() { tb.clicks("button[value=find]") })
	tb.loads(func() { tb.clicks("button[value='add:tag:birds']") })
	tb.loads(func() { tb.clicks("button[value=save]") })
	text := tb.eval("document.querySelector('main').innerText")
	for _, wanted := range []string{"Mine", "chosen by name", "chosen by tag"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the feed lacks %q: %s", wanted, text)
		}
	}
	if strings.Contains(text, "not chosen") {
		t.Errorf("the feed shows what was not chosen: %s", text)
	}
}
