package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// saved returns the account's most recently changed draft.
func (w *world) saved(me linnet.ID) linnet.Scheduled {
	w.t.Helper()
	all, _, err := w.svc.Posting.Drafts.List(w.t.Context(), me, 0, 1)
	if err != nil || len(all) == 0 {
		w.t.Fatalf("no drafts: %v", err)
	}
	return all[0]
}

// drafts returns the number of the account's drafts.
func (w *world) drafts(me linnet.ID) int {
	w.t.Helper()
	_, n, err := w.svc.Posting.Drafts.List(w.t.Context(), me, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestDraftsByForms checks that drafts can be saved, listed, continued, updated, posted and deleted
// without scripts.
func TestDraftsByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	st := w.post(bob.ID, linnet.Draft{Text: "asked?"})
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, a.get("/drafts"), http.StatusOK, "No drafts", `href="/scheduled"`)
	if want(t, a.get("/compose"), http.StatusOK, `value="draft"`, `href="/drafts"`); strings.Contains(a.page, "Drafts <span") {
		t.Error("it leads to no drafts")
	}
	want(t, a.post("/compose", "do", "draft", "draft", "", "text", " ", "visibility", "public"), http.StatusUnprocessableEntity, "Write something first.")
	long := strings.Repeat("x", 600)
	wantTo(t, a.send("/compose", files(aPicture(900, 600)), "do", "draft", "draft", "", "key", "one", "text", long, "visibility", "private", "warning", "careful", "language", "de", "quoters", "nobody",
		"option", "only one", "in_reply_to", st.ID.String(), "scheduled_at", "2100-01-02T03:04"), "/drafts?done=saved")
	d := w.saved(ann.ID)
	id, name := d.ID.String(), draftName(d)
	want(t, a.get("/drafts?done=saved"), http.StatusOK, "Draft saved.", strings.Repeat("x", 280)+"…", "Reply to ", "1 picture, a poll", "/compose?draft="+id)
	if strings.Contains(a.get("/scheduled").body, "xxx") || strings.Contains(b.get("/drafts").body, "xxx") {
		t.Error("it is shown elsewhere")
	}
	want(t, b.get("/compose?draft="+id), http.StatusNotFound)
	want(t, b.post("/drafts/"+id, "draft", name), http.StatusNotFound)
	want(t, a.get("/compose?draft="+id), http.StatusOK, `name="draft" value="`+name, "xxxx", `value="only one"`, `value="careful"`, `value="private" checked`, `value="de" selected`, `value="2100-01-02T03:04"`, `name="in_reply_to" value="`+st.ID.String(), `Drafts <span class="count">1`)
	pic := d.Media[0].ID.String()
	wantTo(t, a.post("/compose", "do", "draft", "draft", name, "key", "two", "text", "shorter", "visibility", "public", "media", pic, "alt-"+pic, "a square"), "/drafts?done=saved")
	d = w.saved(ann.ID)
	if d.ID.String() != id || d.Draft.Text != "shorter" || d.Media[0].Description != "a square" || w.drafts(ann.ID) != 1 {
		t.Errorf("in its place: %+v", d)
	}
	a.get("/drafts")
	wantTo(t, a.post("/compose", "do", "draft", "draft", name, "key", "three", "text", "aside", "visibility", "public"), "/drafts?done=aside")
	want(t, a.get("/drafts?done=aside"), http.StatusOK, "changed elsewhere", "aside", "shorter")
	want(t, a.post("/drafts/"+id, "draft", name), http.StatusUnprocessableEntity, "This draft was changed elsewhere. Check it before you delete it.")
	want(t, a.post("/compose", "draft", name, "key", "three", "text", "unseen", "visibility", "public", "media", pic, "do", "undescribed"), http.StatusUnprocessableEntity, "unseen", "Current version: ", "shorter", `name="draft" value="`+draftName(d))
	posted := a.post("/compose", "draft", draftName(d), "key", "three", "text", "seen", "visibility", "public", "media", pic, "alt-"+pic, "a red square")
	want(t, posted, http.StatusSeeOther)
	if st := w.newest(ann.ID); st.Text != "seen" || len(st.Media) != 1 || st.Media[0].Description != "a red square" || w.drafts(ann.ID) != 1 {
		t.Errorf("posted: %+v, %d are left", st.Status, w.drafts(ann.ID))
	}
	a.get("/drafts")
	want(t, a.post("/compose", "draft", draftName(d), "key", "four", "text", "late", "visibility", "public"), http.StatusUnprocessableEntity, "already been posted or deleted", "late", `name="draft" value=""`)
	d = w.saved(ann.ID)
	wantTo(t, a.post("/compose", "draft", draftName(d), "key", "five", "text", "later", "visibility", "public", "scheduled_at", "2100-01-02T03:04"), "/scheduled?done=scheduled")
	a.get("/compose")
	wantTo(t, a.post("/compose", "do", "draft", "draft", "", "key", "six", "text", "gone", "visibility", "public"), "/drafts?done=saved")
	d = w.saved(ann.ID)
	a.get("/drafts")
	wantTo(t, a.post("/drafts/"+d.ID.String(), "draft", draftName(d)), "/drafts?done=deleted")
	want(t, a.get("/drafts?done=deleted"), http.StatusOK, "Deleted.", "No drafts")
}

