package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func pointsOfTimelines() []point {
	return []point{
		{69, "clicking a post opens it, except on links, buttons and selected text", []proof{{"click", clickOpensPost}}},
		{70, "older posts load near the end if the reader wants that, and Back restores the position", []proof{
			{"scroll", olderPostsLoad}, {"setting", olderPostsWait}}},
		{71, "the post menu has icons, and offers Copy link, Share, Mute words and Translate; boosting offers Boost and Quote", []proof{
			{"menu", menuCopiesAndShares}, {"boost", boostMenuBoosts}, {"forms", menusWithoutScripts}}},
		{72, "hovering over a person shows a card; counts and the tab title update by themselves", []proof{
			{"profiles", cardsFollowProfiles}, {"mouse", cardByMouse}, {"keyboard", cardByKeyboard}, {"numbers", numbersUpdate},
			{"numbers of others", numbersOfOthersUpdate}, {"readers", countsAreForReaders}}},
		{73, "direct messages appear in Messages only, and notifications say what happened and mark unread ones with a bar", []proof{
			{"messages", messagesAreNotPosts}, {"notifications", noticesSayWhatHappened}}},
	}
}

// mouse moves the mouse to a point of an element and presses a button.
func (tb *tab) mouse(selector, button string, modifiers int) {
	tb.t.Helper()
	x, y := tb.middleOf(selector)
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": button, "clickCount": 1, "modifiers": modifiers}, nil)
	}
}

