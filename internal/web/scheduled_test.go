package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestScheduleFaultsInZone checks that validation errors show a time in the zone that the user
// entered it in.
func TestScheduleFaultsInZone(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	a := w.browser().logIn("ann")
	a.jar["zone"] = "Asia/Tokyo"
	a.get("/compose")
	want(t, a.post("/compose", "text", "too soon", "visibility", "public", "scheduled_at", "2001-01-01T00:00"), http.StatusUnprocessableEntity, "The time is 1 January 2001, 00:00 JST. Choose a time after")
}

// TestScheduleByForms checks that posts can be scheduled, edited, moved and deleted without
// scripts.
func TestScheduleByForms(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	w.user("bob")
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, a.get("/compose"), http.StatusOK, `type="datetime-local"`, `href="/scheduled"`)
	want(t, a.get("/scheduled"), http.StatusOK, "No scheduled posts")
	a.get("/compose")
	want(t, a.post("/compose", "text", "too soon", "visibility", "public", "scheduled_at", "2001-01-01T00:00"), http.StatusUnprocessableEntity, "The time is 1 January 2001, 00:00 UTC. Choose a time after", "too soon", `value="2001-01-01T00:00"`, "scheduled_at-wrong")
	want(t, a.post("/compose", "text", "never", "visibility", "public", "scheduled_at", "tomorrow"), http.StatusUnprocessableEntity, "Enter a date and time, such as 2030-12-24T18:00.", "never", `value="tomorrow"`)
	wantTo(t, a.send("/compose", files(aPicture(900, 600)), "text", "one <two>", "visibility", "unlisted", "warning", "careful", "key", "one", "scheduled_at", "2100-01-02T03:04", "do", "undescribed"), "/scheduled?done=scheduled")
	want(t, a.get("/scheduled?done=scheduled"), http.StatusOK, "Scheduled.", "one &lt;two&gt;", "careful", "Unlisted", "2 January 2100, 03:04 UTC", `value="2100-01-02T03:04"`, "<img")
	plan := w.plan(ann.ID)
	path, id := "/scheduled/"+plan.ID.String(), plan.ID.String()
	if strings.Contains(b.get("/scheduled").body, "one") || len(w.postsOf(ann.ID)) > 0 {
		t.Error("others see it, or it is published")
	}
	for _, p := range []string{path, "/scheduled/5", "/scheduled/x"} {
		b.get("/compose")
		want(t, b.post(p, "do", "delete"), http.StatusNotFound)
	}
	want(t, b.get("/compose?scheduled="+id), http.StatusNotFound)
	a.get("/scheduled")
	want(t, a.post(path, "scheduled_at", "2001-01-01T00:00"), http.StatusUnprocessableEntity, "The time is 1 January 2001", `value="2001-01-01T00:00"`)
	want(t, a.post(path, "scheduled_at", ""), http.StatusUnprocessableEntity, "Enter a date and time, such as 2030-12-24T18:00.")
	wantTo(t, a.post(path, "scheduled_at", "2100-02-03T04:05:06"), "/scheduled?done=moved")
	if at := w.plan(ann.ID).At; !at.Equal(time.Date(2100, 2, 3, 4, 5, 6, 0, time.UTC)) {
		t.Errorf("moved to %v", at)
	}
	pic := plan.Media[0].ID.String()
	want(t, a.get("/compose?scheduled="+id), http.StatusOK, "<h1>Edit scheduled post</h1>", "one &lt;two&gt;", `value="2100-02-03T04:05"`, `name="plan" value="`+id, `name="media" value="`+pic, ">Schedule</button>")
	want(t, a.send("/compose", files(), "plan", id, "text", "", "visibility", "unlisted", "scheduled_at", "2100-02-03T04:05"), http.StatusUnprocessableEntity, "be blank", `name="plan"`)
	wantTo(t, a.send("/compose", files(), "plan", id, "text", "three", "visibility", "public", "media", pic, "alt-"+pic, "a square", "scheduled_at", "2100-02-03T04:05"), "/scheduled?done=scheduled")
	now := w.plan(ann.ID)
	if now.ID == plan.ID || now.Draft.Text != "three" || len(now.Media) != 1 || now.Media[0].Description != "a square" {
		t.Errorf("changed: %+v", now)
	}
	a.get("/scheduled")
	posted := a.send("/compose", files(), "plan", now.ID.String(), "text", "at once", "visibility", "public", "media", pic, "alt-"+pic, "a square")
	want(t, posted, http.StatusSeeOther)
	if st := w.newest(ann.ID); st.Text != "at once" || len(st.Media) != 1 {
		t.Errorf("posted: %+v", st.Status)
	}
	a.get("/scheduled")
	want(t, a.send("/compose", files(), "plan", now.ID.String(), "text", "late", "visibility", "public"), http.StatusUnprocessableEntity, "The scheduled post was already published or deleted. You can still post this as a new post.", "late")
	wantTo(t, a.post("/compose", "text", "gone", "visibility", "public", "key", "two", "scheduled_at", "2100-01-01T00:00"), "/scheduled?done=scheduled")
	gone := "/scheduled/" + w.plan(ann.ID).ID.String()
	a.get("/scheduled")
	wantTo(t, a.post(gone, "do", "delete"), "/scheduled?done=deleted")
	want(t, a.get("/scheduled?done=deleted"), http.StatusOK, "Deleted.", "No scheduled posts")
	want(t, a.post(gone, "do", "delete"), http.StatusNotFound)
	for i := range 25 {
		w.planned(ann.ID, "page", time.Date(2100, 1, 1+i, 0, 0, 0, 0, time.UTC))
	}
	if want(t, a.get("/scheduled"), http.StatusOK, "/scheduled?from=20"); strings.Count(a.page, `>page</p>`) != 20 {
		t.Errorf("%d on the first page", strings.Count(a.page, `>page</p>`))
	}
	want(t, a.get("/scheduled?from=20"), http.StatusOK, "25 January 2100", "/scheduled?from=0")
}

// planned schedules a post.
func (w *world) planned(me linnet.ID, text string, at time.Time) *linnet.Scheduled {
	w.t.Helper()
	s, err := w.svc.Posting.Scheduled.Create(w.t.Context(), me, linnet.Draft{Text: text}, at)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// plan returns the account's next scheduled post.
func (w *world) plan(me linnet.ID) linnet.Scheduled {
	w.t.Helper()
	all, _, err := w.svc.Posting.Scheduled.Soonest(w.t.Context(), me, 0, 1)
	if err != nil || len(all) == 0 {
		w.t.Fatalf("nothing is scheduled: %v", err)
	}
	return all[0]
}
