package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// TestAnnouncementPages checks that announcements can be published, dismissed and reacted to
// without scripts.
func TestAnnouncementPages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	ann, bob := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, ann.get("/admin/announcements"), http.StatusOK, "No announcements yet.")
	want(t, ann.post("/admin/announcements", "text", " ", "publish", "1"), http.StatusUnprocessableEntity, "can")
	want(t, ann.post("/admin/announcements", "text", "Party <b>", "publish", "1", "starts_at", "soon"), http.StatusUnprocessableEntity, "This isn't a valid time", "Party &lt;b&gt;", `value="soon"`)
	want(t, ann.post("/admin/announcements", "text", "Party <b>", "publish", "1", "starts_at", "2099-01-31T18:00"), http.StatusUnprocessableEntity, "if a start is set")
	wantTo(t, ann.post("/admin/announcements", "text", "Party <b> #birds", "publish", "1", "starts_at", "2099-01-31T18:00", "ends_at", "2099-01-31T22:00"), "/admin/announcements?done=saved")
	ann.get("/admin/announcements")
	wantTo(t, ann.post("/admin/announcements", "text", "Not yet"), "/admin/announcements?done=saved")
	a := ann.get("/admin/announcements")
	want(t, a, http.StatusOK, "Party &lt;b&gt;", "shown", "draft")
	path := regexp.MustCompile(`href="(/admin/announcements/\d+)"><bdi>Party`).FindStringSubmatch(a.body)[1]
	id := path[strings.LastIndex(path, "/")+1:]

	a = bob.get("/")
	want(t, a, http.StatusOK, "<p>Party &lt;b&gt; <a", "31 January 2099, 18:00 UTC to 31 January 2099, 22:00 UTC", `action="/announcements/`+id+`"`, `value="👍"`, `href="/announcements"`)
	if strings.Contains(a.body, "Not yet") {
		t.Error("a draft is shown")
	}
	here := "/announcements/" + id
	wantTo(t, bob.post(here, "react", "👍"), "/#a"+id)
	want(t, bob.get("/"), http.StatusOK, `name="unreact" value="👍" aria-pressed="true"`)
	want(t, ann.get("/"), http.StatusOK, `name="react" value="👍" aria-pressed="false"`)
	want(t, bob.post(here, "name", "nonsense"), http.StatusUnprocessableEntity, "not a recognized emoji")
	bob.get("/")
	wantTo(t, bob.post(here, "name", "🎉"), "/#a"+id)
	bob.get("/")
	wantTo(t, bob.post(here, "unreact", "👍"), "/#a"+id)
	bob.get("/")
	wantTo(t, bob.post(here, "dismiss", "1"), "/")
	if a = bob.get("/"); strings.Contains(a.body, "Party") {
		t.Error("what was dismissed is shown")
	}
	want(t, bob.get("/announcements"), http.StatusOK, "Party", `value="🎉"`)
	want(t, bob.get("/admin/announcements"), http.StatusNotFound)

	ann.get(path)
	wantTo(t, ann.post(path, "do", "unpublish"), "/admin/announcements?done=saved")
	want(t, bob.get("/announcements"), http.StatusOK, "No announcements")
	bob.get("/")
	want(t, bob.post(here, "react", "👍"), http.StatusNotFound)
	ann.get(path)
	wantTo(t, ann.post(path, "do", "publish"), "/admin/announcements?done=saved")
	ann.get(path)
	wantTo(t, ann.post(path, "text", "Party, all day", "publish", "1", "starts_at", "2099-01-31T18:00", "ends_at", "2099-01-31T22:00", "all_day", "1"), "/admin/announcements?done=saved")
	want(t, ann.get("/"), http.StatusOK, "Party, all day", "<span>31 January 2099</span>")
	ann.get(path)
	const wrongTime = "This isn&#39;t a valid time. Use the format 2027-01-31 18:00."
	want(t, ann.post(path, "do", "x", "text", "Party", "starts_at", "soon", "ends_at", "later"), http.StatusUnprocessableEntity, "<h1>Invalid input</h1>", wrongTime, "soon") // no form of the page has this action
	ann.get(path)
	wantTo(t, ann.post(path, "do", "delete"), "/admin/announcements?done=saved")
	want(t, ann.get(path), http.StatusNotFound)
	want(t, ann.get("/admin/audit"), http.StatusOK, ">announce<", "unpublish announcement", "edit announcement", "delete announcement")
}

// TestAnnouncementsAtHome checks that the home page shows the latest three announcements and a link
// to the others.
func TestAnnouncementsAtHome(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	ann, bob := w.browser().logIn("ann"), w.browser().logIn("bob")
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		ann.get("/admin/announcements")
		ann.post("/admin/announcements", "text", "Number "+n, "publish", "1")
	}
	want(t, bob.get("/"), http.StatusOK, "Number 5", "Number 3", "2 other announcements")
	if a := bob.get("/"); strings.Contains(a.body, "Number 2") {
		t.Error("more than three stand at home")
	}
}
