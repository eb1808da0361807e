package staff

import (
	"math"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestSketch checks that counts are right within a few per cent, also for users counted repeatedly
// and for similar ids.
func TestSketch(t *testing.T) {
	var k DaySketch
	added := 0
	for _, n := range []int{0, 1, 2, 10, 100, 1000, 10_000, 200_000} {
		for ; added < n; added++ {
			id := linnet.MakeID(time.UnixMilli(1_700_000_000_000+int64(added/1024)), uint16(added%1024), 0)
			k.Add(id)
			k.Add(id)
		}
		all := k.merged(nil)
		got := record.CountRegisters(all[:])
		if off := math.Abs(float64(got-int64(n))) / max(float64(n), 1); off > 0.1 || n <= 2 && got != int64(n) {
			t.Errorf("%d of %d counted", got, n)
		}
	}
	var empty DaySketch
	all := k.merged(nil)
	if again := empty.merged(all[:]); again != all {
		t.Error("joined with nothing it is another")
	}
	if record.CountRegisters([]byte{1}) != 0 {
		t.Error("a damaged sketch counts")
	}
	k.Clear()
	if none := k.merged(nil); record.CountRegisters(none[:]) != 0 {
		t.Error("cleared, it still counts")
	}
}
