package diskkv_test

import (
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/kvtest"
)

// TestEngine runs the suite on a real directory, with a clock that the suite moves.
func TestEngine(t *testing.T) {
	for _, mode := range []diskkv.SyncMode{diskkv.SyncAlways, diskkv.SyncInterval} {
		t.Run(string(mode), func(t *testing.T) {
			clock := kvtest.NewClock()
			kvtest.Run(t, func(t *testing.T) kv.Engine {
				e, err := diskkv.Open(t.TempDir(), diskkv.Options{Now: clock.Now, Sync: mode, Reserve: -1})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { e.Close() })
				return e
			}, kvtest.Caps{Advance: clock.Advance})
		})
	}
}

// TestFeedsAreForgottenUnread checks that unread feeds are dropped by reads and by the sweep.
func TestFeedsAreForgottenUnread(t *testing.T) {
	clock := kvtest.NewClock()
	const life = 30 * 24 * time.Hour
	kvtest.FeedLife(t, func(t *testing.T) kv.Engine {
		e, err := diskkv.Open(t.TempDir(), diskkv.Options{Now: clock.Now, FeedTTL: life, Sync: diskkv.SyncInterval, Reserve: -1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}, kvtest.Caps{Advance: clock.Advance}, life)
}
