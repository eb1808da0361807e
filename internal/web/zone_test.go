package web_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// timesInTheReadersZone checks that times use the zone of the account, then of the browser's
// cookie, then UTC. Visitors see UTC.
func timesInTheReadersZone(t *testing.T) {
	at := time.Date(2026, 7, 1, 22, 30, 0, 0, time.UTC)
	var asked atomic.Int64
	w := newWorldAt(t, loopbackURL, func() time.Time { return at.Add(time.Duration(asked.Add(1)) * time.Millisecond) })
	ann := w.user("ann")
	path := postPath(w.post(ann.ID, linnet.Draft{Text: "late"}))
	b := w.browser().logIn("ann")
	for _, row := range []struct{ cookie, account, says string }{
		{"", "", "1 July 2026, 22:30 UTC"}, {"Europe%2FBerlin", "", "2 July 2026, 00:30 CEST"}, {"Asia/Tokyo", "", "2 July 2026, 07:30 JST"},
		{"Asia/Tokyo", "America/New_York", "1 July 2026, 18:30 EDT"}, {"Local", "", "22:30 UTC"}, {"..%2F..%2Fetc%2Fpasswd", "", "22:30 UTC"}, {"Nowhere/Land", "", "22:30 UTC"}, {"%", "", "22:30 UTC"},
	} {
		b.jar["zone"] = row.cookie
		if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Appearance: &linnet.Appearance{Zone: row.account}}); err != nil {
			t.Fatal(err)
		}
		want(t, b.get(path), http.StatusOK, row.says)
	}
	stranger := w.browser()
	stranger.jar["zone"] = "Asia/Tokyo"
	want(t, stranger.get(path), http.StatusOK, "1 July 2026, 22:30 UTC")

	b.jar["zone"] = "Asia/Tokyo"
	want(t, b.get("/compose"), http.StatusOK, "Publish at (Asia/Tokyo)")
	want(t, b.post("/compose", "text", "to come", "visibility", "public", "scheduled_at", "2026-08-01T09:00", "key", "k"), http.StatusSeeOther)
	all, _, err := w.svc.Posting.Scheduled.Soonest(t.Context(), ann.ID, 0, 9)
	if err != nil || len(all) != 1 || !all[0].At.Equal(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)) {
		t.Fatalf("%+v %v", all, err)
	}
	want(t, b.get("/scheduled"), http.StatusOK, `value="2026-08-01T09:00"`, "Time (Asia/Tokyo)", "09:00 JST")
	want(t, b.get("/compose?scheduled="+all[0].ID.String()), http.StatusOK, `value="2026-08-01T09:00"`)

	b.get("/settings/appearance")
	a := b.post("/settings/appearance", "theme", "", "zone", "Berlin")
	want(t, a, http.StatusUnprocessableEntity, "is not a time zone. Use a name such as Europe/Berlin", `value="Berlin"`)
	want(t, b.post("/settings/appearance", "theme", "", "zone", "Europe/Berlin"), http.StatusSeeOther)
	if a := b.get(path); !strings.Contains(a.body, "00:30 CEST") {
		t.Error("the zone of the account does not count")
	}
}

// languageOfAReader checks that the account's language takes precedence over the browser's.
func languageOfAReader(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.header.Set("Accept-Language", "de")
	want(t, b.get("/"), http.StatusOK, `<html lang="de"`)
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Appearance: &linnet.Appearance{Language: "ja"}}); err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/"), http.StatusOK, `<html lang="ja"`)
	b = w.browser()
	b.header.Set("Accept-Language", "tlh, x-unknown")
	want(t, b.get("/"), http.StatusOK, `<html lang="en"`)
}
