package diskkv

import (
	"context"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
	"linnet/internal/kv/kvtest"
)

// entries returns the number of entries on disk.
func entries(t *testing.T, e *Engine) int {
	t.Helper()
	it, err := e.db.NewIter(&pebble.IterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	return n
}

// TestSweep checks that expired values leave nothing on disk. Values that were prolonged or stored
// again without a TTL remain.
func TestSweep(t *testing.T) {
	clock := kvtest.NewClock()
	e := open(t, t.TempDir(), Options{Now: clock.Now})
	ctx := context.Background()
	const n = 1700
	var changes []kv.Op
	for i := range n {
		changes = append(changes, kv.Put{Key: imageKey(i), Version: 1, TTL: time.Minute})
	}
	apply(t, e, changes...)
	apply(t, e, kv.Put{Key: imageKey(0), Version: 2, TTL: time.Hour}, kv.Put{Key: imageKey(1), Version: 2},
		kv.Delete{Key: imageKey(2)})
	clock.Advance(time.Minute)
	removed, err := e.Sweep(ctx)
	if err != nil || removed != n-3 {
		t.Errorf("removed %d, %v; want %d", removed, err, n-3)
	}
	if got := entries(t, e); got != 3 { // two values and one hint
		t.Errorf("%d entries remain", got)
	}
	for i := range 2 {
		q := &kv.Get{Key: imageKey(i)}
		if err := e.Read(ctx, q); err != nil || q.Version != 2 {
			t.Errorf("value %d: version %d, %v", i, q.Version, err)
		}
	}
	clock.Advance(time.Hour)
	if removed, err := e.Sweep(ctx); removed != 1 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
	if got := entries(t, e); got != 1 {
		t.Errorf("%d entries remain", got)
	}
}

// TestSweepForgets checks that abandoned fillings and expired meters are removed from memory.
func TestSweepForgets(t *testing.T) {
	clock := kvtest.NewClock()
	e := open(t, t.TempDir(), Options{Now: clock.Now})
	ctx := context.Background()
	for i := range 100 {
		apply(t, e, kv.Fill{Key: feedKeyOf(i), Token: "t", TTL: time.Minute}, &kv.Push{Key: feedKeyOf(i), ID: 1})
		if _, err := e.Count(ctx, feedKeyOf(i).ID, 1, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	clock.Advance(time.Minute)
	e.sweepAll()
	meters := 0
	for i := range e.meters.stripes {
		meters += len(e.meters.stripes[i].m)
	}
	if meters > 0 || e.feeds.Bytes() != 0 {
		t.Errorf("%d meters and %d bytes of feeds remain", meters, e.feeds.Bytes())
	}
}

// TestMetersAreBounded checks that keys chosen by an attacker do not use all memory.
func TestMetersAreBounded(t *testing.T) {
	ms := newMeters()
	now := time.Now()
	s := &ms.stripes[0]
	for i := range 3 * maxMeters {
		s.makeRoom(now)
		s.m[imageKey(i).String()] = meter{n: 1, until: now.Add(time.Hour)}
	}
	if len(s.m) > maxMeters {
		t.Errorf("%d meters in one stripe", len(s.m))
	}
}
