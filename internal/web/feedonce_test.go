package web_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// boostedByMany checks that a post boosted by several followed accounts appears once in the home
// timeline, with their number, or their name for one. The viewer's own boost is not counted.
func boostedByMany(t *testing.T) {
	w := newWorld(t, loopbackURL)
	me, ann := w.user("me"), w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "song"})
	var bob linnet.ID
	for _, login := range []string{"bob", "cat", "dan"} {
		u := w.user(login)
		bob = cmp.Or(bob, u.ID)
		if _, err := w.svc.Social.Follow(t.Context(), me.ID, u.ID, linnet.FollowOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.svc.Posting.Repost(t.Context(), u.ID, st.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	b := w.browser().logIn("me")
	want(t, b.get("/"), http.StatusOK, "bob</bdi></a> and 2 others boosted")
	if _, err := w.svc.Social.Follow(t.Context(), me.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/"), http.StatusOK, "Boosted by 3 accounts you follow")
	duet := w.post(ann.ID, linnet.Draft{Text: "duet"})
	boost := func(by linnet.ID) {
		if _, err := w.svc.Posting.Repost(t.Context(), by, duet.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	boost(me.ID)
	if a := b.get("/"); strings.Contains(a.body, "Boosted by 1") || strings.Contains(a.body, "</a> boosted") {
		t.Error("the reader's own boost is counted")
	}
	boost(bob)
	want(t, b.get("/"), http.StatusOK, "bob</bdi></a> boosted")
}
