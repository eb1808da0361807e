package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func TestListsOnPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, bob.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/lists"), http.StatusOK, `<a href="/lists/1" dir="auto">Top</a>`)
	if strings.Contains(b.page, "/lists/1/edit") {
		t.Error("the server's list is offered for changes")
	}
	want(t, b.get("/lists/1/edit"), http.StatusForbidden, "is built in: you can read it, but not change it.")
	want(t, b.post("/lists", "title", "  "), http.StatusUnprocessableEntity, "title-wrong")
	a := b.post("/lists", "title", "Marsh", "replies", "none", "exclusive", "1")
	want(t, a, http.StatusSeeOther)
	edit := a.Header.Get("Location")
	path := strings.TrimSuffix(edit, "/edit")
	want(t, b.get(edit), http.StatusOK, `value="Marsh"`, `<option value="none" selected>`, `value="1" checked`, "No members yet.")
	want(t, b.get(edit+"?q=bob"), http.StatusOK, `value="`+bob.ID.String()+`"`)
	wantTo(t, b.post(path+"/members", "person", bob.ID.String(), "act", "add"), edit)
	want(t, b.get(edit), http.StatusOK, `aria-label="Remove @bob"`)
	want(t, b.get("/@bob/lists"), http.StatusOK, `aria-pressed="true" aria-label="Added: Marsh"`)
	w.post(bob.ID, linnet.Draft{Text: "reeds are up"})
	eventually(t, "the list has the post", func() bool { return strings.Contains(b.get(path).body, "reeds are up") })
	if strings.Contains(b.get("/").body, "reeds are up") {
		t.Error("what an exclusive list shows stands at home")
	}
	b.get(edit)
	want(t, b.post(edit, "title", ""), http.StatusUnprocessableEntity, "title-wrong")
	wantTo(t, b.post(edit, "title", "Fen", "replies", "list"), path)
	want(t, b.get(edit), http.StatusOK, `value="Fen"`, `<option value="list" selected>`)
	wantTo(t, b.post(path+"/members", "person", bob.ID.String(), "act", "remove"), edit)
	want(t, b.get("/@bob/lists"), http.StatusOK, `aria-pressed="false" aria-label="Add: Fen"`)

	other := w.browser().logIn("bob")
	for _, p := range []string{path, edit, path + "/delete", "/lists/x"} {
		want(t, other.get(p), http.StatusNotFound)
	}
	for _, p := range []string{edit, path + "/members", path + "/delete"} {
		want(t, other.press(p, "title", "mine", "person", ann.ID.String()), http.StatusNotFound)
	}
	want(t, b.get(path+"/delete"), http.StatusOK, "Delete this list?")
	wantTo(t, b.post(path+"/delete"), "/lists")
	want(t, b.get(path), http.StatusNotFound)
}
