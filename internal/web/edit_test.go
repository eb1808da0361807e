package web_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// editByForms checks that the edit form contains the current post and shows errors next to their
// field. Everyone who can see the post can read its history.
func editByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	st := w.post(ann.ID, linnet.Draft{Text: "one <two> three", Warning: "careful", Language: "de", Poll: &linnet.PollDraft{Options: []string{"tea", "milk"}, Seconds: 420}})
	id := st.ID.String()
	if _, err := w.svc.Posting.Repost(context.Background(), bob.ID, st.ID, nil); err != nil {
		t.Fatal(err)
	}
	want(t, a.get(postPath(st)), http.StatusOK, "/compose?edit="+id)
	page := b.get(postPath(st))
	if want(t, page, http.StatusOK); strings.Contains(page.body, "/compose?edit=") || strings.Contains(page.body, "/history") {
		t.Error("a stranger is offered to edit, or a history of nothing")
	}
	want(t, b.get("/compose?edit="+id), http.StatusNotFound)
	want(t, a.get("/compose?edit="+id), http.StatusOK, "<h1>Edit</h1>", "one &lt;two&gt; three", `value="careful"`, `value="de" selected`, `value="tea"`, `value="420" selected`, "7 minutes", ">Save</button>", "removes all votes")
	want(t, a.post("/compose", "edit", id, "text", strings.Repeat("x", 501), "visibility", "public", "warning", "still", "option", "tea"), http.StatusUnprocessableEntity, "<h1>Edit</h1>", "maximum is 500", `value="still"`, `name="edit" value="`+id)
	wantTo(t, a.post("/compose", "edit", id, "text", "one <four> three", "visibility", "direct", "language", "de"), postPath(st)+"#p"+id)
	now := w.newest(ann.ID)
	if now.ID != st.ID || now.Text != "one <four> three" || now.Warning != "" || now.Sensitive || now.Visibility != linnet.Public || now.Poll != nil {
		t.Errorf("edited: %+v", now.Status)
	}
	want(t, w.browser().get(postPath(st)), http.StatusOK, historyPath(st), "Edited ", "dt-updated")
	want(t, w.browser().get(historyPath(st)), http.StatusOK, "<del>two</del><ins>four</ins>", "<span>one &lt;</span>", "Warning removed, poll removed.", "<strong>Warning: </strong>", "careful", ">tea</li>", "(current)")
	want(t, b.get("/notifications"), http.StatusOK, "edited a post you boosted")
	want(t, b.get("/@bob/"+id+"/history"), http.StatusNotFound)
	want(t, b.post("/compose", "edit", id, "text", "mine", "visibility", "public"), http.StatusUnprocessableEntity, "editing was deleted", "mine")
	private := w.post(ann.ID, linnet.Draft{Text: "secret", Visibility: ptrTo(linnet.Private)})
	want(t, b.get(historyPath(private)), http.StatusNotFound)
	want(t, a.get(historyPath(private)), http.StatusOK, "This post has not been edited.")
}

func ptrTo[T any](v T) *T { return &v }

// TestEditPicturesByForms checks that the edit form can keep a picture, describe it and remove it.
func TestEditPicturesByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	a := w.browser().logIn("ann")
	a.get("/compose")
	wantTo(t, a.send("/compose", files(aPicture(900, 600), aPicture(600, 900)), "text", "look", "visibility", "public", "key", "one", "do", "undescribed"), postPath(w.newest(ann.ID))+"#p"+w.newest(ann.ID).ID.String())
	st := w.newest(ann.ID)
	first, second := st.Media[0].ID.String(), st.Media[1].ID.String()
	want(t, a.get("/compose?edit="+st.ID.String()), http.StatusOK, `name="media" value="`+first, `name="alt-`+second)
	want(t, a.send("/compose", files(), "edit", st.ID.String(), "text", "look", "visibility", "public", "media", first, "media", second, "do", "drop "+second), http.StatusOK, `name="media" value="`+first)
	if left := regexp.MustCompile(`name="media"`).FindAllString(a.page, -1); len(left) != 1 || len(w.newest(ann.ID).Media) != 2 {
		t.Errorf("%d attachments after one was removed, before saving", len(left))
	}
	wantTo(t, a.send("/compose", files(), "edit", st.ID.String(), "text", "look", "visibility", "public", "media", first, "alt-"+first, "a square", "focus-"+first, "0.5,-1"), postPath(st)+"#p"+st.ID.String())
	now := w.newest(ann.ID)
	if len(now.Media) != 1 || now.Media[0].Description != "a square" || now.Media[0].Focus != (linnet.Focus{X: .5, Y: -1}) || !slices.ContainsFunc(now.Former, func(a linnet.Attachment) bool { return a.ID == st.Media[1].ID }) {
		t.Errorf("%+v, %+v", now.Media, now.Former)
	}
	want(t, a.get(historyPath(st)), http.StatusOK, "Pictures changed.", filePath(now.Former[0].Name))
}
