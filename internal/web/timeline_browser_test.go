package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// paged turns off the automatic loading of older posts.
func (w *world) paged(me linnet.ID) {
	w.t.Helper()
	if _, err := w.svc.Social.Profiles.Update(w.t.Context(), me, linnet.ProfileChange{Appearance: &linnet.Appearance{Paged: true}}); err != nil {
		w.t.Fatal(err)
	}
}

// loadMore checks that the script appends older posts and moves the focus to the first of them. The
// linked page contains the same posts without scripts.
func loadMore(t *testing.T) {
	w, ann, _ := flock(t, 45)
	w.paged(ann.ID)
	tb := homeOf(t, w)
	next := tb.eval("document.querySelector('.pager [rel=next]').href")
	tb.eval("document.querySelector('.pager [rel=next]').focus()")
	tb.hit("Enter")
	tb.holds("document.activeElement.matches('.post') && document.activeElement.textContent.includes('Status 25')")
	tb.holds("document.querySelectorAll('.post').length == 40 && location.pathname == '/'")
	tb.holds("(b => b.top >= 0 && b.top < innerHeight)(document.activeElement.getBoundingClientRect())")
	tb.eval("document.querySelector('.pager [rel=next]').click()")
	tb.holds("document.activeElement.textContent.includes('Status 5') && document.querySelectorAll('.post').length == 45 && !document.querySelector('.pager [rel=next]')")
	tb.holds("new Set([...document.querySelectorAll('.post')].map(e => e.id)).size == 45")
	const second = "Status 25,Status 24,Status 23"
	tb.open(next)
	if got := tb.texts(3); got != second || tb.eval("document.querySelectorAll('.post').length") != "20" {
		t.Errorf("the second page begins %q", got)
	}
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.open(w.base + "/")
	tb.press("[rel=next]")
	if got := tb.texts(3); got != second || tb.eval("location.href") != next {
		t.Errorf("without scripts the second page begins %q", got)
	}
	tb.press("[rel=prev]")
	if got := tb.texts(1); got != "Status 45" {
		t.Errorf("back at the top stands %q", got)
	}
	tb.calm()
}

// texts returns the texts of the first n posts.
func (tb *tab) texts(n int) string {
	tb.t.Helper()
	return tb.eval("[...document.querySelectorAll('.post .text')].slice(0, %d).map(e => e.textContent.trim()).join()", n)
}

// backToTheSamePost checks that going back returns to the same post, even after several loaded
// pages.
func backToTheSamePost(t *testing.T) {
	w, ann, _ := flock(t, 60)
	w.paged(ann.ID)
	tb := homeOf(t, w)
	for range 2 {
		n := tb.eval("document.querySelectorAll('.post').length")
		tb.eval("document.querySelector('.pager [rel=next]').click()")
		tb.holds("document.querySelectorAll('.post').length > %s && document.activeElement.matches('.post')", n)
	}
	const left = "[...document.querySelectorAll('.post')].find(e => e.textContent.includes('Status 13'))"
	tb.eval("(%s.scrollIntoView({block: 'center'}), 1)", left)
	at := tb.eval("Math.round(%s.getBoundingClientRect().top)", left)
	tb.loads(func() { tb.eval("%s.querySelector('.when').click()", left) })
	tb.shows("Status 13")
	if tb.eval("location.pathname") == "/" {
		t.Fatal("the post was not opened")
	}
	tb.loads(func() { tb.eval("setTimeout(() => history.back()), 1") })
	tb.holds("location.pathname == '/' && document.querySelectorAll('.post').length == 60")
	tb.holds("Math.abs(%s.getBoundingClientRect().top - %s) < 3", left, at)
	tb.calm()
}

