package web

import (
	"archive/zip"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/blob"
	"linnet/internal/linnet"
)

// What one has written and whom one follows can be fetched, by oneself alone.
func TestExportPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.post(ann.ID, linnet.Draft{Text: "to be taken along"})
	if _, err := w.svc.Social.Follow(t.Context(), ann.ID, bob.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, a.get(exportPath), http.StatusOK, "Data export", "Request archive", `href="/settings/export/following_accounts.csv"`, "Mutes")
	list := a.get(exportPath + "/following_accounts.csv")
	want(t, list, http.StatusOK, "Account address,Show boosts,Notify on new posts,Languages\nbob@")
	if d := list.Header.Get("Content-Disposition"); d != `attachment; filename="following_accounts.csv"` || !strings.HasPrefix(list.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("sent as %q, %q", d, list.Header.Get("Content-Type"))
	}
	want(t, a.get(exportPath+"/blocked_accounts.csv"), http.StatusOK)
	for _, path := range []string{"/archive", "/secrets.csv", "/lists", "/lists.txt"} {
		want(t, a.get(exportPath+path), http.StatusNotFound)
	}
	wantTo(t, a.post(exportPath), exportPath+"?done=saved")
	w.settle()
	page := a.get(exportPath + "?done=saved")
	want(t, page, http.StatusOK, "We're preparing your archive", "Download archive", "Available until")
	if strings.Contains(page.body, "Request your archive<") {
		t.Error("another can be asked for")
	}
	want(t, a.post(exportPath), http.StatusUnprocessableEntity, ". You can request another one after")
	file := a.get(exportPath + "/archive")
	want(t, file, http.StatusOK, "outbox.json")
	if r, err := zip.NewReader(strings.NewReader(file.body), int64(len(file.body))); err != nil || len(r.File) != 4 {
		t.Errorf("the archive: %v %v", r, err)
	}
	if d := file.Header.Get("Content-Disposition"); !strings.Contains(d, `filename="archive-2`) || file.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("sent as %q, %q", d, file.Header.Get("Cache-Control"))
	}
	a.header.Set("Range", "bytes=0-3")
	part := a.get(exportPath + "/archive")
	a.header.Del("Range")
	if part.StatusCode != http.StatusPartialContent || part.body != "PK\x03\x04" {
		t.Errorf("a range: %d %q", part.StatusCode, part.body)
	}
	want(t, b.get(exportPath+"/archive"), http.StatusNotFound)
	want(t, w.browser().get(exportPath+"/archive"), http.StatusSeeOther)
	if err := w.svc.Files().Walk(t.Context(), func(i blob.Info) error { return w.svc.Files().Delete(t.Context(), i.Name) }); err != nil {
		t.Fatal(err)
	}
	want(t, a.get(exportPath+"/archive"), http.StatusServiceUnavailable, "The files of your archive are missing. Please contact the administrators.")
	want(t, a.get("/settings/delete"), http.StatusOK, `href="/settings/export"`)
}
