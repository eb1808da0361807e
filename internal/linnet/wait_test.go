package linnet_test

import (
	"testing"
	"time"

	"linnet/internal/linnet"
)

func TestRoundWait(t *testing.T) {
	for _, c := range []struct {
		wait, unit time.Duration
		n          int64
	}{
		{0, time.Second, 1}, {time.Millisecond, time.Second, 1}, {time.Second, time.Second, 1}, {90 * time.Second, time.Second, 90},
		{90*time.Second + 1, time.Minute, 2}, {15 * time.Minute, time.Minute, 15}, {90 * time.Minute, time.Minute, 90},
		{90*time.Minute + 1, time.Hour, 2}, {75333 * time.Second, time.Hour, 21}, {24 * time.Hour, time.Hour, 24},
	} {
		if n, unit := linnet.RoundWait(c.wait); n != c.n || unit != c.unit {
			t.Errorf("%v: %d of %v, want %d of %v", c.wait, n, unit, c.n, c.unit)
		}
	}
}
