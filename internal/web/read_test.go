package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// readingMarksRead checks that reading messages and notifications marks them as read. HEAD
// requests, prefetching, older pages and other tabs do not.
func readingMarksRead(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: vis(linnet.Direct)})
	w.post(bob.ID, linnet.Draft{Text: "@ann hello"})
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	count := func(name string) bool {
		return strings.Contains(b.get("/about").body, `<span class="label">`+name+`</span><span class="n">`)
	}
	all, err := w.svc.Posting.Conversations.List(t.Context(), ann.ID, linnet.Page{})
	if err != nil || len(all.Items) != 1 {
		t.Fatal(all, err)
	}
	talk := "/messages/" + all.Items[0].ID.String()
	for _, p := range []struct{ name, page, other string }{{"Notifications", "/notifications", "/notifications?kind=favourites"}, {"Messages", talk, "/messages"}} {
		if !count(p.name) {
			t.Fatalf("%s: nothing is unread", p.name)
		}
		b.do("HEAD", p.page, "", nil)
		b.get(p.other)
		for _, header := range []string{"Sec-Purpose", "Purpose", "X-Moz"} {
			b.header = http.Header{http.CanonicalHeaderKey(header): {"prefetch"}}
			b.get(p.page)
			b.header = http.Header{}
		}
		b.get(p.page + "?max_id=1")
		if !count(p.name) {
			t.Errorf("%s: read without being read", p.name)
		}
		want(t, b.get(p.page), http.StatusOK)
		if count(p.name) {
			t.Errorf("%s: still unread", p.name)
		}
	}
	if a := b.get("/notifications"); strings.Contains(a.body, "Mark as read") || strings.Contains(a.body, "unread") {
		t.Error("something is shown as unread the second time")
	}
}

// TestSearchFindsPosts checks that search finds the viewer's own posts by word, but no private
// posts of other accounts.
func TestSearchFindsPosts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("bob")
	st := w.post(ann.ID, linnet.Draft{Text: "A zebra finch", Visibility: vis(linnet.Private)})
	eventually(t, "tasks end", w.svc.Idle)
	want(t, w.browser().logIn("ann").get("/search?q=zebra"), http.StatusOK, "A zebra finch", postPath(st))
	for _, b := range []*browser{w.browser().logIn("bob")} {
		want(t, b.get("/search?q=zebra"), http.StatusOK, "Nothing found")
	}
}

// TestQuestionsShowQuietPosts checks that a confirmation page shows the post without its actions.
func TestQuestionsShowQuietPosts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "to go"})
	b := w.browser().logIn("ann")
	a := b.get(postPath(st) + "/delete")
	want(t, a, http.StatusOK, "to go", "Delete")
	if strings.Contains(a.body, `class="acts"`) || strings.Contains(a.body, `value="boost"`) {
		t.Error("the post can be acted upon while its deletion is asked about")
	}
}

// TestErrorPagesNameTheServer checks that error pages show the instance's name and the unread
// numbers of the viewer.
func TestErrorPagesNameTheServer(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	bob := w.user("bob")
	title := "Our Aviary"
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Title: &title}); err != nil {
		t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "@ann hello"})
	w.post(bob.ID, linnet.Draft{Text: "@ann psst", Visibility: vis(linnet.Direct)})
	eventually(t, "tasks end", w.svc.Idle)
	want(t, w.browser().get("/nowhere"), http.StatusNotFound, "Page not found · Our Aviary", "Log in</a>")
	want(t, w.browser().logIn("ann").get("/nowhere"), http.StatusNotFound, "Page not found · Our Aviary", `Notifications</span><span class="n">2`, `Messages</span><span class="n">1`)
}
