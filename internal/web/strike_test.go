package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// strike warns an account and returns the strike.
func (w *world) strike(on linnet.ID) linnet.StrikeView {
	w.t.Helper()
	err := w.svc.Moderation.Moderate(w.t.Context(), linnet.Operator(), linnet.Measure{On: on, Act: linnet.Warn, Reason: "Tonfall"})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.lastStrike(on)
}

// lastStrike returns the newest strike of an account.
func (w *world) lastStrike(on linnet.ID) linnet.StrikeView {
	w.t.Helper()
	all, err := w.svc.Moderation.Strikes.Own(w.t.Context(), on, linnet.Page{})
	if err != nil || len(all.Items) == 0 {
		w.t.Fatalf("strikes: %v, %v", all, err)
	}
	return all.Items[0]
}

// sent submits a form, and returns the page to which the response redirects.
func (b *browser) sent(path string, fields ...string) answer {
	b.t.Helper()
	a := b.post(path, fields...)
	want(b.t, a, http.StatusSeeOther)
	return b.get(a.Header.Get("Location"))
}

// wantNone checks that a page doesn't contain a text.
func wantNone(t *testing.T, a answer, text string) {
	t.Helper()
	if strings.Contains(a.body, text) {
		t.Errorf("the page contains %q:\n%s", text, a.body)
	}
}

// strikesShowTheirParts checks what owners, staff, other members and visitors see of a strike, and the
// way from a strike through the appeal to its approval.
func strikesShowTheirParts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	bob := w.user("bob")
	w.user("eve")
	w.role("ann", linnet.Admin)
	post := w.post(bob.ID, linnet.Draft{Text: "buy seeds"})
	ann, owner, other, visitor := w.browser().logIn("ann"), w.browser().logIn("bob"), w.browser().logIn("eve"), w.browser()

	menu := ann.get(postPath(post))
	want(t, menu, http.StatusOK, "/admin/reports/posts/"+post.ID.String())
	wantNone(t, other.get(postPath(post)), "/admin/reports/posts/")
	path := "/admin/reports/posts/" + post.ID.String()
	for _, b := range []*browser{owner, other} {
		want(t, b.get(path), http.StatusNotFound)
		want(t, b.post(path, "act", "delete_statuses"), http.StatusNotFound)
	}
	want(t, ann.get(path), http.StatusOK, "buy seeds", "Mark the post as sensitive", "Delete the post")
	want(t, ann.post(path, "act", "suspend"), http.StatusUnprocessableEntity)
	want(t, ann.sent(path, "act", "mark_statuses_as_sensitive", "text", "too bright"), http.StatusOK, "Done.")

	st := w.lastStrike(bob.ID)
	mine, theirs, link := "/settings/strikes/"+st.ID.String(), "/admin/strikes/"+st.ID.String(), "/strike/"+st.Token()
	want(t, owner.get("/notifications"), http.StatusOK, "marked one or more of your posts as sensitive", mine)
	want(t, owner.get("/settings/strikes"), http.StatusOK, "too bright", mine)
	page := owner.get(mine)
	want(t, page, http.StatusOK, "too bright", "buy seeds", "Send appeal")
	wantNone(t, page, "@ann")
	for _, b := range []*browser{ann, other} {
		want(t, b.get(mine), http.StatusNotFound)
		want(t, b.post(mine, "text", "no"), http.StatusNotFound)
	}
	for _, b := range []*browser{owner, other} {
		want(t, b.get(theirs), http.StatusNotFound)
		want(t, b.get("/admin/strikes"), http.StatusNotFound)
		want(t, b.post(theirs, "do", "approve"), http.StatusNotFound)
	}
	wantNone(t, visitor.get(mine), "too bright")
	wantNone(t, visitor.get(theirs), "too bright")
	linked := visitor.get(link)
	want(t, linked, http.StatusOK, "too bright", "Send appeal")
	wantNone(t, linked, "buy seeds")
	want(t, visitor.get(link+"x"), http.StatusNotFound)

	want(t, owner.post(mine, "text", " "), http.StatusUnprocessableEntity, "be blank")
	visitor.get(link)
	want(t, visitor.post(link, "text", strings.Repeat("x", 2001)), http.StatusUnprocessableEntity, "too long")
	want(t, owner.sent(mine, "text", "It's only a bird."), http.StatusOK, "We sent your appeal", "only a bird")
	want(t, owner.post(mine, "text", "Please."), http.StatusUnprocessableEntity)
	want(t, ann.get("/notifications"), http.StatusOK, "appealed a decision", "only a bird", theirs)
	wantNone(t, other.get("/notifications"), "appealed a decision")
	want(t, ann.get("/admin/overview"), http.StatusOK, "1 appeal to decide.", `href="/admin/strikes"`)
	want(t, ann.get("/admin/strikes"), http.StatusOK, theirs)
	want(t, ann.get("/admin/users/bob"), http.StatusOK, theirs, "waiting for a decision")
	want(t, ann.get(theirs), http.StatusOK, "only a bird", "Approve appeal", "@ann")
	want(t, ann.sent(theirs, "do", "approve"), http.StatusOK, "approved")
	want(t, ann.post(theirs, "do", "reject"), http.StatusUnprocessableEntity)
	wantNone(t, ann.get("/admin/overview"), "appeal to decide")
	want(t, owner.get("/notifications"), http.StatusOK, "approved your appeal")
	want(t, owner.get(mine), http.StatusOK, "approved")
}

