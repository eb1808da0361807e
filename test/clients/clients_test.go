package clients_test

import (
	"testing"

	"linnet/internal/kv/redistest"
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
			t.Cleanup(func() { listening.check(t) }) // after the server's end
			s := start(t, bin, open(t))
			s.command(t, "", "instance", "set", "open=true", "new-account-days=0") // masto.js signs somebody up
			listening.open(t, s)
			s.startTalk(t)
			t.Run("OAuth", func(t *testing.T) { testOAuth(t, s) })
			t.Run("go-mastodon", func(t *testing.T) { testGoMastodon(t, s) })
			t.Run("masto.js", func(t *testing.T) { testScript(t, s, "masto") })
			t.Run("megalodon", func(t *testing.T) { testScript(t, s, "megalodon") })
			t.Run("toot", func(t *testing.T) { testToot(t, s) })
		})
	}
}