// TestDraftInAGroup checks that a draft for a group is continued in that group.
func TestDraftInAGroup(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	g, err := w.svc.Groups.CreateGroup(t.Context(), bob.ID, linnet.NewGroup{Login: "club", Name: "Club", Kind: linnet.PublicGroup})
	if err == nil {
		_, err = w.svc.Social.Follow(t.Context(), ann.ID, g.ID, linnet.FollowOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	a := w.browser().logIn("ann")
	a.get("/compose")
	wantTo(t, a.post("/compose", "do", "draft", "draft", "", "key", "one", "text", "inside", "visibility", "unlisted", "group", "club"), "/drafts?done=saved")
	want(t, a.get("/compose?draft="+w.saved(ann.ID).ID.String()), http.StatusOK, `name="group" value="club"`, "inside")
}

// TestDraftsByScript checks that the script can save drafts with all fields of the composer.
// Responses contain the draft's name, and saving an empty draft deletes it.
func TestDraftsByScript(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	st := w.post(bob.ID, linnet.Draft{Text: "asked?"})
	a := w.browser().logIn("ann")
	save := func(fields ...string) (name, says string) {
		t.Helper()
		a.get("/compose")
		got := a.post("/drafts", append([]string{"visibility", "public"}, fields...)...)
		want(t, got, http.StatusOK)
		var out struct{ Draft, Says string }
		if err := json.Unmarshal([]byte(got.body), &out); err != nil {
			t.Fatal(err, got.body)
		}
		return out.Draft, out.Says
	}
	a.get("/compose")
	a.send("/compose", files(aPicture(900, 600)), "do", "attach", "text", "x", "visibility", "public")
	pic := regexp.MustCompile(`name="media" value="(\d+)"`).FindStringSubmatch(a.page)[1]
	one, says := save("key", "k", "draft", "", "text", "one", "media", pic, "alt-"+pic, "a square", "do", "drop "+pic)
	if d := w.saved(ann.ID); says != "Draft saved." || one != draftName(d) || len(d.Media) != 1 || d.Media[0].Description != "a square" {
		t.Errorf("%q %q %+v", one, says, d)
	}
	two, _ := save("key", "k", "draft", "", "text", "one and two", "media", pic, "alt-"+pic, "a square") // the first response was not received
	if two == one || w.drafts(ann.ID) != 1 {
		t.Errorf("%q after %q", two, one)
	}
	if _, says := save("key", "other", "draft", one, "text", "three"); !strings.Contains(says, "as a second draft") || w.drafts(ann.ID) != 2 {
		t.Error(says)
	}
	if name, says := save("key", "k", "draft", two, "text", " \n"); name != "" || says != "Draft deleted." || w.drafts(ann.ID) != 1 {
		t.Errorf("emptied: %q %q", name, says)
	}
	if name, _ := save("key", "reply", "draft", "", "text", "@bob ", "in_reply_to", st.ID.String()); name != "" || w.drafts(ann.ID) != 1 {
		t.Errorf("nothing was written, and %q saved", name)
	}
	wanted := a.get("/compose")
	want(t, wanted, http.StatusOK)
	want(t, a.post("/drafts", "visibility", "public", "text", "x", "key", "e", "edit", "1"), http.StatusUnprocessableEntity, "The post you're editing was deleted.")
	a.get("/compose")
	want(t, a.post("/compose", "key", "late", "draft", "", "text", "posted", "visibility", "public"), http.StatusSeeOther)
	if name, _ := save("key", "late", "draft", "", "text", "poste"); name != "" || w.drafts(ann.ID) != 1 {
		t.Errorf("what came late was saved as %q", name)
	}
}

// undescribedIsAskedAbout checks that posting media without a description asks for confirmation,
// unless the account turned that off. The form keeps everything entered.
func undescribedIsAskedAbout(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	a := w.browser().logIn("ann")
	a.get("/compose")
	want(t, a.get("/settings/profile"), http.StatusOK, "Show a reminder before posting media without descriptions", `id="f-ask_alt" value="1" checked`)
	wantTo(t, a.post("/settings/profile"), "/settings/profile?done=saved")
	if a := a.get("/settings/profile"); strings.Contains(a.body, `id="f-ask_alt" value="1" checked`) {
		t.Error("the reminder is still on")
	}
	a.get("/compose")
	want(t, a.send("/compose", files(aPicture(90, 60)), "key", "0", "text", "unasked", "visibility", "public"), http.StatusSeeOther)
	a.get("/settings/profile")
	wantTo(t, a.post("/settings/profile", "ask_alt", "1"), "/settings/profile?done=saved")
	a.get("/compose")
	want(t, a.send("/compose", files(aPicture(90, 60), aPicture(60, 90)), "key", "1", "text", "kept <b>", "warning", "careful", "visibility", "private"), http.StatusUnprocessableEntity,
		"Picture 1 of 2 has no description", "kept &lt;b&gt;", `value="careful"`, `value="private" checked`, ">Post anyway</button>")
	ids := regexp.MustCompile(`name="media" value="(\d+)"`).FindAllStringSubmatch(a.page, -1)
	fields := []string{"key", "1", "text", "kept <b>", "visibility", "private", "media", ids[0][1], "alt-" + ids[0][1], "a square", "alt-" + ids[1][1], " "}
	with := func(more ...string) []string { return append(append([]string{}, fields...), more...) }
	want(t, a.send("/compose", files(), with("media", ids[1][1])...), http.StatusUnprocessableEntity, "Picture 2 of 2 has no description", "a square")
	if got := w.postsOf(ann.ID); len(got) != 1 {
		t.Errorf("posted %q", got)
	}
	want(t, a.send("/compose", files(), with("media", ids[1][1], "do", "undescribed")...), http.StatusSeeOther)
	if st := w.newest(ann.ID); st.Text != "kept <b>" || len(st.Media) != 2 || st.Media[0].Description != "a square" {
		t.Errorf("posted %+v", st.Status)
	}
	id := w.newest(ann.ID).ID.String()
	a.get("/compose?redraft=" + id)
	want(t, a.send("/compose", files(), "key", "2", "redraft", id, "text", "anew", "visibility", "public", "media", ids[1][1]), http.StatusUnprocessableEntity, "Your picture has no description", "anew")
	if st := w.newest(ann.ID); st.ID.String() != id {
		t.Error("what is written anew was deleted before it was asked")
	}
	want(t, a.send("/compose", files(), "key", "2", "redraft", id, "text", "anew", "visibility", "public", "media", ids[1][1], "alt-"+ids[1][1], "now"), http.StatusSeeOther)
	if st := w.newest(ann.ID); st.Text != "anew" || len(st.Media) != 1 || st.Media[0].Description != "now" {
		t.Errorf("anew: %+v", st.Status)
	}
}

// draftName returns the name of a draft in forms, which contains its version.
func draftName(d linnet.Scheduled) string { return fmt.Sprintf("%v.%d", d.ID, d.Version) }

// TestQuoteAloneStaysDraft checks that the script's saving keeps a draft that has only a quote, and
// deletes it without one.
func TestQuoteAloneStaysDraft(t *testing.T) {
	w := newWorld(t, loopbackURL)
	bob := w.user("bob")
	w.user("ann")
	of := w.post(bob.ID, linnet.Draft{Text: "quotable"}).ID.String()
	a := w.browser().logIn("ann")
	a.get("/compose?quote=" + of)
	saved := a.post("/drafts", "visibility", "public", "key", "one", "text", "words", "quoted", of)
	want(t, saved, http.StatusOK, "Draft saved.")
	var out struct{ Draft string }
	if err := json.Unmarshal([]byte(saved.body), &out); err != nil {
		t.Fatal(err)
	}
	a.get("/compose")
	saved = a.post("/drafts", "visibility", "public", "key", "one", "text", "", "quoted", of, "draft", out.Draft)
	want(t, saved, http.StatusOK, "Draft saved.")
	if err := json.Unmarshal([]byte(saved.body), &out); err != nil {
		t.Fatal(err)
	}
	a.get("/compose")
	want(t, a.post("/drafts", "visibility", "public", "key", "one", "text", "", "draft", out.Draft), http.StatusOK, "Draft deleted.")
}
