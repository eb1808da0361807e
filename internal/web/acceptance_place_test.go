package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// conversationOf posts four direct messages between bob and ann. It returns the path of their
// conversation.
func (w *world) conversationOf(ann, bob linnet.ID) string {
	w.t.Helper()
	for i, by := range []linnet.ID{bob, bob, ann, bob} {
		w.post(by, linnet.Draft{Text: []string{"@ann ", "@bob "}[map[linnet.ID]int{bob: 0, ann: 1}[by]] + fmt.Sprint("message ", i), Visibility: vis(linnet.Direct)})
	}
	eventually(w.t, "tasks end", w.svc.Idle)
	all, err := w.svc.Posting.Conversations.List(w.t.Context(), ann, linnet.Page{})
	if err != nil || len(all.Items) != 1 {
		w.t.Fatal(all, err)
	}
	return "/messages/" + all.Items[0].ID.String()
}

// conversationsAreNextToTheList checks that wide windows show a conversation next to the list,
// while phones show only one of them. The viewer's own messages are aligned to the end, in both
// text directions.
func conversationsAreNextToTheList(t *testing.T) {
	w, ann, bob := flock(t, 0)
	talk := w.conversationOf(ann.ID, bob.ID)
	tb := w.withoutScripts("ann")
	tb.size(1280, 800)
	tb.open(w.base + "/messages")
	if !tb.seen(".talklist .fresh") || !tb.seen(".conv.choose") {
		t.Error("the list marks nothing as unread, or nothing stands beside it")
	}
	tb.open(w.base + talk)
	const sides = `(() => { const box = s => document.querySelector(s).getBoundingClientRect(), rtl = document.dir == 'rtl', talk = box('.talk');
		const lies = e => { const b = e.getBoundingClientRect(); return (b.left - talk.left > talk.right - b.right) != rtl ? 'end' : 'start' };
		return [[...document.querySelectorAll('.m:not(.mine) .bub')].every(e => lies(e) == 'start'), [...document.querySelectorAll('.m.mine .bub')].every(e => lies(e) == 'end'),
			box('.composer').top >= talk.bottom - 1].join() })()`
	for _, dir := range []string{"ltr", "rtl"} {
		tb.eval("document.dir = %q", dir)
		if got := tb.eval(sides); got != "true,true,true" {
			t.Errorf("%s: others at the start, own at the end, composer below: %s", dir, got)
		}
		if tb.eval("((a, b) => document.dir == 'rtl' ? b.right <= a.left : a.right <= b.left)(document.querySelector('.talklist').getBoundingClientRect(), document.querySelector('.conv').getBoundingClientRect())") != "true" {
			t.Errorf("%s: the list does not stand before the conversation", dir)
		}
	}
	tb.eval("document.dir = 'ltr'")
	tb.pictured("talk-1280")
	tb.size(360, 640)
	if tb.seen(".talklist") || !tb.seen(".talk") {
		t.Error("on a phone the list stands beside a conversation, or that is not shown")
	}
	tb.pictured("talk-360")
	tb.open(w.base + "/messages")
	if !tb.seen(".talklist") || tb.seen(".conv") {
		t.Error("on a phone something stands beside the list, or that is not shown")
	}
}

