package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestCollectionsOnPages checks that collections can be created, filled, followed, left and deleted
// without scripts.
func TestCollectionsOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	_, bob, cat := w.user("ann"), w.user("bob"), w.user("cat")
	shy := false
	if _, err := w.svc.Social.Profiles.Update(t.Context(), cat.ID, linnet.ProfileChange{Discoverable: &shy}); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/collections"), http.StatusOK, "No collections yet", `href="/collections" aria-current="page"`)
	want(t, b.post("/collections", "name", " "), http.StatusUnprocessableEntity, "name-wrong")
	a := b.post("/collections", "name", "Marsh birds", "description", "They wade", "tag", "#birds", "discoverable", "1")
	want(t, a, http.StatusSeeOther)
	edit := a.Header.Get("Location")
	path := strings.TrimSuffix(edit, "/edit")
	id := strings.TrimPrefix(path, "/collections/")
	want(t, b.get(edit), http.StatusOK, `value="Marsh birds"`, `value="birds"`, "No accounts yet.")
	want(t, b.get(edit+"?q=cat"), http.StatusOK, "Doesn&#39;t want to be in collections")
	want(t, b.get(edit+"?q=bob"), http.StatusOK, `aria-label="Add @bob"`)
	wantTo(t, b.post(path+"/items", "person", bob.ID.String(), "act", "add"), edit)
	want(t, b.get(edit), http.StatusOK, `aria-label="Remove @bob"`)
	want(t, b.press(path+"/items", "person", cat.ID.String(), "act", "add"), http.StatusForbidden)
	want(t, b.get(edit), http.StatusOK)
	want(t, b.post(edit, "name", ""), http.StatusUnprocessableEntity, "name-wrong")
	wantTo(t, b.post(edit, "name", "Waders", "discoverable", "1"), path)
	want(t, b.get(path), http.StatusOK, "Waders", "Follow all", path+"/edit")
	wantTo(t, b.post(path, "act", "follow"), path)
	if strings.Contains(b.get(path).body, "Follow all") {
		t.Error("all are followed, but the button is there")
	}
	want(t, w.browser().get(path), http.StatusOK, "Waders", "@bob")
	want(t, w.browser().get("/@ann/featured"), http.StatusOK, "Waders")
	want(t, b.get("/explore"), http.StatusOK, "Waders")

	other := w.browser().logIn("bob")
	want(t, other.get("/notifications"), http.StatusOK, "added you to a collection", `<a href="`+path+`"`)
	want(t, other.get("/collections"), http.StatusOK, "Collections that include you", "Waders")
	for _, p := range []string{edit, path + "/delete", "/collections/x", "/collections/5"} {
		want(t, other.get(p), http.StatusNotFound)
	}
	for _, p := range []string{edit, path + "/items", path + "/delete"} {
		want(t, other.press(p, "name", "mine", "person", bob.ID.String()), http.StatusNotFound)
	}
	want(t, other.get(path), http.StatusOK, "Remove me from this collection", `href="/@ann/report?collection=`+id+`"`)
	want(t, other.get("/@ann/report?collection="+id), http.StatusOK, `name="collection" value="`+id+`" checked`)
	want(t, other.get("/@ann/report"), http.StatusOK, `name="collection" value="`+id+`">`)
	wantTo(t, other.post("/@ann/report", "collection", id, "category", "spam"), "/@ann/reported")
	w.role("cat", linnet.Moderator)
	page := w.browser().logIn("cat").get("/admin/reports")
	report := regexp.MustCompile(`/admin/reports/[0-9]+`).FindString(page.body)
	want(t, w.browser().logIn("cat").get(report), http.StatusOK, "Reported collections", `href="`+path+`"`)
	want(t, other.get(path), http.StatusOK)
	wantTo(t, other.post(path, "act", "leave"), path)
	want(t, other.get(path), http.StatusOK, "No accounts yet.")
	want(t, b.get(edit), http.StatusOK, "No accounts yet.")
	want(t, b.get(path+"/delete"), http.StatusOK, "Delete this collection?")
	wantTo(t, b.post(path+"/delete"), "/collections")
	want(t, b.get(path), http.StatusNotFound)
}
