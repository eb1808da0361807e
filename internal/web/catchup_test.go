package web_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestCatchUp checks that Catch-up sorts posts by score, with reasons and pagination. It can be
// refreshed, and marks the home timeline as read, without scripts.
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
		if _, err := w.svc.Posting.Marks.Favourite(t.Context(), id, best); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get("/catchup"), http.StatusOK, "You're all caught up") // the snapshot does not change
	want(t, b.post("/catchup", "renew", "1"), http.StatusSeeOther)
	a := b.get("/catchup")
	want(t, a, http.StatusOK, "Score 3 = 1 + 2 for favourites", "Score 1: no favourites, boosts or replies yet", "You follow", `rel="next" href="/catchup?cursor=`)
	if i, j := strings.Index(a.body, "number 3."), strings.Index(a.body, fmt.Sprintf("number %d.", linnet.DefaultPage+1)); i < 0 || j < i {
		t.Errorf("number 3 at %d, the newest at %d", i, j)
	}
	more := between(a.body, `rel="next" href="`, `"`)
	want(t, b.get(more), http.StatusOK, "number 0.", "number 1.", `rel="first" href="/catchup"`)
	want(t, b.get("/catchup?cursor=x"), http.StatusSeeOther)
	b.get("/catchup") // its form is submitted next
	upTo := between(a.body, `name="read" value="`, `"`)
	want(t, b.post("/catchup", "read", upTo), http.StatusSeeOther)
	want(t, b.get("/catchup"), http.StatusOK, "You're all caught up")
	want(t, w.browser().get("/catchup"), http.StatusSeeOther)
}

// TestShownLists checks that Catch-up appears as a list in apps only if the account enables it.
func TestShownLists(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/lists/2"), http.StatusNotFound)
	want(t, b.get("/settings/lists"), http.StatusOK, "Lists in apps")
	want(t, b.post("/settings/lists", "catch_up", "1"), http.StatusSeeOther)
	a := b.get("/lists")
	want(t, a, http.StatusOK, `<a href="/lists/2" dir="auto">Catch-up</a>`)
	want(t, a, http.StatusOK, ">Top<") // always available
	want(t, b.get("/lists/2"), http.StatusSeeOther)
}

// between returns the unescaped text between two strings of a page.
func between(page, left, right string) string {
	_, rest, _ := strings.Cut(page, left)
	found, _, _ := strings.Cut(rest, right)
	return html.UnescapeString(found)
}
