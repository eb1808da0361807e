package web_test

import (
	"bytes"
	"flag"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"linnet/internal/linnet"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// varying lists parts of pages that differ between runs, with their replacements in the golden
// files.
var varying = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`/assets/[0-9a-f]{12}/`), "/assets/HASH/"},
	{regexp.MustCompile(`name="form_token" value="[^"]+"`), `name="form_token" value="TOKEN"`},
	{regexp.MustCompile(`request <code>[^<]+`), "request <code>ID"},
	{regexp.MustCompile(`<code id="code">[^<]+`), `<code id="code">CODE`},
	{regexp.MustCompile(`client_id=[^&"]+`), "client_id=CLIENT"},
	{regexp.MustCompile(`client_id%3D[0-9A-Za-z_.-]+`), "client_id%3DCLIENT"},
	{regexp.MustCompile(`\b[0-9]{15,19}\b`), "STATUS"},
	{regexp.MustCompile(`%2F[0-9]{15,19}\b`), "%2FSTATUS"},
	{regexp.MustCompile(`\b(p|n|pin)[0-9]{15,19}\b`), "${1}STATUS"},
	{regexp.MustCompile(`(value="[a-z]+-)[0-9]+(-[0-9]+)?"`), `${1}GROUP"`},
	{regexp.MustCompile(`name="key" value="[^"]+"`), `name="key" value="KEY"`},
	{regexp.MustCompile(`datetime="[^"]+" title="[^"]+"`), `datetime="TIME" title="TIME"`},
	{regexp.MustCompile(`[0-9]{1,2} [A-Z][a-z]+ 20[0-9]{2}, [0-9:]{5} UTC`), "TIME"},
}

// TestGolden compares the main pages with testdata/golden, so that template changes are reviewed as
// HTML changes. Run it with -update to accept them.
func TestGolden(t *testing.T) {
	t.Run("fresh", func(t *testing.T) {
		w := newWorld(t, loopbackURL)
		b := w.browser()
		golden(t, "landing-empty", b.get("/"), http.StatusOK)
		golden(t, "setup", b.get("/setup/"+w.setupToken()), http.StatusOK)
		golden(t, "signup-closed", b.get("/signup"), http.StatusForbidden)
		golden(t, "not-found", b.get("/nowhere"), http.StatusNotFound)
	})
	t.Run("lived in", func(t *testing.T) {
		w := newWorld(t, publicURL)
		st := furnish(w)
		b := w.browser()
		golden(t, "landing", b.get("/"), http.StatusOK)
		golden(t, "profile", b.get("/@ann"), http.StatusOK)
		golden(t, "status", b.get(postPath(st)), http.StatusOK)
		golden(t, "login", b.get("/login"), http.StatusOK)
		golden(t, "signup", b.get("/signup"), http.StatusOK)
		golden(t, "signup-wrong", b.post("/signup", "login", "ann", "password", "short", "again", "short", "agreed", "1"),
			http.StatusUnprocessableEntity)
		app := w.app("read write follow push", webApp, "urn:ietf:wg:oauth:2.0:oob")
		b.logIn("ann")
		golden(t, "home", b.get("/"), http.StatusOK)
		golden(t, "status-in", b.get(postPath(st)), http.StatusOK)
		golden(t, "compose", b.get("/compose?in_reply_to="+st.ID.String()), http.StatusOK)
		pages := map[string]string{"notifications": "/notifications", "messages": "/messages", "lists": "/lists", "search": "/search?q=bob",
			"followers": "/@bob/followers", "requests": "/requests", "report": "/@bob/report", "mute": "/@bob/mute", "block": "/@bob/block",
			"profile-in": "/@bob", "local": "/local", "tag": "/tags/birds", "clear": "/notifications/clear", "explore": "/explore", "catchup": "/catchup", "feeds": "/feeds", "feed-form": "/feeds/new"}
		for _, name := range slices.Sorted(maps.Keys(pages)) { // sorted, because opening the notifications marks them as read
			golden(t, name, b.get(pages[name]), http.StatusOK)
		}
		golden(t, "deletion", b.get(postPath(st)+"/delete"), http.StatusOK)
		golden(t, "consent", b.get(ask(app, webApp, "scope", "read write follow push", "state", "s")), http.StatusOK)
		b.get(ask(app, "urn:ietf:wg:oauth:2.0:oob"))
		golden(t, "code", b.post(formAction(t, b.page), "decision", "approve"), http.StatusOK)
	})
}

// furnish fills an instance with two accounts and a few posts. It returns a post with replies.
func furnish(w *world) linnet.StatusView {
	w.t.Helper()
	ctx := w.t.Context()
	ann, bob := w.user("ann"), w.user("bob")
	name, note := "Ann Lee", "Birds, mostly.\nhttps://perch.example"
	if _, err := w.svc.Social.Profiles.Update(ctx, ann.ID, linnet.ProfileChange{Name: &name, Note: &note,
		Fields: &[]linnet.ProfileField{{Name: "Seen", Value: "412 kinds"}, {Name: "Home", Value: "https://ann.example"}}}); err != nil {
		w.t.Fatal(err)
	}
	title, about, contact, mail, open := "Birds", "A small place for people who look up.", "ann", "ann@birds.example", linnet.RegisterOpen
	if _, err := w.svc.Settings.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{Title: &title, Description: &about, Contact: &mail,
		ContactUser: &contact, Registrations: &open, Rules: &[]string{"Be kind.", "Name your sources."}}); err != nil {
		w.t.Fatal(err)
	}
	first := w.post(ann.ID, linnet.Draft{Text: "A linnet on the gate this morning. #birds", Language: "en"})
	w.post(bob.ID, linnet.Draft{Text: "@ann singing?", InReplyTo: first.ID})
	if _, err := w.svc.Posting.Marks.Favourite(ctx, bob.ID, first.ID); err != nil {
		w.t.Fatal(err)
	}
	w.post(bob.ID, linnet.Draft{Text: "It was the fox.", Warning: "dead chicken"})
	w.post(ann.ID, linnet.Draft{Text: "שלום לכולם", Language: "he"})
	st, err := w.svc.View.Status(ctx, 0, first.ID)
	for err == nil && (st.Favourites == 0 || st.Replies == 0) && ctx.Err() == nil {
		st, err = w.svc.View.Status(ctx, 0, first.ID)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

// golden compares a page with its golden file.
func golden(t *testing.T, name string, a answer, code int) {
	t.Helper()
	want(t, a, code)
	got := bytes.ReplaceAll([]byte(a.body), []byte("><"), []byte(">\n<")) // one element per line, for readable diffs
	for _, v := range varying {
		got = v.pattern.ReplaceAll(got, []byte(v.with))
	}
	file := filepath.Join("testdata", "golden", name+".html")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(kept) {
		t.Errorf("page %s has changed; -update accepts it. It is now:\n%s", name, got)
	}
}
