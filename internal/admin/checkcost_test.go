package admin_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
)

// counting counts reads from an engine: keys that a walk returns, records, and members of sets and
// feeds.
type counting struct {
	kv.Engine
	read atomic.Int64
}

func (e *counting) Keys(ctx context.Context, cursor string) ([]kv.Key, string, error) {
	keys, next, err := e.Engine.Keys(ctx, cursor)
	e.read.Add(int64(len(keys)))
	return keys, next, err
}

func (e *counting) Read(ctx context.Context, qs ...kv.Query) error {
	err := e.Engine.Read(ctx, qs...)
	for _, q := range qs {
		n := 1
		switch q := q.(type) {
		case *kv.Range:
			n += len(q.Members)
		case *kv.Scores:
			n += len(q.Members)
		case *kv.Counters:
			n += len(q.Names)
		case *kv.Feed:
			n += len(q.IDs)
		}
		e.read.Add(int64(n))
	}
	return err
}

// TestCheckIsLinear checks that a check of twice as many statuses reads about twice as much. This
// includes statuses that timelines have dropped, which are the majority in a large store.
func TestCheckIsLinear(t *testing.T) {
	const each = 20 // maximum reads per status, including timelines and the profile
	cost := func(n int) int64 {
		e := &counting{Engine: memkv.New(memkv.Options{})}
		w := newWorld(t, e)
		// One author, so that there are more than a slice of the global timeline holds.
		author := w.user("ann")
		for range n {
			w.post(author, linnet.Draft{Text: "A note about #birds"})
		}
		w.drain()
		for making := true; making; time.Sleep(10 * time.Millisecond) { // building the search index reads all statuses as well
			r, err := w.Discovery.IndexReport(w.ctx)
			w.must(err)
			making = r.Making
		}
		w.stop() // otherwise reads for that index are counted
		e.read.Store(0)
		if r := w.mustBeClean(); r.Statuses != int64(n) {
			t.Fatalf("%d statuses checked, want %d", r.Statuses, n)
		}
		return e.read.Load()
	}
	const n = 3000 // a slice of the global timeline holds 2,500
	once, twice := cost(n), cost(2*n)
	t.Logf("%d statuses: %d reads; %d: %d", n, once, 2*n, twice)
	if twice*10 > once*22 {
		t.Errorf("%d statuses take %d reads, twice as many %d: more than 2.2 times as much", n, once, twice)
	}
	if most := int64(2 * n * each); twice > most {
		t.Errorf("%d statuses take %d reads, more than %d", 2*n, twice, most)
	}
}
