package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// longThreadGoesOn checks that a long thread is split into pages.
func longThreadGoesOn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "root"})
	for range 120 {
		w.post(ann.ID, linnet.Draft{Text: "wide", InReplyTo: st.ID})
	}
	b := w.browser()
	shown := 0
	path := postPath(st)
	pages := 0
	for path != "" {
		a := b.get(path)
		want(t, a, http.StatusOK)
		shown += strings.Count(a.body, `<article class="post`) - 1
		_, link, found := strings.Cut(a.body, `rel="next" href="`)
		path = ""
		if found {
			path, _, _ = strings.Cut(link, `"`)
		}
		pages++
	}
	if shown != 120 || pages != 2 {
		t.Errorf("%d answers on %d pages", shown, pages)
	}
}

// participantsAreNextToTheThread checks the side panel of threads, which lists up to five authors,
// each of them once.
func participantsAreNextToTheThread(t *testing.T) {
	w := newWorld(t, loopbackURL)
	root := w.post(w.user("ann").ID, linnet.Draft{Text: "root"})
	b := w.browser().logIn("ann")
	if a := b.get(postPath(root)); strings.Contains(a.body, `id="participants"`) {
		t.Error("a post without replies has a list of participants")
	}
	for _, login := range []string{"bob", "cyd", "dot", "eve", "fay", "gus"} {
		u := w.user(login)
		for range 2 {
			w.post(u.ID, linnet.Draft{Text: "reply", InReplyTo: root.ID})
		}
	}
	a := b.get(postPath(root))
	want(t, a, http.StatusOK, `id="participants"`)
	_, side, _ := strings.Cut(a.body, `id="participants"`)
	if n := strings.Count(side, `<article class="person"`); n != 5 || strings.Count(side, ">@eve<") != 1 || strings.Contains(side, ">@fay<") {
		t.Errorf("%d participants, want 5", n)
	}
}
