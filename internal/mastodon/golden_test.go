package mastodon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenDocuments checks that each member of the documents by which clients detect features is
// unchanged.
func TestGoldenDocuments(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann")
	title, about, contact, login := "Linnet Town", "A small place.", "help@linnet.test", "ann"
	rules := []string{"Be kind.", "No spam."}
	if _, err := w.svc.Settings.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{
		Title: &title, Description: &about, Contact: &contact, ContactUser: &login, Rules: &rules}); err != nil {
		t.Fatal(err)
	}
	w.run([]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=a"}})
	variable := regexp.MustCompile(w.vars["ann"] + `|20\d\d-\d\d-\d\d(T00:00:00.000Z)?|B[A-Za-z0-9_-]{86}=`)
	for name, path := range map[string]string{
		"instance_v1": "/api/v1/instance", "instance_v2": "/api/v2/instance", "nodeinfo": "/nodeinfo/2.0",
		"oauth": "/.well-known/oauth-authorization-server", "webfinger": "/.well-known/webfinger?resource=acct:ann@linnet.test",
		"rules": "/api/v1/instance/rules",
	} {
		w.call("", "GET "+path, "", "")
		golden(t, name, w.last.Body.Bytes(), variable)
	}
}

// golden compares a document with its file. Variable parts are ignored.
func golden(t *testing.T, name string, doc []byte, variable *regexp.Regexp) {
	t.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, doc, "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	text := variable.ReplaceAll(got.Bytes(), []byte("*"))
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("it differs from %s (-update writes it anew):\n%s", file, text)
	}
}

// TestGoldenConversation checks that each member of the entity Conversation is unchanged.
func TestGoldenConversation(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob")
	w.run([]step{{as: "bob", do: "POST /api/v1/statuses", body: "status=@ann+hi&visibility=direct"}, {as: "ann", do: "GET /api/v1/conversations"}})
	golden(t, "conversation", w.last.Body.Bytes(), regexp.MustCompile(`\b\d{16,}\b|20\d\d-\d\d-\d\d(T[0-9:.]*Z)?`))
}

// TestGoldenMuted checks that each member of the entity MutedAccount is unchanged.
func TestGoldenMuted(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob")
	w.run([]step{{as: "ann", do: "POST /api/v1/accounts/{bob}/mute", body: "duration=3600"}, {as: "ann", do: "GET /api/v1/mutes"}})
	golden(t, "muted_account", w.last.Body.Bytes(), regexp.MustCompile(`\b\d{16,}\b|20\d\d-\d\d-\d\d(T[0-9:.]*Z)?`))
}
