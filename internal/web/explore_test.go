package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func TestExplore(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	eve := w.user("eve")
	for _, f := range [][2]linnet.ID{{ann.ID, bob.ID}, {bob.ID, eve.ID}} {
		if _, err := w.svc.Social.Follow(t.Context(), f[0], f[1], linnet.FollowOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range linnet.DefaultPage {
		w.user(fmt.Sprintf("bird%d", i))
	}
	b := w.browser().logIn("ann")
	eventually(t, "a friend of a friend is suggested", func() bool {
		return strings.Contains(b.get("/explore").body, "Followed by someone you follow")
	})
	want(t, b.get("/explore?order=new"), http.StatusOK, "@bird19</bdi>", `rel="next" href="/explore?order=new&amp;offset=20"`)
	want(t, b.get("/explore?order=new&offset=20"), http.StatusOK, "@bob</bdi>", `rel="prev"`)
	want(t, b.get("/explore?order=x&offset=-1"), http.StatusOK)
	want(t, b.get("/explore?offset=999999999999"), http.StatusOK, "No one yet")
}

// TestTrendingPosts checks that Explore has a tab of trending posts unless trends are switched off.
func TestTrendingPosts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "A wren sang"})
	b := w.browser().logIn("ann")
	want(t, b.get("/explore"), http.StatusOK, `href="/explore/posts">Trending posts`)
	want(t, b.get("/explore/posts"), http.StatusOK, "No trending posts yet")
	for _, who := range []string{"bob", "eve", "zoe"} {
		if _, err := w.svc.Posting.Marks.Favourite(t.Context(), w.user(who).ID, st.ID); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	if err := w.svc.Trends.HandOn(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/explore/posts"), http.StatusOK, "A wren sang", postPath(st))
	off := false
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Trends: &off}); err != nil {
		t.Fatal(err)
	}
	if a := b.get("/explore"); strings.Contains(a.body, "/explore/posts") {
		t.Error("Explore leads to trending posts although trends are off")
	}
	want(t, b.get("/explore/posts"), http.StatusOK, "No trending posts yet")
}
