package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestFeaturedTagsOnProfile checks that featured tags of a profile link to pages with only the
// owner's posts with that tag.
func TestFeaturedTagsOnProfile(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.post(ann.ID, linnet.Draft{Text: "wren #Birds"})
	w.post(ann.ID, linnet.Draft{Text: "oak #trees"})
	for _, name := range []string{"Birds", "größe"} {
		if _, err := w.svc.Discovery.FeatureTag(t.Context(), ann.ID, name); err != nil {
			t.Fatal(err)
		}
	}
	b := w.browser()
	want(t, b.get("/@ann"), http.StatusOK, `href="/@ann/tagged/birds"`, `<bdi>#Birds</bdi></a> 1 post`, `<bdi>#größe</bdi></a> 0 posts`, "wren", "oak")
	a := b.get("/@ann/tagged/birds")
	want(t, a, http.StatusOK, "wren", "Posts with #<bdi>birds</bdi>")
	if strings.Contains(a.body, "oak") {
		t.Error("a status without the tag is there")
	}
	want(t, b.get("/@ann/tagged/nothing"), http.StatusOK, "No posts to show<")
	wantTo(t, b.get("/@ANN/tagged/birds"), "/@ann/tagged/birds")
	for _, path := range []string{"/@bob/tagged/birds", "/@ann/tagged/", "/@ann/tagged", "/@ann/tagged/a/b", "/@ann/other/birds"} {
		want(t, b.get(path), http.StatusNotFound)
	}
}
