package web

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// A long text is cut off where it is one of many, on narrow pages sooner, and shown whole
// on its own page.
func TestLongTextsAreFolded(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a line", "hello", ""},
		{"as much as fits without breaks", strings.Repeat("word ", 100), ""},
		{"23 lines", strings.Repeat("a\n", 22) + "a", ""},
		{"24 lines", strings.Repeat("a\n", 23) + "a", " long"},
		{"empty lines count", strings.Repeat("\n", 24), " long"},
		{"wide letters", strings.Repeat("字", 500), " long on-phones"},
		{"lines that break on a phone", strings.TrimSuffix(strings.Repeat(strings.Repeat("x", 40)+"\n", 12), "\n"), " long on-phones"},
	} {
		if got := foldClass(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: strings.Repeat("a line\n", 30)})
	b := w.browser().logIn("ann")
	want(t, b.get("/"), http.StatusOK, `class="text e-content p-name long"`, "<span>Show more</span>")
	if page := b.get(postPath(st)); strings.Contains(page.body, "Show more") {
		t.Error("the opened post is cut off")
	}
	warned := w.post(ann.ID, linnet.Draft{Text: strings.Repeat("a line\n", 30), Warning: "lines"})
	want(t, b.get("/@ann"), http.StatusOK, warned.ID.String(), `class="text e-content long"`)
}