// groupConversations checks that a conversation with several participants shows their names in the
// list and the heading. Each message names its author.
func groupConversations(t *testing.T) {
	w := served(t)
	w.user("ann")
	bob, eve := w.user("bob"), w.user("eve")
	w.post(bob.ID, linnet.Draft{Text: "@ann @eve who comes?", Visibility: vis(linnet.Direct)})
	w.post(eve.ID, linnet.Draft{Text: "@ann @bob I do", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(1280, 800)
	tb.open(w.base + "/messages")
	if got := tb.eval("document.querySelectorAll('.line-of .pair img').length + document.querySelector('.line-of .fit').innerText"); got != "2bob, eve" && got != "2eve, bob" {
		t.Errorf("the list shows %q", got)
	}
	tb.press(".line-of")
	if head := tb.eval("document.getElementById('with').innerText"); !strings.Contains(head, "bob") || !strings.Contains(head, "eve") {
		t.Errorf("it is headed %q", head)
	}
	if got := tb.eval("[...document.querySelectorAll('.m .name')].filter(e => e.getBoundingClientRect().width > 5).map(e => e.innerText).join()"); got != "bob,eve" {
		t.Errorf("messages name %q", got)
	}
	tb.pictured("several")
}

// requestsAreAnsweredWhereTheyAppear checks that a follow request can be accepted or rejected on
// every page that shows it.
func requestsAreAnsweredWhereTheyAppear(t *testing.T) {
	w := served(t)
	ann, locked := w.user("ann"), true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Locked: &locked}); err != nil {
		t.Fatal(err)
	}
	places := []struct{ path, within string }{{"/notifications", ".happened form"}, {"/notifications", ".aside form"}, {"/requests", ".person form"}, {"/@%s", "form.notice"}}
	var asking []linnet.User
	for i := range 2 * len(places) {
		u := w.user(fmt.Sprint("bird", i))
		w.follows(u.ID, ann.ID)
		asking = append(asking, u)
	}
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	tb.size(1280, 800)
	for i := range len(asking) {
		act, p, u := []string{"accept", "reject"}[i%2], places[i/2], asking[0]
		tb.open(w.base + strings.Replace(p.path, "%s", u.Login, 1))
		if i == 0 {
			tb.pictured("asked")
		}
		if p.within == ".aside form" { // the box names only some of the requesters
			action := tb.eval("document.querySelector('.aside form').getAttribute('action')")
			u = asking[slices.IndexFunc(asking, func(u linnet.User) bool { return "/@"+u.Login == action })]
		}
		asking = slices.DeleteFunc(asking, func(other linnet.User) bool { return other.ID == u.ID })
		tb.press(fmt.Sprintf("%s[action='/@%s'] [value=%s]", p.within, u.Login, act))
		eventually(t, "tasks end", w.svc.Idle)
		if r := w.relation(ann.ID, u.ID); r.RequestedBy || r.FollowedBy != (act == "accept") {
			t.Errorf("%s in %s of %s leaves %+v", act, p.within, p.path, r)
		}
	}
}

