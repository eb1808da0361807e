package web_test

import (
	"net/http"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestTerms checks that administrators can publish terms of service with an effective date. They
// are public even on a private instance, and sign-up links to them.
func TestTerms(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser()
	want(t, b.get("/terms"), http.StatusNotFound)
	want(t, b.get("/privacy-policy"), http.StatusNotFound)
	boss := w.browser().logIn("ann")
	today, later := time.Now().UTC().Format(time.DateOnly), time.Now().UTC().AddDate(1, 0, 0).Format(time.DateOnly)
	want(t, boss.get("/admin/terms"), http.StatusOK, "No terms yet, so pages and apps don't link to any.")
	a := boss.post("/admin/terms", "effective_date", "2020-01-31", "terms", "Be <kind>.")
	want(t, a, http.StatusUnprocessableEntity, "which is in the past", "Be &lt;kind&gt;.")
	boss.get("/admin/terms")
	want(t, boss.post("/admin/terms", "effective_date", today, "terms", " "), http.StatusUnprocessableEntity)
	boss.get("/admin/terms")
	want(t, boss.post("/admin/terms", "effective_date", today, "terms", "Be <kind>."), http.StatusSeeOther)
	boss.get("/admin/terms")
	want(t, boss.post("/admin/terms", "effective_date", later, "terms", "Be kinder."), http.StatusSeeOther)
	want(t, boss.get("/admin/terms"), http.StatusOK, today, "in effect", later, "upcoming")
	want(t, boss.get("/admin/terms/"+later), http.StatusOK, "Be kinder.")
	policy, private, open := "We keep little.", true, linnet.RegisterOpen
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Privacy: &policy, Private: &private, Registrations: &open}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/terms"), http.StatusOK, "In effect since", "<p>Be &lt;kind&gt;.</p>", "/terms/"+later)
	want(t, b.get("/terms/"+later), http.StatusOK, "These terms take effect on", "Be kinder.")
	want(t, b.get("/terms/2020-01-31"), http.StatusNotFound)
	want(t, b.get("/privacy-policy"), http.StatusOK, "We keep little.")
	want(t, b.get("/signup"), http.StatusOK, `href="/terms"`, `href="/privacy-policy"`)
	want(t, boss.get("/about"), http.StatusOK, `href="/terms"`)
	boss.get("/admin/terms/" + later)
	want(t, boss.post("/admin/terms/"+later), http.StatusSeeOther)
	want(t, b.get("/terms/"+later), http.StatusNotFound)
}

// TestLinkPage checks that the Explore page links a popular link to the posts about it.
func TestLinkPage(t *testing.T) {
	const link = "https://news.test/bird?id=1"
	w := newWorld(t, loopbackURL)
	for _, name := range []string{"ann", "bob", "cat"} {
		w.post(w.user(name).ID, linnet.Draft{Text: "by " + name + " " + link})
	}
	want(t, w.browser().get(linkPath(link)), http.StatusNotFound)
	eventually(t, "tasks end", w.svc.Idle)
	if err := w.svc.Trends.HandOn(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, w.browser().logIn("ann").get("/explore"), http.StatusOK, "News", `href="`+link+`"`, `href="/links?url=https%3A%2F%2Fnews.test%2Fbird%3Fid%3D1"`, "3 people since yesterday")
	want(t, w.browser().get(linkPath(link)), http.StatusOK, "<h1 dir=\"auto\">news.test/bird</h1>", "by ann", "by bob", "by cat")
}