// closedAccountsAppeal checks that the owner of a suspended account reaches the appeal from the
// login page.
func closedAccountsAppeal(t *testing.T) {
	w := newWorld(t, loopbackURL)
	bob := w.user("bob")
	w.operate("bob", linnet.Measure{Act: linnet.Suspend, Reason: "sells things"})
	st := w.lastStrike(bob.ID)
	link := "/strike/" + st.Token()
	b := w.browser()
	b.get("/login")
	wantNone(t, b.post("/login", "login", "bob", "password", "wrong horse"), "/strike/")
	want(t, b.post("/login", "login", "bob", "password", password), http.StatusUnprocessableEntity, link)
	want(t, b.get(link), http.StatusOK, "suspended your account", "sells things", "@bob")
	want(t, b.sent(link, "text", "I don't."), http.StatusOK, "We sent your appeal")
	if err := w.svc.Moderation.Strikes.Decide(t.Context(), linnet.Operator(), st.ID, true); err != nil {
		t.Fatal(err)
	}
	b.logIn("bob")
}

// moderatorsWork goes the way of a moderator without scripts: from a report to a removed
// picture, a deleted post and a silenced account, whose owner appeals.
func moderatorsWork(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open("Be kind.", "No spam.")
	ann, bob := w.user("ann"), w.user("bob")
	w.user("una")
	w.role("una", linnet.Moderator)
	shown := w.post(bob.ID, linnet.Draft{Text: "two birds", Media: []linnet.ID{w.uploaded(bob.ID, 16, 12, "one"), w.uploaded(bob.ID, 12, 16, "two")}})
	spam := w.post(bob.ID, linnet.Draft{Text: "buy seeds"})
	report := w.report(ann.ID, bob.ID, shown.ID, spam.ID)
	id := strings.TrimPrefix(report, "/admin/reports/")
	una, owner, reporter := w.browser().logIn("una"), w.browser().logIn("bob"), w.browser().logIn("ann")

	page := func(st linnet.StatusView) string { return "/admin/reports/posts/" + st.ID.String() }
	want(t, una.get(report), http.StatusOK, "two birds", page(shown)+"?report="+id, page(spam)+"?report="+id)
	want(t, una.get(page(shown)+"?report="+id), http.StatusOK, "Remove picture 1", "Remove picture 2")
	want(t, una.sent(page(shown), "report", id, "act", shown.Media[0].ID.String(), "text", "not yours", "rule", "1"), http.StatusOK, "resolved")
	if _, err := w.svc.Uploads.Open(t.Context(), shown.Media[0].Name); linnet.KindOf(err) != linnet.NotFound {
		t.Errorf("the file of the removed picture: %v", err)
	}
	want(t, una.sent(page(spam), "report", id, "act", "delete_statuses", "text", "an advertisement", "rule", "2"), http.StatusOK)
	want(t, owner.get(postPath(spam)), http.StatusGone)
	una.get("/admin/users/bob/silence")
	want(t, una.sent("/admin/users/bob/silence", "text", "too many seeds", "rule", "2"), http.StatusOK, "silenced")

	want(t, owner.get("/settings/strikes"), http.StatusOK, "removed a picture", "not yours", "deleted one or more", "an advertisement", "limited the reach", "too many seeds")
	st := w.lastStrike(bob.ID)
	want(t, owner.get("/settings/strikes/"+st.ID.String()), http.StatusOK, "No spam.")
	want(t, owner.sent("/settings/strikes/"+st.ID.String(), "text", "Only two."), http.StatusOK, "We sent your appeal")
	una.get("/admin/strikes/" + st.ID.String())
	want(t, una.sent("/admin/strikes/"+st.ID.String(), "do", "approve"), http.StatusOK, "approved")
	want(t, una.get("/admin/users/bob"), http.StatusOK, "active")
	want(t, reporter.get("/notifications"), http.StatusOK, "The moderators handled your report.")
}