// noticesHaveFacesAndExcerpts checks that a notification shows faces, names, the action, its time
// and an excerpt. It also checks that the filters work and that the chosen one is marked.
func noticesHaveFacesAndExcerpts(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "The reed warbler is back, a week early"})
	for _, login := range []string{"bob", "cat", "eve"} {
		u := w.user(login)
		if _, err := w.svc.Posting.Marks.Favourite(t.Context(), u.ID, st.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.post(w.named("bob"), linnet.Draft{Text: "@ann heard it too"})
	w.follows(w.named("cat"), ann.ID)
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	for _, px := range []int{360, 1280} { // phones scroll the filters sideways
		tb.size(px, 800)
		tb.open(w.base + "/notifications")
		const starred = "[...document.querySelectorAll('.happened')].find(e => e.innerText.includes('favourited'))"
		if got := tb.eval("[%s.querySelectorAll('.faces .avatar').length, %s.querySelector('.quoted').innerText, !!%s.querySelector('time[datetime]')].join()", starred, starred, starred); got != "3,The reed warbler is back, a week early,true" {
			t.Errorf("at %d px: %s", px, got)
		}
		if tops := tb.eval("new Set([...document.querySelectorAll('.chip[href]')].map(e => e.getBoundingClientRect().top)).size"); tops != "1" {
			t.Errorf("at %d px chips stand in %s lines", px, tops)
		}
		tb.pictured(fmt.Sprint("notices-", px))
	}
	for kind, n := range map[string]string{"mentions": "1 0", "favourites": "0 1", "follows": "0 1"} {
		tb.open(w.base + "/notifications")
		tb.press(".chip[href$=" + kind + "]")
		if got := tb.eval("document.querySelectorAll('.noted').length + ' ' + document.querySelectorAll('.happened').length"); got != n || tb.eval("document.querySelector('.chip[aria-current]').getAttribute('href').endsWith('%s')", kind) != "true" {
			t.Errorf("%s: mentions and others %s, want %s", kind, got, n)
		}
	}
}

// unreadOn reads the numbers next to Notifications and Messages in the navigation.
const unreadOn = `['/notifications', '/messages'].map(p => document.querySelector('.nav .go[href="' + p + '"] .n')?.firstChild.textContent.trim() ?? '0').join()`

// badgesAreTrue checks that every page shows the same unread numbers, error pages too. No page
// counts an item after it was read, not even one reached with the back button.
func badgesAreTrue(t *testing.T) {
	w, ann, bob := flock(t, 0)
	w.post(bob.ID, linnet.Draft{Text: "@ann hello"})
	w.post(bob.ID, linnet.Draft{Text: "@ann again"})
	talk := w.conversationOf(ann.ID, bob.ID)
	tb := newTab(t)
	tb.width(1280)
	tb.enters(w, "ann")
	tb.expects("status of 404") // the missing page
	pages := []string{"/", "/messages", "/@bob", "/settings/profile", "/nowhere"}
	everywhere := func(want string) {
		t.Helper()
		for _, path := range pages {
			tb.open(w.base + path)
			if got := tb.eval(unreadOn); got != want {
				t.Errorf("%s counts %s, want %s", path, got, want)
			}
		}
	}
	tb.open(w.base + "/")
	first := tb.eval(unreadOn)
	if strings.HasPrefix(first, "0,") || !strings.HasSuffix(first, ",1") {
		t.Fatalf("at first home counts %s", first)
	}
	everywhere(first)
	tb.pictured("unread")
	tb.open(w.base + "/")
	tb.press(".nav .go[href='/notifications']")
	tb.holds("%s == '0,1'", unreadOn)
	tb.loads(func() { tb.eval("setTimeout(() => history.back()), 1") })
	tb.holds("location.pathname == '/' && %s == '0,1'", unreadOn)
	everywhere("0,1")
	tb.open(w.base + talk)
	everywhere("0,0")
	tb.open(w.base + "/")
	tb.pictured("read")
}

// newPostStaysInView checks that the New post button stays in view and nothing covers it, for any
// window height and scroll position.
func newPostStaysInView(t *testing.T) {
	w, _, bob := flock(t, 30)
	st := w.post(bob.ID, linnet.Draft{Text: strings.Repeat("a long one ", 40)})
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	const inBar = `((n, b) => b.top >= n.top && b.left >= n.left && b.bottom <= n.bottom && b.right <= n.right)(document.querySelector('.nav').getBoundingClientRect(), document.querySelector('.write').getBoundingClientRect())`
	const inView = `(y => { scrollTo(0, y); const b = document.querySelector('.write').getBoundingClientRect();
		return b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight && b.right <= innerWidth && document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest('.write') != null })(%s)`
	for _, path := range []string{"/", "/@bob", postPath(st), "/notifications", "/explore", "/groups"} {
		tb.open(w.base + path)
		for _, size := range [][2]int{{320, 400}, {640, 320}, {768, 400}, {1024, 480}, {1280, 420}, {1920, 1080}} {
			tb.size(size[0], size[1])
			if n := tb.eval("[...document.querySelectorAll('.nav .go')].filter(e => e.checkVisibility()).length <= 9"); n != "true" {
				t.Errorf("%s at %v: more than nine entries", path, size)
			}
			for _, y := range []string{"0", "document.documentElement.scrollHeight / 2", "document.documentElement.scrollHeight"} {
				if tb.eval(inView, y) != "true" {
					t.Errorf("%s at %v, scrolled to %s: New post is out of view", path, size, y)
				}
			}
			if tb.eval(inBar) != "true" {
				t.Errorf("%s at %v: New post covers the page", path, size)
			}
			if path == "/" && size[1] == 420 {
				tb.pictured("low")
			}
		}
	}
}

// wordless returns visible controls with an icon but no visible text or title.
const wordless = `[...document.querySelectorAll('a, button, summary')].filter(e => e.querySelector('svg, img') && e.checkVisibility() && e.getBoundingClientRect().height > 1 && !e.closest('[aria-hidden], .gallery, .shots, .viewer'))
	.filter(e => { const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		for (let n; n = walk.nextNode();) { const r = document.createRange(); r.selectNodeContents(n); const b = r.getBoundingClientRect(), p = n.parentElement.getBoundingClientRect();
			if (n.data.trim() && b.width > 3 && p.width > 3 && n.parentElement.checkVisibility()) return false }
		return !e.title }).map(e => e.outerHTML.slice(0, 90)).slice(0, 4).join(' | ')`

// signsHaveWords checks that every icon button has a visible label or a title.
func signsHaveWords(t *testing.T) {
	w := served(t)
	f := w.furnishAll()
	tb := newTab(t)
	tb.enters(w, "ann")
	for _, path := range []string{"/", f.post, "/@bob", "/@ann", "/notifications", "/messages", "/compose", "/groups", "/settings/profile", "/admin/overview"} {
		tb.open(w.base + path)
		for _, px := range []int{360, 1024, 1920} { // one width per navigation layout
			tb.width(px)
			if got := tb.eval(wordless); got != "" {
				t.Errorf("%s at %d px: without a word: %s", path, px, got)
			}
		}
	}
}

// wideWindowsAreUsed checks that wide windows have a sidebar next to the main column, and that
// pages with tables are wide.
func wideWindowsAreUsed(t *testing.T) {
	w, ann, bob := flock(t, 2)
	st := w.post(ann.ID, linnet.Draft{Text: "a post #birds"})
	w.follows(bob.ID, w.user("cat").ID)
	w.role("ann", linnet.Admin)
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	for _, px := range []int{1280, 1920} {
		tb.width(px)
		for _, path := range []string{"/", "/explore", "/@bob", postPath(st)} {
			tb.open(w.base + path)
			if tb.eval("((m, s) => s.left >= m.right && s.width >= 270 && s.right <= innerWidth && m.width >= 560 && m.width <= 720)(document.querySelector('main').getBoundingClientRect(), document.querySelector('.side').getBoundingClientRect())") != "true" {
				t.Errorf("%s at %d px: nothing stands beside the page", path, px)
			}
			if path != "/explore" && !tb.seen(".side .search") {
				t.Errorf("%s at %d px: no search stands beside the page", path, px)
			}
		}
		for _, path := range []string{"/admin/users", "/settings/profile"} {
			tb.open(w.base + path)
			if tb.eval("document.querySelector('main').getBoundingClientRect().width >= 900") != "true" {
				t.Errorf("%s at %d px is narrow", path, px)
			}
		}
		tb.open(w.base + "/")
		tb.pictured(fmt.Sprint("home-", px))
	}
	if !tb.seen(".aside .person") {
		t.Error("home does not say whom one may follow")
	}
}

// banner sets an uploaded banner for the account.
func (w *world) banner(who linnet.ID) {
	w.t.Helper()
	f, err := w.svc.Uploads.Receive(bytes.NewReader(aPicture(1500, 500)))
	if err == nil {
		defer f.Close()
		err = w.svc.Social.Profiles.SetPicture(w.t.Context(), who, media.Banner, f)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// profilesHaveTheirParts checks that a profile starts with its banner and has a media page. Wide
// windows show its fields in two columns and accounts in common in the sidebar.
func profilesHaveTheirParts(t *testing.T) {
	w, ann, bob := flock(t, 1)
	w.banner(bob.ID)
	fields := []linnet.ProfileField{{Name: "Garden", Value: "behind the mill"}, {Name: "Heard", Value: "212 kinds"}, {Name: "Site", Value: "https://example.com/"}, {Name: "Since", Value: "1998"}}
	note := "Counts birds."
	if _, err := w.svc.Social.Profiles.Update(t.Context(), bob.ID, linnet.ProfileChange{Fields: &fields, Note: &note}); err != nil {
		t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "look", Media: []linnet.ID{w.uploaded(bob.ID, 300, 300, "a nest")}})
	cat := w.user("cat")
	w.follows(ann.ID, cat.ID)
	w.follows(cat.ID, bob.ID)
	eventually(t, "tasks end", w.svc.Idle)
	tb := w.withoutScripts("ann")
	for px, columns := range map[int]string{360: "1", 1280: "2"} {
		tb.size(px, 800)
		tb.open(w.base + "/@bob")
		tb.holds("(e => e.complete && e.naturalWidth == 1500)(document.querySelector('.cover'))")
		if got := tb.eval("(b => Math.round(b.width / b.height * 10))(document.querySelector('.cover').getBoundingClientRect())"); got != "30" {
			t.Errorf("at %d px the banner is %s tenths as wide as high", px, got)
		}
		if got := tb.eval("new Set([...document.querySelectorAll('.fields > div')].map(e => e.getBoundingClientRect().left)).size"); got != columns {
			t.Errorf("at %d px fields stand in %s columns, want %s", px, got, columns)
		}
		tb.pictured(fmt.Sprint("profile-", px))
	}
	tb.size(1280, 800)
	tb.open(w.base + "/@bob")
	if !tb.seen(".aside[aria-label='In common'] .person") {
		t.Error("nobody is in common")
	}
	tb.press(".tabs a[href='/@bob/media']")
	tb.holds("document.querySelector('.shots img').alt == 'a nest'")
	tb.pictured("media")
}

// frontPageShowsTheServer checks that the first screen shows the instance's name, description,
// members and sign-up button. Posts follow, and only the last line names the software.
func frontPageShowsTheServer(t *testing.T) {
	w := served(t)
	ann, yes, title, about := w.user("ann"), true, "The reed bed", "A place for those who count birds."
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Discoverable: &yes}); err != nil {
		t.Fatal(err)
	}
	w.open("Be kind.")
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Title: &title, Description: &about}); err != nil {
		t.Fatal(err)
	}
	w.post(ann.ID, linnet.Draft{Text: "a first finch"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	for _, size := range [][2]int{{360, 640}, {1280, 800}} {
		tb.size(size[0], size[1])
		tb.open(w.base + "/")
		if got := tb.eval("[...document.querySelectorAll('h1, .lead, .place .button, .place .avatar')].filter(e => e.getBoundingClientRect().bottom > innerHeight).map(e => e.outerHTML).join()"); got != "" {
			t.Errorf("at %v below the window: %s", size, got)
		}
		if got := tb.eval("document.title + '|' + document.querySelector('h1').innerText + '|' + document.querySelector('.lead').innerText"); got != title+"|"+title+"|"+about && !strings.HasPrefix(got, title) {
			t.Errorf("it is headed %q", got)
		}
		if tb.eval("document.querySelector('main').innerText.includes('Linnet')") == "true" || tb.eval("document.querySelector('header.top').innerText.includes('Linnet')") == "true" {
			t.Errorf("at %v the software is named above the last line", size)
		}
		tb.pictured(fmt.Sprint("front-", size[0]))
	}
	tb.shows("a first finch", "Be kind.")
	want(t, w.browser().get("/"), http.StatusOK, `href="/signup"`)
}

// composerIsOne checks that all pages have the same composer, with the same tools in the same
// order. The chosen visibility is remembered.
func composerIsOne(t *testing.T) {
	w, ann, bob := flock(t, 0)
	st := w.post(bob.ID, linnet.Draft{Text: "asked?"})
	g, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: "club", Name: "Club", Kind: linnet.PublicGroup})
	if err != nil {
		t.Fatal(err)
	}
	talk := w.conversationOf(ann.ID, bob.ID)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.size(1280, 800)
	const parts = `(c => [!!c.querySelector('textarea#text[dir=auto]'), [...c.querySelectorAll('.tools > .tool > summary use')].map(e => e.href.baseVal.split('#')[1]).filter(n => /picture|poll|warn|sliders/.test(n)).join(' '),
		!!c.querySelector('.send .ring'), !!c.querySelector('.send .counter'), !!c.querySelector('.send .button')].join())(document.querySelector('.composer'))`
	for path, opens := range map[string]bool{"/": true, "/compose": true, "/compose?in_reply_to=" + st.ID.String(): true, postPath(st): true, "/@" + g.Login: false, talk: false} {
		tb.open(w.base + path)
		tb.eval("document.querySelector('#text').focus()")
		if got := tb.eval(parts); got != "true,picture poll warn sliders,true,true,true" {
			t.Errorf("%s: %s", path, got)
		}
		if !opens {
			continue
		}
		tb.clicks(".audience > summary")
		tb.holds("document.querySelector('.audience .menu').checkVisibility()")
		if got := tb.eval("[...document.querySelectorAll('.audience .menu label')].filter(e => !e.querySelector('svg') || e.querySelector('span').innerText.split('\\n').length != 2).length + ' of ' + document.querySelectorAll('.audience .menu label').length"); !strings.HasPrefix(got, "0 of ") || got == "0 of 0" {
			t.Errorf("%s: without a sign, a name or what it means: %s", path, got)
		}
		if path == "/" {
			tb.pictured("audience")
		}
	}
	tb.open(w.base + "/")
	const filled = "Number(document.querySelector('.ring use + use').getAttribute('stroke-dasharray').split(' ')[0])"
	tb.writes(strings.Repeat("x", 250))
	tb.holds("Math.round(%s) == 50 && document.querySelector('.counter').classList.contains('unseen')", filled)
	tb.writes(strings.Repeat("x", 490))
	tb.holds("Math.round(%s) == 98 && document.querySelector('.counter').innerText.startsWith('10') && !document.querySelector('.counter').classList.contains('unseen')", filled)
	tb.pictured("nearly-full")
	tb.writes(strings.Repeat("x", 501))
	tb.holds("document.querySelector('.send .button').disabled && document.querySelector('.counter.over').innerText.startsWith('-1')")
}
