package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func pointsOfWriting() []point {
	return []point{
		{76, "after posting, a notice leads to the post, and can undo it within the time that the author set", []proof{
			{"forms", noticeWithoutScripts}, {"notice", noticeLeadsToThePost}}},
	}
}

// wantPosted checks the redirect after a post was sent from a page: back to it, with a notice.
func wantPosted(t *testing.T, a answer, path string) {
	t.Helper()
	want(t, a, http.StatusSeeOther)
	if got := a.Header.Get("Location"); !strings.HasPrefix(got, path+"?posted=") {
		t.Fatalf("leads to %q, want %q with a notice", got, path)
	}
}

// noticeWithoutScripts checks the notice on the page to which the form redirects.
func noticeWithoutScripts(t *testing.T) {
	w, ann, _ := flock(t, 0)
	b := w.browser().logIn("ann")
	b.get("/")
	in := b.inputs(t, composerMark)
	in.Set("text", "a wren")
	a := b.postRaw("/compose", in)
	wantPosted(t, a, "/")
	post, err := w.svc.Reading.Profile(t.Context(), ann.ID, ann.ID, linnet.ProfileFilter{}, linnet.Page{Limit: 1})
	if err != nil || len(post.Items) != 1 {
		t.Fatal(post, err)
	}
	want(t, b.get(a.Header.Get("Location")), http.StatusOK, `role="status">Posted. <a href="`+postPath(post.Items[0])+`">View</a>`)
	for _, path := range []string{"/", "/?posted=", "/?posted=0", "/?posted=wren"} {
		if a := b.get(path); strings.Contains(a.body, "Posted.") {
			t.Errorf("%s: a notice without a post", path)
		}
	}
}

// noticeLeadsToThePost checks that posting keeps the page, renews the
// composer and shows a notice with a link to the post.
func noticeLeadsToThePost(t *testing.T) {
	w, ann, _ := flock(t, 3)
	tb := homeOf(t, w)
	tb.eval("window.stays = 1")
	tb.writes("a wren sings")
	tb.eval("document.querySelector('[name=warning]').value = 'loud'")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=status]').textContent == 'Posted. View'")
	tb.holds("document.querySelector('.post .text')?.textContent.includes('a wren sings')")
	if got := tb.eval("[window.stays, document.getElementById('text').value, document.querySelector('[name=warning]').value, document.querySelectorAll('.post').length, location.href, document.activeElement.id].join()"); got != "1,,,4,"+w.base+"/,text" {
		t.Errorf("after posting: %s", got)
	}
	tb.pictured("notice")
	tb.loads(func() { tb.clicks(".flash a") })
	if got := w.postsOf(ann.ID); len(got) != 1 || tb.eval("document.querySelector('.opened .text').textContent.includes('a wren sings')") != "true" {
		t.Errorf("posts %q; the link leads to %s", got, tb.eval("location.href"))
	}
	tb.open(w.base + "/?posted=1")
	tb.holds("location.href == '%s/' && document.querySelector('main .posted').textContent == 'Posted. View'", w.base)
	tb.calm()
}