// clickOpensPost checks where clicks on a post open it, and that Enter still does.
func clickOpensPost(t *testing.T) {
	w, _, bob := flock(t, 1)
	w.post(bob.ID, linnet.Draft{Text: "Many words that a reader can select with the mouse"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	const path = "document.querySelector('.post .when').pathname"
	post := tb.eval(path)
	back := func() {
		t.Helper()
		tb.holds("location.pathname == %q && document.readyState == 'complete'", post)
		tb.eval("setTimeout(() => history.back()), 1")
		tb.holds("location.pathname == '/' && document.readyState == 'complete' && document.querySelector('.news')?.dataset.open == '1'")
	}
	tb.clicks(".post .text p")
	back()
	tb.eval("(e => (e.tabIndex = -1, e.focus()))(document.querySelector('.post'))")
	tb.hit("Enter")
	back()
	tb.eval(`window.open = (url, target, how) => { document.body.dataset.opened = new URL(url).pathname + target + how }; 1`)
	for _, try := range []struct {
		button    string
		modifiers int
	}{{"middle", 0}, {"left", 2}, {"left", 4}} {
		tb.eval("document.body.dataset.opened = ''")
		tb.mouse(".post .text p", try.button, try.modifiers)
		tb.holds("document.body.dataset.opened == %q", post+"_blanknoopener")
	}
	x, y := tb.middleOf(".post .text p")
	for i, kind := range []string{"mousePressed", "mouseMoved", "mouseReleased"} {
		tb.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x - 90*float64(min(i, 1)), "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
	tb.holds("getSelection().toString().length > 3 && location.pathname == '/'")
	tb.eval("getSelection().empty()")
	tb.clicks(".post .favourite")
	tb.holds("document.querySelector('.post .favourite').ariaPressed == 'true' && location.pathname == '/'")
	tb.calm()
}

// olderPostsLoad checks that scrolling loads older posts without moving the focus, and that going
// back restores them and the position, however the reader left.
func olderPostsLoad(t *testing.T) {
	w, _, _ := flock(t, 55)
	tb := homeOf(t, w)
	for _, n := range []int{40, 55} {
		tb.eval("scrollTo(0, document.body.scrollHeight)")
		tb.holds("document.querySelectorAll('.post').length == %d", n)
	}
	tb.holds("document.activeElement == document.body && !document.querySelector('.pager [rel=next]')")
	const left = "[...document.querySelectorAll('.post')].find(e => e.textContent.includes('Status 13'))"
	tb.eval("(%s.scrollIntoView({block: 'start', behavior: 'instant'}), 1)", left)
	tb.holds("history.state?.at && Math.abs(document.getElementById(history.state.at).getBoundingClientRect().top - history.state.top) < 1")
	at := tb.eval("Math.round(%s.getBoundingClientRect().top)", left)
	tb.loads(func() { tb.clicks(".nav a[href='/explore']") })
	tb.loads(func() { tb.eval("setTimeout(() => history.back()), 1") })
	tb.holds("location.pathname == '/' && document.querySelectorAll('.post').length == 55")
	tb.holds("Math.abs(%s.getBoundingClientRect().top - %s) < 3", left, at)
	tb.calm()
}

// olderPostsWait checks that older posts load only on request if the reader chose that.
func olderPostsWait(t *testing.T) {
	w, _, _ := flock(t, 45)
	tb := homeOf(t, w)
	tb.open(w.base + "/settings/appearance")
	tb.clicks("[name=endless]")
	tb.clicks(".card .button")
	tb.holds("location.search == '?done=saved' && document.readyState == 'complete'")
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	tb.eval("new Promise(done => (scrollTo(0, document.body.scrollHeight), setTimeout(() => requestAnimationFrame(done), 300)))")
	if asked := tb.requested(); strings.Contains(strings.Join(asked, " "), "max_id") || tb.eval("document.querySelectorAll('.post').length") != "20" {
		t.Errorf("the page requested %q", asked)
	}
	tb.clicks(".pager [rel=next]")
	tb.holds("document.querySelectorAll('.post').length == 40 && document.activeElement.matches('.post')")
	tb.calm()
}

// menuCopiesAndShares checks the entries of a post's menu that need the script, and that "Mute
// words" suggests a filter for the place where the post was shown.
func menuCopiesAndShares(t *testing.T) {
	w, _, _ := flock(t, 2)
	tb := homeOf(t, w)
	tb.eval("navigator.share = async ({ url }) => { document.body.dataset.shared = url }; navigator.clipboard.writeText = async (text) => { document.body.dataset.copied = text }; 1")
	link := tb.eval("document.querySelector('.post .when').href")
	const menu = ".post .more:not(.boosting)"
	const copied = "document.querySelector('.flash').textContent == 'Link copied' && !document.querySelector('%s').open"
	release := w.hold(isModule("menu.js"))
	tb.clicks(menu + " > summary")
	tb.clicks(menu + " [data-copy]")
	release() // a click while the module is loaded copies too
	tb.holds(copied, menu)
	tb.holds("document.body.dataset.copied == %q", link)
	tb.eval("document.body.dataset.copied = document.querySelector('.flash').textContent = ''")
	tb.clicks(menu + " > summary")
	tb.holds("document.querySelector('%s [type=button]')?.textContent == 'Share'", menu)
	tb.holds("[...document.querySelectorAll('%s[open] > .menu > *')].every((e) => e.querySelector('svg'))", menu)
	tb.pictured("menu")
	tb.clicks(menu + " [data-copy]")
	tb.holds(copied, menu)
	tb.holds("document.activeElement == document.querySelector('%s > summary')", menu)
	tb.holds("document.body.dataset.copied == %q", link)
	tb.hit("Enter")
	tb.clicks(menu + " [type=button]")
	tb.holds("document.body.dataset.shared == %q", link)
	tb.clicks(menu + " > summary")
	tb.loads(func() { tb.clicks(menu + " a[href^='/settings/filters/new']") })
	tb.holds("location.pathname == '/settings/filters/new' && document.querySelector('[name=context][value=home]').checked")
	tb.calm()
}

// boostMenuBoosts checks that the menu boosts without leaving the page, as the key b does.
func boostMenuBoosts(t *testing.T) {
	w, _, _ := flock(t, 1)
	tb := homeOf(t, w)
	tb.eval("window.stays = 1")
	const state = "(e => e.classList.contains('on') + e.textContent.trim() + e.parentElement.open + document.querySelector('[value$=boost]').textContent)(document.querySelector('.post .boost'))"
	tb.clicks(".post .boost")
	tb.holds("%s == 'falsetrueBoost'", state)
	tb.pictured("boost")
	const colour = "getComputedStyle(document.querySelector('.post .boost .i')).color"
	before := tb.eval(colour)
	tb.clicks(".post [value=boost]")
	tb.holds("%s == 'true1falseUndo boost' && document.activeElement.matches('.boost') && %s != '%s'", state, colour, before)
	tb.hit("j", "b")
	tb.holds("%s == 'falsefalseBoost' && !document.querySelector('[data-busy]')", state)
	if tb.eval("window.stays") != "1" {
		t.Error("boosting left the page")
	}
	tb.hit("q")
	tb.holds("location.pathname == '/compose'")
	tb.calm()
}

// menusWithoutScripts checks that the menus have links and forms that need no script.
func menusWithoutScripts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	st := w.post(bob.ID, linnet.Draft{Text: "sing"})
	b := w.browser().logIn("ann")
	want(t, b.get(postPath(st)), http.StatusOK, `href="`+postPath(st)+`" data-copy`, `href="/settings/filters/new?context=thread"`, `href="/compose?quote=`+st.ID.String(), `value="boost"`)
	b.post(postPath(st), "act", "boost")
	if got, err := w.svc.View.Status(t.Context(), ann.ID, st.ID); err != nil || !got.Reposted {
		t.Errorf("not boosted: %v", err)
	}
	want(t, b.get(postPath(st)), http.StatusOK, `value="unboost"`, "Undo boost")
}

// numbersUpdate checks that the numbers of favourites of the reader's posts, of unread
// notifications and of unread messages change while the page is open, also in the title.
func numbersUpdate(t *testing.T) {
	w, ann, bob := flock(t, 1)
	mine := w.post(ann.ID, linnet.Draft{Text: "mine"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	tb.holds("document.title.startsWith('Home')")
	if _, err := w.svc.Posting.Marks.Favourite(t.Context(), bob.ID, mine.ID); err != nil {
		t.Fatal(err)
	}
	tb.holds("document.title.startsWith('(1) Home') && document.querySelector('.nav [href=\"/notifications\"] .n').textContent == '11 unread'")
	tb.holds("document.querySelector('[data-id=\"%s\"] .favourite').textContent.trim() == '1'", mine.ID)
	w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: vis(linnet.Direct)})
	tb.holds("document.title.startsWith('(3) Home') && !!document.querySelector('.nav [href=\"/messages\"] .n')")
	tb.calm()
	a := w.browser().logIn("ann").get("/")
	want(t, a, http.StatusOK, "<title>(3) Home")
}

// numbersOfOthersUpdate checks that the numbers below another member's post change in an open page.
// The page asks for all visible posts in one request, every 30 seconds, which the test shortens.
func numbersOfOthersUpdate(t *testing.T) {
	w, ann, bob := flock(t, 3)
	st := w.newest(bob.ID)
	carl := w.user("carl")
	tb := newTab(t)
	tb.width(1280)
	tb.enters(w, "ann")
	tb.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `for (const name of ['setTimeout', 'setInterval']) {
		const patient = window[name];
		window[name] = (f, wait, ...rest) => patient(f, wait === 30000 ? 500 : wait, ...rest);
	}`}, nil)
	tb.open(w.base + "/")
	if _, err := w.svc.Posting.Marks.Favourite(t.Context(), carl.ID, st.ID); err != nil {
		t.Fatal(err)
	}
	w.post(carl.ID, linnet.Draft{Text: "@bob indeed", InReplyTo: st.ID})
	tb.holds("[...document.querySelectorAll('[data-id=\"%s\"] > .acts > :is(.reply, .favourite)')].map(e => e.textContent.trim()).join() == '1,1'", st.ID)
	for _, path := range tb.requested() {
		if strings.Contains(path, "/counts?") && strings.Count(path, ",") != 2 {
			t.Errorf("asked for %s", path)
		}
	}
	tb.eval("(document.querySelector('[data-id=\"%s\"] .favourite').click(), 1)", st.ID)
	tb.holds("document.querySelector('[data-id=\"%s\"] .favourite').textContent.trim() == '2'", st.ID)
	eventually(t, "the favourite is stored", func() bool {
		v, err := w.svc.View.Status(t.Context(), ann.ID, st.ID)
		return err == nil && v.Favourites == 2
	})
	tb.calm()
}

