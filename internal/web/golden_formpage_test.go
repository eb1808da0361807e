package web_test

import (
	"net/http"
	"testing"

	"linnet/internal/linnet"
)

// TestGoldenFormPages is like TestGolden for settings, administration and embedded pages.
func TestGoldenFormPages(t *testing.T) {
	w := newWorld(t, publicURL)
	st := furnish(w)
	w.role("ann", linnet.Admin)
	eve := w.user("eve")
	report := w.report(st.Author, eve.ID, w.post(eve.ID, linnet.Draft{Text: "worms!"}).ID)
	golden(t, "embed", w.browser().get(postPath(st)+"/embed"), http.StatusOK)
	b := w.browser().logIn("ann")
	golden(t, "settings-profile", b.get("/settings/profile"), http.StatusOK)
	golden(t, "settings-profile-wrong", b.post("/settings/profile", "display_name", "A name that is much longer than it may be", "language", "en"), http.StatusUnprocessableEntity)
	golden(t, "settings-appearance", b.get("/settings/appearance"), http.StatusOK)
	golden(t, "settings-filter-new", b.get("/settings/filters/new"), http.StatusOK)
	golden(t, "admin-user", b.get("/admin/users/eve"), http.StatusOK)
	golden(t, "admin-user-act", b.get("/admin/users/eve/suspend"), http.StatusOK)
	golden(t, "admin-report", b.get(report), http.StatusOK)
	golden(t, "admin-settings", b.get("/admin/settings"), http.StatusOK)
	golden(t, "admin-settings-look", b.get("/admin/settings/look"), http.StatusOK)
}
