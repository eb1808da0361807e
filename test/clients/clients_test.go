package clients_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"linnet/internal/kv/redistest"
	"linnet/internal/translation/translationtest"
)

// TestClients runs every client against every kind of store.
func TestClients(t *testing.T) {
	bin := build(t)
	for name, open := range map[string]func(*testing.T) string{
		"embedded": func(*testing.T) string { return "" },
		"redis":    func(t *testing.T) string { return redistest.Single(t) },
	} {
		t.Run(name, func(t *testing.T) {
			var listening held
			t.Cleanup(func() { listening.check(t) }) // after the server has stopped
			translator := translationtest.New(t)
			s := start(t, bin, open(t), "--translate.url", translator.URL, "--translate.key", translator.Key, "--reach-networks", "127.0.0.0/8")
			s.command(t, "", "instance", "set", "open=true", "new-account-days=0", "link-previews=true") // masto.js signs up a user
			s.furnish(t)
			listening.open(t, s)
			s.startTalk(t)
			t.Run("OAuth", func(t *testing.T) { testOAuth(t, s) })
			t.Run("go-mastodon", func(t *testing.T) { testGoMastodon(t, s) })
			t.Run("masto.js", func(t *testing.T) { testScript(t, s, "masto") })
			t.Run("megalodon", func(t *testing.T) { testScript(t, s, "megalodon") })
			t.Run("Mastodon.py", func(t *testing.T) { testMastodonPy(t, s) })
			t.Run("toot", func(t *testing.T) { testToot(t, s) })
		})
	}
}

// furnish adds an emoji, an announcement and a page for links.
func (s *server) furnish(t *testing.T) {
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dot.png")
	if err := os.WriteFile(file, dot.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s.command(t, "", "emoji", "add", "dot", file, "--category", "Points")
	s.command(t, "", "announcement", "add", "Welcome, everybody")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/dot.png" {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(dot.Bytes())
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<meta property="og:title" content="A page"><meta property="og:description" content="About points"><meta property="og:image" content="/dot.png">`)
	}))
	t.Cleanup(site.Close)
	s.page = site.URL + "/page"
}
