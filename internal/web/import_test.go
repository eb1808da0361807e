package web_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestImportPages checks that a CSV import can be previewed, confirmed and undone without scripts.
// Other accounts cannot see it.
func TestImportPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, a.get("/settings/imports"), http.StatusOK, "Follows", "Merge: add to your current data", `accept=".csv,text/csv"`, "You haven't imported anything yet.")
	want(t, a.send("/settings/imports", nil, "type", "following_accounts", "mode", "merge"), http.StatusUnprocessableEntity, "The file is missing. Choose a file")
	a.get("/settings/imports")
	want(t, a.send("/settings/imports", map[string][][]byte{"file": {[]byte("a\"b")}}, "type", "following_accounts", "mode", "overwrite"), http.StatusUnprocessableEntity, "The file is not a valid CSV file: the quotation marks in line 1", `value="overwrite" selected`)
	a.get("/settings/imports")
	want(t, a.send("/settings/imports", map[string][][]byte{"file": {[]byte(strings.Repeat("x\n", 11<<20))}}, "type", "following_accounts", "mode", "merge"), http.StatusUnprocessableEntity, "The file is larger than 20 MB")
	a.get("/settings/imports")
	sent := a.send("/settings/imports", map[string][][]byte{"file": {[]byte("bob\nnobody@far.example\n<b>\n")}}, "type", "following_accounts", "mode", "merge")
	path := sent.Header.Get("Location")
	want(t, sent, http.StatusSeeOther)
	want(t, a.get(path), http.StatusOK, "You&#39;re about to follow up to 1 account from", "1 of the 3 rows in the file was found on this server.", "Confirm", "Not found on this server", "Found on this server", "&lt;b&gt;")
	for _, p := range []string{path, path + "/failures.csv", "/settings/imports/5", "/settings/imports/x"} {
		want(t, b.get(p), http.StatusNotFound)
	}
	a.get("/settings/imports")
	other := a.send("/settings/imports", map[string][][]byte{"file": {[]byte("Account address,Hide notifications\nnobody,true\n")}}, "type", "following_accounts", "mode", "overwrite").Header.Get("Location")
	want(t, a.get(other), http.StatusOK, "This file seems to contain something else: Mutes. Check the import type.", "Overwriting would remove all your current entries, so we stopped.")
	if strings.Contains(a.page, ">Confirm<") {
		t.Error("what is not done can be confirmed")
	}
	a.get(path)
	b.get("/settings/imports")
	want(t, b.post(path, "do", "confirm"), http.StatusNotFound)
	if w.relation(ann.ID, bob.ID).Following {
		t.Error("it is done without being confirmed")
	}
	a.get(path)
	wantTo(t, a.post(path, "do", "confirm"), path)
	w.settle()
	want(t, a.get(path), http.StatusOK, "Finished", "Imported", "another server", "Undo import", `href="`+path+`/failures.csv"`)
	want(t, a.get(path+"/failures.csv"), http.StatusOK, "nobody@far.example,,,\n")
	want(t, a.get("/settings/imports"), http.StatusOK, `href="`+path+`"`, "Finished")
	if !w.relation(ann.ID, bob.ID).Following {
		t.Error("nobody is followed")
	}
	a.get(path)
	wantTo(t, a.post(path, "do", "undo"), path)
	w.settle()
	want(t, a.get(path), http.StatusOK, "Undone")
	if r := w.relation(ann.ID, bob.ID); r.Following || r.Requested {
		t.Error("it is not undone")
	}
}

// settle waits until all tasks are done.
func (w *world) settle() {
	for end := time.Now().Add(time.Minute); !w.svc.Idle(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatal("tasks do not end")
		}
	}
}

// TestImportPostsPages checks that a post archive can be previewed, imported and undone. Other
// files are rejected with an explanation.
func TestImportPostsPages(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	w.user("bob")
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, a.get("/settings/imports"), http.StatusOK, "Post archive", "action=\"/settings/imports/posts\"", "Maximum size: 2,048 MB")
	want(t, a.send("/settings/imports/posts", nil), http.StatusUnprocessableEntity, "The archive is missing. Choose a file")
	a.get("/settings/imports")
	want(t, a.send("/settings/imports/posts", map[string][][]byte{"archive": {[]byte("hello")}}), http.StatusUnprocessableEntity, "The archive can't be imported: This is not an archive from Mastodon or X")
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	f, _ := z.Create("data/tweets.js") // writes to a buffer cannot fail
	_, _ = f.Write([]byte(`window.YTD.tweets.part0 = [{"tweet":{"id_str":"20","full_text":"an old <b> one","created_at":"Tue Mar 21 20:50:14 +0000 2006"}},
		{"tweet":{"id_str":"21","full_text":"RT @x: y","created_at":"Tue Mar 21 20:51:14 +0000 2006"}},{"tweet":{"id_str":"22","full_text":"soon","created_at":"Tue Mar 21 20:51:14 +0000 2996"}}]`))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a.get("/settings/imports")
	sent := a.send("/settings/imports/posts", map[string][][]byte{"archive": {file.Bytes()}})
	path := sent.Header.Get("Location")
	want(t, sent, http.StatusSeeOther)
	want(t, a.get(path), http.StatusOK, "X (Twitter) posts", "Nothing has been imported yet", "up to 1 post will appear", "boosts of others", "The date is in the future.", "Visibility: Unlisted", `<option value="unlisted" selected`, "Confirm")
	b.get("/settings/imports")
	want(t, b.post(path, "do", "confirm"), http.StatusNotFound)
	a.get(path)
	wantTo(t, a.post(path, "do", "confirm", "visibility", "public"), path)
	w.settle()
	want(t, a.get(path), http.StatusOK, "Finished", "Visibility: Public", "1 of 1", "Undo import")
	want(t, b.get("/@ann"), http.StatusOK, "an old &lt;b&gt; one", "2006")
	a.get(path)
	wantTo(t, a.post(path, "do", "undo"), path)
	w.settle()
	want(t, a.get(path), http.StatusOK, "Undone", "Removed")
	if page := b.get("/@ann"); strings.Contains(page.body, "an old") {
		t.Error("it is not undone")
	}
}
