package web_test

import (
	"net/http"
	"testing"

	"linnet/internal/linnet"
)

// TestOldPostsPage checks that automatic deletion of old posts can be configured, and that invalid
// settings show the entered values again.
func TestOldPostsPage(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/settings/old-posts"), http.StatusOK, "Old posts", "Posts are never deleted automatically", "Download archive", "After 2 years", "After 2 months")
	wrong := b.post("/settings/old-posts", "days", "30", "favourites", "many", "media", "1")
	want(t, wrong, http.StatusUnprocessableEntity, "This isn't a number", `value="many"`, `value="30" selected`)
	want(t, b.post("/settings/old-posts", "days", "31"), http.StatusUnprocessableEntity, "can't be 31 days")
	want(t, b.post("/settings/old-posts", "days", "30", "reposts", "2000000"), http.StatusUnprocessableEntity, "must be a number from 0 to")
	wantTo(t, b.post("/settings/old-posts", "days", "30", "favourites", "10", "media", "1"), "/settings/old-posts?done=saved")
	c, _, err := w.svc.Posting.Old.Choice(t.Context(), ann.ID)
	if want := (linnet.OldPosts{Days: 30, Favourites: 10, Media: true}); err != nil || c != want {
		t.Errorf("chosen %v, %v, want %v", c, err, want)
	}
	want(t, b.get("/settings/old-posts"), http.StatusOK, "Posts are deleted after 1 month", `value="10"`)
	want(t, w.browser().get("/settings/old-posts"), http.StatusSeeOther)
}
