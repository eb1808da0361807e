package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestFollowTagsByForms checks that tags can be followed on their page and in the settings. The
// home timeline shows which tag a post came from.
func TestFollowTagsByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	a := w.browser().logIn("ann")
	w.post(bob.ID, linnet.Draft{Text: "look #Vögel"})
	page := w.browser().get("/tags/vogel")
	if want(t, page, http.StatusOK, "look"); strings.Contains(page.body, "/follow") {
		t.Error("strangers are offered to follow a tag")
	}
	want(t, a.get("/settings/followed-tags"), http.StatusOK, "You don't follow any hashtags.")
	want(t, a.get("/tags/V%C3%B6gel"), http.StatusOK, `action="/tags/V%C3%B6gel/follow"`, `aria-pressed="false"`)
	wantTo(t, a.post("/tags/V%C3%B6gel/follow", "act", "follow"), "/tags/V%C3%B6gel")
	want(t, a.get("/tags/vogel"), http.StatusOK, `value="unfollow" aria-pressed="true"`)
	want(t, a.get("/"), http.StatusOK, "look", `You follow <a href="/tags/V%C3%B6gel">#<bdi>Vögel</bdi></a>.`)
	want(t, a.get("/settings/followed-tags"), http.StatusOK, `href="/tags/vogel"`, "Unfollow #vogel")
	want(t, a.post("/settings/followed-tags", "name", "20 24"), http.StatusUnprocessableEntity, "must contain only letters, digits and underscores, and can't be all digits", `value="20 24"`)
	wantTo(t, a.post("/settings/followed-tags", "name", "#hens"), "/settings/followed-tags?done=saved")
	a.get("/settings/followed-tags")
	wantTo(t, a.post("/settings/followed-tags", "remove", "vogel"), "/settings/followed-tags?done=saved")
	if body := a.get("/").body; strings.Contains(body, "look") {
		t.Error("what was unfollowed stands at home")
	}
	want(t, a.get("/tags/hens"), http.StatusOK, `aria-pressed="true"`)
	wantTo(t, a.post("/tags/hens/follow", "act", "unfollow"), "/tags/hens")
	a.get("/tags/hens")
	want(t, a.post("/tags/2024/follow", "act", "follow"), http.StatusNotFound)
	for i := range linnet.MaxFollowedTags {
		if err := w.svc.Social.Tags.Follow(t.Context(), ann.ID, "t"+string(rune('a'+i%26))+string(rune('a'+i/26))); err != nil {
			t.Fatal(err)
		}
	}
	a.get("/tags/hens")
	want(t, a.post("/tags/hens/follow", "act", "follow"), http.StatusUnprocessableEntity, "You can follow at most 100 hashtags. Unfollow one first", "/settings/followed-tags")
	want(t, a.get("/settings/followed-tags"), http.StatusOK, "#taa")
	want(t, a.post("/settings/followed-tags", "name", "hens"), http.StatusUnprocessableEntity, "You can follow at most 100 hashtags", `value="hens"`)
}
