package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// deletedPostsSay checks that the page of a deleted public post returns 410. A post that the viewer
// could never see returns 404 without naming the author.
func deletedPostsSay(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, foe := w.user("ann"), w.user("foe")
	w.user("bob")
	if _, err := w.svc.Social.Block(t.Context(), ann.ID, foe.ID); err != nil {
		t.Fatal(err)
	}
	open := map[linnet.Visibility]bool{linnet.Public: true, linnet.Unlisted: true}
	readers := map[string]*browser{"nobody": w.browser(), "bob": w.browser().logIn("bob"), "ann": w.browser().logIn("ann"), "foe": w.browser().logIn("foe")}
	for _, v := range []linnet.Visibility{linnet.Public, linnet.Unlisted, linnet.Private, linnet.Direct} {
		st := w.post(ann.ID, linnet.Draft{Text: "soon gone", Visibility: vis(v)})
		want(t, readers["foe"].get(postPath(st)), http.StatusNotFound)
		if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, st.ID); err != nil {
			t.Fatal(err)
		}
		for name, b := range readers {
			code := http.StatusNotFound
			if open[v] && name != "foe" {
				code = http.StatusGone
			}
			a := b.get(postPath(st))
			want(t, a, code)
			told := strings.Contains(a.body, "Post deleted") && strings.Contains(a.body, `href="/@ann"`)
			if told != (code == http.StatusGone) || strings.Contains(a.body, "soon gone") || strings.Contains(a.body, "og:") {
				t.Errorf("%v as %s: %s", v, name, a.body)
			}
			if code == http.StatusNotFound && name == "nobody" && strings.Contains(a.body, "ann") {
				t.Errorf("%v as %s names the author: %s", v, name, a.body)
			}
		}
		// The same applies to another account's path and to unused ids.
		want(t, readers["bob"].get("/@bob/"+st.ID.String()), http.StatusNotFound)
		want(t, readers["bob"].get("/@ann/"+(st.ID+64).String()), http.StatusNotFound)
		embedded := http.StatusNotFound
		if open[v] {
			embedded = http.StatusGone
		}
		want(t, readers["foe"].get(postPath(st)+"/embed"), embedded)
	}
}

// TestDeletedAccounts checks that all paths of a suspended or deleted account return 410, whether
// or not a post existed. An account that was never approved returns 404.
func TestDeletedAccounts(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	public := w.post(ann.ID, linnet.Draft{Text: "x"})
	private := w.post(ann.ID, linnet.Draft{Text: "x", Visibility: vis(linnet.Private)})
	b := w.browser()
	paths := []string{"/@ann", "/@ANN", "/@ann/replies", "/@ann/followers", postPath(public), postPath(private), "/@ann/1"}
	all := func(code int) {
		t.Helper()
		for _, p := range paths {
			want(t, b.get(p), code, "Account deleted")
		}
	}
	if err := w.svc.Moderation.Moderate(t.Context(), linnet.Operator(), linnet.Measure{On: ann.ID, Act: linnet.Suspend}); err != nil {
		t.Fatal(err)
	}
	all(http.StatusGone)
	if err := w.svc.Moderation.Moderate(t.Context(), linnet.Operator(), linnet.Measure{On: ann.ID, Act: linnet.Unsuspend}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get(postPath(public)), http.StatusOK)
	want(t, b.get(postPath(private)), http.StatusNotFound)
	if err := w.svc.Social.Deletion.DeleteUser(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	all(http.StatusGone)
	want(t, b.get("/@bob"), http.StatusOK, bob.Login)

	w.register(linnet.RegisterApproval)
	out, err := w.svc.Identity.Register(t.Context(), linnet.SignUp{Login: "eve", Email: "eve@birds.example", Password: password, Reason: "please", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/@eve"), http.StatusNotFound)
	if err := w.svc.Social.Deletion.DeleteUser(t.Context(), out.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	want(t, b.get("/@eve"), http.StatusNotFound)
}
