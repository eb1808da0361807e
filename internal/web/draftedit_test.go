package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestDraftOfAnEdit checks that the draft of an edit can be continued on another device and is
// deleted by saving the edit. It never creates a second post while the first exists.
func TestDraftOfAnEdit(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "as it was"})
	id := st.ID.String()
	a, other := w.browser().logIn("ann"), w.browser().logIn("ann")
	want(t, a.get("/compose?edit="+id), http.StatusOK, `value="draft"`, `name="draft" value=""`)
	wantTo(t, a.post("/compose", "do", "draft", "draft", "", "edit", id, "key", "one", "text", "half of it", "warning", "careful", "visibility", "public"), "/drafts?done=edit")
	want(t, a.get("/drafts?done=edit"), http.StatusOK, "The post doesn't change until", "Edit to one of your posts", "half of it")
	if got := w.newest(ann.ID); got.Text != "as it was" || w.drafts(ann.ID) != 1 {
		t.Errorf("%q, %d drafts", got.Text, w.drafts(ann.ID))
	}
	d := w.saved(ann.ID)
	name := draftName(d)
	want(t, other.get("/compose?draft="+d.ID.String()), http.StatusOK, `name="edit" value="`+id, `name="draft" value="`+name, "half of it", `value="careful"`)
	want(t, other.post("/drafts", "draft", name, "edit", id, "key", "two", "text", "more of it", "visibility", "public"), http.StatusOK, "Draft saved.") // as the script does
	if d = w.saved(ann.ID); d.Draft.Text != "more of it" || w.drafts(ann.ID) != 1 {
		t.Errorf("%+v, %d drafts", d.Draft, w.drafts(ann.ID))
	}
	other.get("/compose?draft=" + d.ID.String())
	want(t, other.post("/compose", "draft", draftName(d), "edit", id, "key", "two", "text", "all of it", "visibility", "public"), http.StatusSeeOther)
	if got := w.postsOf(ann.ID); len(got) != 1 || w.newest(ann.ID).Text != "all of it" || w.drafts(ann.ID) != 0 {
		t.Errorf("posts %q, %d drafts", got, w.drafts(ann.ID))
	}
}

// TestDraftOfAnEditOfADeletedPost checks that the draft of an edit can be published as a new post
// after the original was deleted.
func TestDraftOfAnEditOfADeletedPost(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "as it was"})
	a := w.browser().logIn("ann")
	a.get("/compose?edit=" + st.ID.String())
	wantTo(t, a.post("/compose", "do", "draft", "draft", "", "edit", st.ID.String(), "key", "one", "text", "half of it", "visibility", "public"), "/drafts?done=edit")
	if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, st.ID); err != nil {
		t.Fatal(err)
	}
	d := w.saved(ann.ID)
	page := a.get("/compose?draft=" + d.ID.String())
	if want(t, page, http.StatusOK, "The post you're editing was deleted.", "half of it"); strings.Contains(page.body, `name="edit"`) {
		t.Error("it still edits")
	}
	want(t, a.post("/compose", "draft", draftName(d), "key", "two", "text", "half of it", "visibility", "public"), http.StatusSeeOther)
	if w.newest(ann.ID).Text != "half of it" || w.drafts(ann.ID) != 0 {
		t.Errorf("%q, %d drafts", w.newest(ann.ID).Text, w.drafts(ann.ID))
	}
}

// TestDraftWhileRedrafting checks that a redraft is saved as the draft of a new post. The original
// post stays, with its media.
func TestDraftWhileRedrafting(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	a := w.browser().logIn("ann")
	a.get("/compose")
	want(t, a.send("/compose", files(aPicture(90, 60)), "key", "zero", "text", "as it was", "visibility", "public", "do", "undescribed"), http.StatusSeeOther)
	st := w.newest(ann.ID)
	id, pic := st.ID.String(), st.Media[0].ID.String()
	want(t, a.get("/compose?redraft="+id), http.StatusOK, `value="draft"`)
	wantTo(t, a.post("/compose", "do", "draft", "draft", "", "redraft", id, "key", "one", "text", "anew", "visibility", "public", "media", pic, "alt-"+pic, ""), "/drafts?done=redraft")
	want(t, a.get("/drafts?done=redraft"), http.StatusOK, "The original post and its pictures stay")
	d := w.saved(ann.ID)
	if got := w.newest(ann.ID); got.ID != st.ID || len(got.Media) != 1 || len(d.Media) != 0 || d.Draft.Text != "anew" {
		t.Errorf("%+v %+v", got.Status, d)
	}
	a.get("/compose?redraft=" + id) // continues the draft that the script has saved
	want(t, a.post("/compose", "draft", draftName(d), "redraft", id, "key", "one", "text", "anew, ready", "visibility", "public", "media", pic, "alt-"+pic, "a square"), http.StatusSeeOther)
	got := w.newest(ann.ID)
	if len(w.postsOf(ann.ID)) != 1 || got.Text != "anew, ready" || len(got.Media) != 1 || got.Media[0].Description != "a square" || w.drafts(ann.ID) != 0 {
		t.Errorf("%q %+v, %d drafts", w.postsOf(ann.ID), got.Status, w.drafts(ann.ID))
	}
}

// TestOutdatedPostIsADraft checks that a post with an expired form token is saved as one draft, so
// leaving the page does not lose it. Posting deletes the draft. Forms that no page of ours has sent
// are not saved.
func TestOutdatedPostIsADraft(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	late := func(fields ...string) answer {
		t.Helper()
		b.header = http.Header{"Referer": {w.base + "/compose"}, "Origin": {w.base}}
		defer func() { b.header = nil }()
		return b.postRaw("/compose", formOf(append(fields, "form_token", "AAAA")...))
	}
	b.get("/compose")
	a := late("key", "one", "text", "typed for long", "visibility", "private", "draft", "")
	d := w.saved(ann.ID)
	name := draftName(d)
	want(t, a, http.StatusForbidden, "We've also saved your text as a draft.", "typed for long", `name="draft" value="`+name)
	if d.Draft.Text != "typed for long" || *d.Draft.Visibility != linnet.Private || len(w.postsOf(ann.ID)) != 0 {
		t.Errorf("%+v", d.Draft)
	}
	late("key", "one", "text", "typed for longer", "visibility", "private", "draft", name)
	if d = w.saved(ann.ID); d.Draft.Text != "typed for longer" || w.drafts(ann.ID) != 1 {
		t.Errorf("%+v, %d drafts", d.Draft, w.drafts(ann.ID))
	}
	b.get("/compose")
	want(t, b.post("/compose", "key", "one", "text", "typed for longer", "visibility", "private", "draft", draftName(d)), http.StatusSeeOther)
	if len(w.postsOf(ann.ID)) != 1 || w.drafts(ann.ID) != 0 {
		t.Errorf("%q, %d drafts", w.postsOf(ann.ID), w.drafts(ann.ID))
	}
	late("key", "two", "text", " ", "visibility", "public", "draft", "")
	b.postRaw("/compose", formOf("key", "three", "text", "forged", "visibility", "public", "draft", "", "form_token", "AAAA"))
	if w.drafts(ann.ID) != 0 {
		t.Errorf("%d drafts", w.drafts(ann.ID))
	}
}

func formOf(pairs ...string) map[string][]string {
	v := map[string][]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v[pairs[i]] = append(v[pairs[i]], pairs[i+1])
	}
	return v
}
