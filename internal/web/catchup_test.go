package web_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// The page has everything in the order of scores, with the reasons, page by page; it
// is renewed, and marks home as read, without a script.
func TestCatchUp(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, bob.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/catchup"), http.StatusOK, "You're all caught up")
	var best linnet.ID
	for i := range linnet.DefaultPage + 2 {
		st := w.post(bob.ID, linnet.Draft{Text: fmt.Sprintf("number %d.", i)})
		if i == 3 {
			best = st.ID
		}
	}
	for _, id := range []linnet.ID{ann.ID, eve.ID} {
		if _, err := w.svc.Posting.Favourite(t.Context(), id, best); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get("/catchup"), http.StatusOK, "You're all caught up") // it stays
	want(t, b.post("/catchup", "renew", "1"), http.StatusSeeOther)
	a := b.get("/catchup")
	want(t, a, http.StatusOK, "Score 3 = 1 + 2 for favourites", "Score 1: no votes yet", "You follow", `rel="next" href="/catchup?cursor=`)
	if i, j := strings.Index(a.body, "number 3."), strings.Index(a.body, fmt.Sprintf("number %d.", linnet.DefaultPage+1)); i < 0 || j < i {
		t.Errorf("number 3 at %d, the newest at %d", i, j)
	}
	more := between(a.body, `rel="next" href="`, `"`)
	want(t, b.get(more), http.StatusOK, "number 0.", "number 1.", `rel="first" href="/catchup"`)
	want(t, b.get("/catchup?cursor=x"), http.StatusSeeOther)
	b.get("/catchup") // whose form is sent
	upTo := between(a.body, `name="read" value="`, `"`)
	want(t, b.post("/catchup", "read", upTo), http.StatusSeeOther)
	want(t, b.get("/catchup"), http.StatusOK, "You're all caught up")
	want(t, w.browser().get("/catchup"), http.StatusSeeOther)
}

// It is a list in apps for those who ask for it.
func TestShownLists(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/lists/2"), http.StatusNotFound)
	want(t, b.get("/settings/lists"), http.StatusOK, "Lists in apps")
	want(t, b.post("/settings/lists", "catch_up", "1"), http.StatusSeeOther)
	a := b.get("/lists")
	want(t, a, http.StatusOK, `<a href="/lists/2" dir="auto">Catch-up</a>`)
	want(t, a, http.StatusOK, ">Top<") // there in any case
	want(t, b.get("/lists/2"), http.StatusSeeOther)
}

// between is what stands between two texts on a page, as it is meant.
func between(page, left, right string) string {
	_, rest, _ := strings.Cut(page, left)
	found, _, _ := strings.Cut(rest, right)
	return html.UnescapeString(found)
}
