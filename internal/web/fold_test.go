package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// longTextsAreFolded checks that lists collapse long posts, while a post's own page shows it in
// full.
func longTextsAreFolded(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: strings.Repeat("a line\n", 30) + "the end"})
	b := w.browser().logIn("ann")
	want(t, b.get("/"), http.StatusOK, `<details class="rest">`, "Show more", "the end")
	if page := b.get(postPath(st)); strings.Contains(page.body, "Show more") || !strings.Contains(page.body, "the end") {
		t.Error("the opened post is cut")
	}
	warned := w.post(ann.ID, linnet.Draft{Text: strings.Repeat("a line\n", 30) + "its end", Warning: "lines"})
	want(t, b.get("/@ann"), http.StatusOK, warned.ID.String(), "its end", `<details class="rest">`)
}
