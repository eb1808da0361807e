package web_test

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
)

// tabsOut returns tabs outside of the window or their scroll container.
const tabsOut = `[...document.querySelectorAll('.tabs a')].filter(e => { const b = e.getBoundingClientRect(), t = e.closest('.tabs').getBoundingClientRect();
	return b.left < Math.max(t.left, 0) - 1 || b.right > Math.min(t.right, innerWidth) + 1 || b.top < t.top - 1 || b.bottom > t.bottom + 1 }).map(e => e.textContent).join()`

// ringsCut returns focusable elements whose focus ring is clipped.
const ringsCut = `[...document.querySelectorAll('main a, main button, main input:not([type=hidden]), main select, main textarea, main summary, main [tabindex="0"], .nav a, .nav button')]
	.filter(e => e.checkVisibility() && e.getBoundingClientRect().height > 1 && !e.closest('.unseen, [aria-hidden]')).filter(e => {
		e.focus({preventScroll: true, focusVisible: true});
		if (document.activeElement != e) return false;
		const s = getComputedStyle(e), b = e.getBoundingClientRect(), out = Math.max(0, parseFloat(s.outlineOffset) + parseFloat(s.outlineWidth));
		for (let p = e.parentElement; p && p != document.documentElement; p = p.parentElement) {
			const o = getComputedStyle(p);
			if (!/hidden|clip|auto|scroll/.test(o.overflow + o.overflowX + o.overflowY) || p.matches('body')) continue;
			const c = p.getBoundingClientRect();
			if (b.left - out < c.left - 0.5 && b.left >= c.left - 0.5 || b.top - out < c.top - 0.5 && b.top >= c.top - 0.5 || b.right + out > c.right + 0.5 && b.right <= c.right + 0.5
				|| b.bottom + out > c.bottom + 0.5 && b.bottom <= c.bottom + 0.5) return true;
		}
		return false;
	}).map(e => e.outerHTML.slice(0, 80)).slice(0, 5).join(' | ')`

// squares returns elements with a background that overlap a rounded corner without being rounded.
const squares = `[...document.querySelectorAll('.sheet')].filter(s => s.checkVisibility() && parseFloat(getComputedStyle(s).borderTopLeftRadius) > 2).flatMap(s => {
		const b = s.getBoundingClientRect();
		return [...s.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('.unseen') && getComputedStyle(e).backgroundColor != 'rgba(0, 0, 0, 0)').filter(e => {
			const r = e.getBoundingClientRect(), c = getComputedStyle(e);
			if (r.height < 8 || Math.abs(r.left - b.left) > 2) return false;
			return Math.abs(r.top - b.top) < 2 && parseFloat(c.borderTopLeftRadius) < 2 || Math.abs(r.bottom - b.bottom) < 2 && parseFloat(c.borderBottomLeftRadius) < 2;
		});
	}).map(e => e.outerHTML.slice(0, 80)).slice(0, 3).join(' | ')`

// brokenWords returns table cells with a word broken across lines.
const brokenWords = `[...document.querySelectorAll('.tbl td bdi:not(.long), .tbl td a, .tbl th')].filter(e => [...e.childNodes].some(n => n.nodeType == 3 && [...n.data.matchAll(/[\w-]{3,20}/g)].some(m => {
		const r = document.createRange(); r.setStart(n, m.index); r.setEnd(n, m.index + m[0].length);
		return new Set([...r.getClientRects()].map(b => Math.round(b.top))).size > 1 && !m[0].includes('-'); }))).map(e => e.textContent.slice(0, 60)).slice(0, 3).join(' | ')`

// framesHold checks that tabs are in view, focus rings are not clipped and rounded corners are not
// covered. Words in tables must not break.
func framesHold(t *testing.T) {
	w := served(t)
	f := w.furnishAll()
	w.role("ann", linnet.Admin)
	tb := newTab(t)
	tb.enters(w, "ann")
	paths := append([]string{"/", "/notifications", "/messages", f.post, "/@ann", "/@bob", "/search?q=bob", "/lists", "/explore", "/groups", "/settings/invites"}, adminPages(f.report)...)
	for _, n := range allItems(form.SettingsItems()) {
		paths = append(paths, n.Path)
	}
	for _, path := range paths {
		tb.open(w.base + path)
		for _, px := range []int{320, 375, 768, 1280} {
			tb.width(px)
			if got := tb.eval("%s", tabsOut); got != "" {
				t.Errorf("%s at %d px: out of view: %s", path, px, got)
			}
			if got := tb.eval("%s", squares); got != "" {
				t.Errorf("%s at %d px: square corners of %s", path, px, got)
			}
			if got := tb.eval("%s", brokenWords); got != "" {
				t.Errorf("%s at %d px: broken is %s", path, px, got)
			}
		}
		if got := tb.eval("%s", ringsCut); got != "" {
			t.Errorf("%s: cut rings of %s", path, got)
		}
	}
}

// tablesKeepWords checks that words in tables do not break, even long ones. Only texts longer than
// any name can break, for example an address or a key.
func tablesKeepWords(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	w.role("ann", linnet.Admin)
	long := w.user("wilhelmina_schmidtma")
	name := "Featherstonehaug Cholmondeley"
	if _, err := w.svc.Social.Profiles.Update(t.Context(), long.ID, linnet.ProfileChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: "ornithologischegrupp", Name: name, Kind: linnet.PublicGroup}); err != nil {
		t.Fatal(err)
	}
	if err := w.svc.Moderation.Moderate(t.Context(), linnet.By(ann.ID), linnet.Measure{On: long.ID, Act: linnet.Silence, Reason: "unentschuldbarlicher Tonfall " + name}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Invites.CreateAs(t.Context(), ann.ID, linnet.InviteDraft{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, path := range []string{"/admin/users", "/admin/users?groups=1", "/admin/users?q=wilhelmina", "/admin/audit", "/admin/invites"} {
		tb.open(w.base + path)
		tb.holds("document.querySelectorAll('.tbl td').length > 0")
		for _, px := range []int{320, 375, 768, 1200, 1280} {
			tb.width(px)
			if got := tb.eval("%s", brokenWords); got != "" {
				t.Errorf("%s at %d px: broken is %s", path, px, got)
			}
		}
	}
}
