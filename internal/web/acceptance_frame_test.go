package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func pointsOfFrame() []point {
	return []point{
		{78, "the right column belongs to the page, the compose button never covers a control, and phones have a short composer and a way back", []proof{
			{"thread", participantsAreNextToTheThread}, {"group", groupIsNextToItsPages}, {"button", composeButtonCoversNothing},
			{"phones", composerOpensOnPhones}, {"back", backLeadsBack}}},
	}
}

// groupIsNextToItsPages checks the side panels of groups: members next to the group's page, and the
// description next to its other pages. Outsiders of a private group get no members.
func groupIsNextToItsPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	for login, kind := range map[string]linnet.GroupKind{"open": linnet.PublicGroup, "closed": linnet.PrivateGroup} {
		g, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: login, Name: "The " + login, Note: "About <b>owls</b>", Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		if kind == linnet.PublicGroup {
			for i := range 6 {
				w.follows(w.user(fmt.Sprint("bird", i)).ID, g.ID)
			}
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	readers := map[string]*browser{"": w.browser(), "ann": w.browser().logIn("ann"), "bob": w.browser().logIn(bob.Login)}
	side := func(who, path string) string {
		t.Helper()
		a := readers[who].get(path)
		want(t, a, http.StatusOK)
		_, side, _ := strings.Cut(a.body, `<aside class="aside"`)
		return side
	}
	for _, who := range []string{"ann", "bob"} {
		members := side(who, "/@open")
		if strings.Count(members, `<article class="person"`) != 5 || !strings.Contains(members, `href="/groups/open/members">Show all`) {
			t.Errorf("next to the group %s sees %s", who, members)
		}
	}
	if about := side("bob", "/groups/open/members"); !strings.Contains(about, "About &lt;b&gt;owls&lt;/b&gt;") || !strings.Contains(about, "<strong>7</strong> members") {
		t.Errorf("next to the members is %s", about)
	}
	if members := side("ann", "/@closed"); !strings.Contains(members, ">@ann<") || strings.Contains(members, "Show all") {
		t.Errorf("next to the private group its owner sees %s", members)
	}
	for _, who := range []string{"", "bob"} {
		if got := side(who, "/@closed"); got != "" {
			t.Errorf("next to the private group %q sees %s", who, got)
		}
	}
}

// composeButtonCoversNothing checks that the compose button is within the bar of the navigation at
// any scroll position, that the bar covers no control at the end of a page, and none that gets the
// focus.
func composeButtonCoversNothing(t *testing.T) {
	w, ann, bob := flock(t, 12)
	st := w.post(bob.ID, linnet.Draft{Text: strings.Repeat("a long one ", 40)})
	w.post(ann.ID, linnet.Draft{Text: "@bob an answer", InReplyTo: st.ID})
	talk := w.conversationOf(ann.ID, bob.ID)
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	const controls = `[...document.querySelectorAll('main :is(a, button, summary, input:not([type=hidden]), textarea, select), .side a')]
		.filter(e => e.checkVisibility() && e.getBoundingClientRect().height > 1 && !e.closest('.unseen, [aria-hidden]'))`
	const covered = `(e => { const b = e.getBoundingClientRect(), x = b.x + Math.min(b.width, 600) / 2, y = b.y + Math.min(b.height, 40) / 2;
		return y > 0 && y < innerHeight && x > 0 && x < innerWidth && document.elementFromPoint(x, y)?.closest('%s') != null })`
	for _, path := range []string{"/", "/@bob", postPath(st), "/notifications", "/explore", "/settings/profile", "/messages", talk} {
		tb.open(w.base + path)
		for _, px := range []int{320, 390, 640, 768} {
			tb.size(px, 700)
			for part := range 5 {
				tb.eval("(scrollTo({top: document.documentElement.scrollHeight * %d / 4, behavior: 'instant'}), 1)", part)
				if tb.eval(`((n, b) => b.top >= n.top && b.left >= n.left && b.bottom <= n.bottom && b.right <= n.right)(document.querySelector('.nav').getBoundingClientRect(), document.querySelector('.write').getBoundingClientRect())`) != "true" {
					t.Errorf("%s at %d px: the button leaves the bar", path, px)
				}
				if got := tb.eval(controls+`.filter(`+covered+`).filter(e => e.getBoundingClientRect().bottom < document.querySelector('.nav').getBoundingClientRect().top).map(e => e.outerHTML.slice(0, 100)).join(' | ')`, ".write"); got != "" {
					t.Errorf("%s at %d px: the button covers %s", path, px, got)
				}
			}
			if got := tb.eval(controls+`.filter(`+covered+`).map(e => e.outerHTML.slice(0, 100)).join(' | ')`, ".nav"); got != "" {
				t.Errorf("%s at %d px: at the end, the bar covers %s", path, px, got)
			}
		}
		tb.size(390, 700)
		if got := tb.eval(`(scrollTo(0, 0), `+controls+`.filter(e => { e.focus(); return document.activeElement == e && `+covered+`(e) }).map(e => e.outerHTML.slice(0, 100)).join(' | '))`, ".nav"); got != "" {
			t.Errorf("%s: the bar covers what has the focus: %s", path, got)
		}
	}
	tb.calm()
}

// composerOpensOnPhones checks that phones show one line in place of the composer of home and of a
// thread. It opens in place with script, and leads to the page of the composer without.
func composerOpensOnPhones(t *testing.T) {
	w, _, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "a nest"})
	eventually(t, "tasks end", w.svc.Idle)
	thread := postPath(st)
	tb := newTab(t)
	tb.enters(w, "ann")
	plain := w.withoutScripts("ann")
	for path, opens := range map[string]string{"/": "/compose", thread: "/compose?in_reply_to=" + st.ID.String()} {
		for _, tb := range []*tab{tb, plain} {
			tb.width(1280)
			tb.open(w.base + path)
			if !tb.seen("#text") || tb.seen(".opener") {
				t.Errorf("%s on a desktop: the composer is not open", path)
			}
			tb.width(390)
			if tb.seen("#text") || tb.seen(".composer .button") || !tb.seen(".opener") {
				t.Errorf("%s on a phone: the composer is open", path)
			}
		}
		plain.loads(func() { plain.clicks(".opener") })
		if got := plain.eval("location.pathname + location.search"); got != opens || !plain.seen("#text") {
			t.Errorf("%s leads to %s, want %s", path, got, opens)
		}
		tb.clicks(".opener")
		tb.holds("document.activeElement.id == 'text'")
		tb.writes(" a wren")
		tb.open(w.base + path)
		if !tb.seen("#text") || !strings.HasSuffix(tb.eval("document.getElementById('text').value"), "a wren") {
			t.Errorf("%s hides the text in progress", path)
		}
		tb.eval("document.getElementById('text').focus()")
		tb.hit("Ctrl+Enter")
		tb.holds("document.body.textContent.includes('a wren') && !document.getElementById('text').value.includes('a wren')")
	}
}

// backLeadsBack checks the control of phones that leads back from a post and a profile.
func backLeadsBack(t *testing.T) {
	w, _, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "a nest"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.width(390)
	for _, path := range []string{postPath(st), "/@bob"} {
		tb.open(w.base + path)
		if tb.loads(func() { tb.clicks(".back") }); tb.eval("location.pathname") != "/" {
			t.Errorf("from %s opened directly, back leads to %s", path, tb.eval("location.pathname"))
		}
		tb.open(w.base + "/local")
		tb.loads(func() { tb.eval("location.assign('%s')", path) })
		tb.clicks(".back")
		tb.holds("location.pathname == '/local'") // may be restored from the back/forward cache, without loading
		tb.open(w.base + path)
		if tb.width(1280); tb.seen(".back") {
			t.Errorf("%s shows the control on a desktop", path)
		}
		tb.width(390)
	}
}