// countsAreForReaders checks that numbers are returned only for statuses that the reader may see,
// for at most 40 of them, and only to members.
func countsAreForReaders(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	open, closed := w.post(bob.ID, linnet.Draft{Text: "open"}), w.post(bob.ID, linnet.Draft{Text: "closed", Visibility: vis(linnet.Private)})
	if _, err := w.svc.Posting.Marks.Favourite(t.Context(), ann.ID, open.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	of := "/counts?of=" + open.ID.String() + "," + closed.ID.String() + ",7,x,"
	b := w.browser().logIn("ann")
	if a := b.get(of); a.StatusCode != http.StatusOK || a.body != `{"`+open.ID.String()+`":[0,0,1]}` {
		t.Errorf("ann gets %d, %s", a.StatusCode, a.body)
	}
	if a := w.browser().logIn("bob").get(of); !strings.Contains(a.body, closed.ID.String()) {
		t.Errorf("bob gets %s", a.body)
	}
	if a := b.get("/counts?of=" + strings.Repeat("9,", 40) + open.ID.String()); a.body != "{}" {
		t.Errorf("the 41st status is returned: %s", a.body)
	}
	if a := w.browser().get(of); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a visitor gets %d", a.StatusCode)
	}
}

// messagesAreNotPosts checks that direct messages are neither on the home timeline nor on profiles.
func messagesAreNotPosts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.post(ann.ID, linnet.Draft{Text: "aloud"})
	w.post(ann.ID, linnet.Draft{Text: "@bob psst", Visibility: vis(linnet.Direct)})
	w.post(bob.ID, linnet.Draft{Text: "@ann hush", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	for _, path := range []string{"/", "/@ann", "/@ann/replies", "/@bob", "/mentions", "/catchup"} {
		if a := b.get(path); strings.Contains(a.body, "psst") || strings.Contains(a.body, "hush") {
			t.Errorf("%s shows messages", path)
		}
	}
	want(t, b.get("/messages"), http.StatusOK, "hush")
}

// noticesSayWhatHappened checks the texts of notifications about posts and messages, and the bar of
// unread ones, also with forced colours.
func noticesSayWhatHappened(t *testing.T) {
	w := served(t)
	ann, bob := w.user("ann"), w.user("bob")
	mine := w.post(ann.ID, linnet.Draft{Text: "mine"})
	w.post(bob.ID, linnet.Draft{Text: "@ann look"})
	w.post(bob.ID, linnet.Draft{Text: "@ann indeed", InReplyTo: mine.ID})
	w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, wish := range []string{"none", "active"} {
		tb.do("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{{"name": "forced-colors", "value": wish}}}, nil)
		tb.open(w.base + "/notifications")
		if got := tb.eval("[...document.querySelectorAll('.noted .by, .happened .did, .happened .quoted')].map(e => e.textContent.trim()).join()"); got != "sent you a message,psst,Replied to you,Mentioned you" {
			t.Errorf("the texts are %q", got)
		}
		if wish == "none" {
			tb.holds("[...document.querySelectorAll('.fresh')].length == 3 && [...document.querySelectorAll('.fresh')].every(e => getComputedStyle(e, '::before').borderInlineStartWidth == '4px' && getComputedStyle(e).backgroundColor == 'rgba(0, 0, 0, 0)')")
		}
		tb.pictured(fmt.Sprint("notices-", wish))
	}
	tb.loads(func() { tb.clicks(".happened .quoted") })
	tb.holds("location.pathname.startsWith('/messages/') && document.querySelector('.bub').textContent.includes('psst')")
	tb.calm()
}
