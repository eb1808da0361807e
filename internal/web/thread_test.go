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
