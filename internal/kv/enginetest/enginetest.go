// Package enginetest runs tests of other packages on each storage engine.
package enginetest

import (
	"log/slog"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// Each runs a test on each engine, on Redis only if it is installed. Each call of open returns an
// empty engine, which is closed when the test ends. On Redis, open also empties the earlier
// engines.
func Each(t *testing.T, test func(t *testing.T, open func(t *testing.T) kv.Engine)) {
	t.Run("memory", func(t *testing.T) {
		test(t, func(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) })
	})
	t.Run("disk", func(t *testing.T) {
		test(t, func(t *testing.T) kv.Engine {
			e, err := diskkv.Open(t.TempDir(), diskkv.Options{Reserve: -1, Sync: diskkv.SyncInterval})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		})
	})
	t.Run("redis", func(t *testing.T) {
		s := redistest.Start(t)
		test(t, func(t *testing.T) kv.Engine {
			s.Do("FLUSHALL")
			e, err := rediskv.Open(t.Context(), s.URL(), rediskv.Options{Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		})
	})
}