// otherTabIsNotified checks that the stream announces a post from another tab, without a request
// and without scrolling.
func otherTabIsNotified(t *testing.T) {
	w, _, _ := flock(t, 30)
	tb, other := homeOf(t, w), homeOf(t, w)
	tb.eval("new Promise(done => (addEventListener('scroll', () => requestAnimationFrame(done), {once: true}), scrollTo(0, 400)))")
	tb.eval(`document.body.dataset.moves = 0; addEventListener('scroll', () => document.body.dataset.moves++)`)
	for i, says := range []string{"1 new post", "2 new posts", "3 new posts"} {
		other.writes(fmt.Sprintf("News %d", i+1))
		tb.requested()
		other.hit("Ctrl+Enter")
		tb.holds("document.querySelector('.news[role=status]').textContent == %q", says)
		if asked := tb.requested(); len(asked) > 0 {
			t.Errorf("it asked for %q", asked)
		}
		other.holds("document.querySelector('.post .text').textContent.trim() == 'News %d' && !document.querySelector('.send .button').disabled", i+1)
	}
	if got := tb.eval("scrollY + ' ' + document.body.dataset.moves"); got != "400 0" {
		t.Errorf("the page stands at and has moved %s", got)
	}
	tb.hit(".")
	tb.holds("document.activeElement.matches('.post') && document.activeElement.textContent.includes('News 3')")
	if got := tb.texts(4); got != "News 3,News 2,News 1,Status 30" {
		t.Errorf("above stands %q", got)
	}
	tb.holds("document.querySelector('.news').textContent == ''")
	tb.calm()
	other.calm()
}

// newPostsComeOnce checks that a second click on the button for new posts adds none of them twice,
// even if the first one is still loading their second page.
func newPostsComeOnce(t *testing.T) {
	w, _, bob := flock(t, 20)
	tb := homeOf(t, w)
	for i := range 30 {
		w.post(bob.ID, linnet.Draft{Text: fmt.Sprintf("News %d", i+1)})
	}
	tb.holds("document.querySelector('.pill')?.textContent == '30 new posts'")
	w.requests()
	release := w.hold(func(r *http.Request) bool { return r.URL.Query().Has("max_id") })
	tb.eval("(e => (e.click(), e.click()))(document.querySelector('.pill'))")
	asked := 0
	eventually(t, "both clicks ask for the second page", func() bool {
		for _, request := range w.requests() {
			if request == "GET /" {
				asked++
			}
		}
		return asked == 4
	})
	release()
	tb.holds("document.activeElement.textContent.includes('News 30') && document.querySelector('.news').textContent == ''")
	tb.holds("performance.getEntriesByType('resource').filter(e => e.name.includes('max_id')).length == 2")
	tb.eval("new Promise(done => requestAnimationFrame(() => setTimeout(done)))") // until both pages are shown
	if got := tb.eval("(ids => ids.length + ' ' + new Set(ids).size)([...document.querySelectorAll('.post')].map(e => e.id))"); got != "50 50" {
		t.Errorf("posts and different ones: %s", got)
	}
	tb.calm()
}

// restartLosesNothing checks that a server restart loses no posts. The stream reconnects and
// announces missed posts once.
func restartLosesNothing(t *testing.T) {
	w, ann, bob := flock(t, 25)
	tb := homeOf(t, w)
	told, shown := 0, 0
	post := func(n int) {
		for range n {
			told++
			w.post(bob.ID, linnet.Draft{Text: fmt.Sprintf("Told %d", told)})
		}
	}
	for round := range 2 {
		post(1)
		tb.holds("parseInt(document.querySelector('.news').textContent) == %d", told-shown)
		w.down()
		tb.holds("!document.querySelector('.news').dataset.open")
		w.up()
		post(2) // before or during the reconnect
		tb.holds("document.querySelector('.news').dataset.open == '1'")
		post(1)
		tb.holds("parseInt(document.querySelector('.news').textContent) == %d", told-shown)
		if round == 0 {
			tb.hit(".")
			tb.holds("document.querySelector('.news').textContent == ''")
			shown = told
		}
	}
	tb.hit(".")
	tb.holds("document.activeElement.textContent.includes('Told %d')", told)
	page, err := w.svc.Reading.Home(t.Context(), ann.ID, linnet.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, st := range page.Items[:20+told] {
		want = append(want, st.ID.String())
	}
	if got := tb.eval("[...document.querySelectorAll('.post')].map(e => e.dataset.id).join()"); got != strings.Join(want, ",") {
		t.Errorf("the page shows %s\nhome is %s", got, strings.Join(want, ","))
	}
	tb.expects("net::ERR_", "status of 5") // requests to the stopped server
}
