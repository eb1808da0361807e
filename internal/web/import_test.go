package web

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A file is looked at, confirmed, done and taken back, all without script; nobody else sees
// it.
func TestImportPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	a, b := w.browser().logIn("ann"), w.browser().logIn("bob")
	want(t, a.get(importsPath), http.StatusOK, "Following list", "Merge: keep existing records", `accept=".csv,text/csv"`, "You have imported nothing yet.")
	want(t, a.send(importsPath, nil, "type", "following_accounts", "mode", "merge"), http.StatusUnprocessableEntity, "The file must be chosen")
	a.get(importsPath)
	want(t, a.send(importsPath, map[string][][]byte{"file": {[]byte("a\"b")}}, "type", "following_accounts", "mode", "overwrite"), http.StatusUnprocessableEntity, "The file is no valid CSV file: line 1", `value="overwrite" selected`)
	a.get(importsPath)
	want(t, a.send(importsPath, map[string][][]byte{"file": {[]byte(strings.Repeat("x\n", 11<<20))}}, "type", "following_accounts", "mode", "merge"), http.StatusUnprocessableEntity, "The file is larger than 20 MB")
	a.get(importsPath)
	sent := a.send(importsPath, map[string][][]byte{"file": {[]byte("bob\nnobody@far.example\n<b>\n")}}, "type", "following_accounts", "mode", "merge")
	path := sent.Header.Get("Location")
	want(t, sent, http.StatusSeeOther)
	want(t, a.get(path), http.StatusOK, "You are about to follow up to 1 account from", "Of its 3 rows, 1 is here", "Confirm", "Not found here", "Found here", "&lt;b&gt;")
	for _, p := range []string{path, path + "/failures.csv", importsPath + "/5", importsPath + "/x"} {
		want(t, b.get(p), http.StatusNotFound)
	}
	b.get(importsPath)
	want(t, b.post(path, "do", "confirm"), http.StatusNotFound)
	if w.relation(ann.ID, bob.ID).Following {
		t.Error("it is done without being confirmed")
	}
	a.get(path)
	wantTo(t, a.post(path, "do", "confirm"), path)
	w.settle()
	want(t, a.get(path), http.StatusOK, "Finished", "Imported", "another server", "Undo this import", `href="`+path+`/failures.csv"`)
	want(t, a.get(path+"/failures.csv"), http.StatusOK, "nobody@far.example,,,\n")
	want(t, a.get(importsPath), http.StatusOK, `href="`+path+`"`, "Finished")
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

// settle waits until the tasks are done.
func (w *world) settle() {
	for end := time.Now().Add(time.Minute); !w.svc.Idle(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatal("tasks do not end")
		}
	}
}
