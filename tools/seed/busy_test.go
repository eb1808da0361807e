package seed_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/tools/seed"
)

// TestImportOfABusyStore checks that an import completes although calls to the store fail in
// various ways, and reports that it retries.
func TestImportOfABusyStore(t *testing.T) {
	e := faultkv.New(openMemory(t))
	w := newWorld(t, e)
	// Uses one transaction at a time, so that a call doesn't fail more often than it is retried.
	opt := seed.Options{Follows: graphFile(t, 300, 1500), Posts: postsFile(t, 200), Pause: time.Millisecond, Workers: 1}
	var retries atomic.Int64
	opt.Retrying = func(error) { retries.Add(1) }
	e.Reset()
	for n := 1; n < 20_000; n += 5 {
		e.FailAt(n, []faultkv.When{faultkv.Before, faultkv.After, faultkv.Half}[n%3])
		e.FailAt(n+1, faultkv.Before)
	}
	did, err := seed.Fill(w.ctx, w.App, opt)
	e.Reset()
	w.must(err)
	if did.Users != 300 || did.Posts != 200 || retries.Load() == 0 {
		t.Errorf("imported %+v with %d retries", did, retries.Load())
	}
	w.drain()
	w.mustBeClean()
}

// TestImportOfAStoreThatStaysAway checks that an import stops if the store fails permanently, and
// that another run completes it.
func TestImportOfAStoreThatStaysAway(t *testing.T) {
	opt := seed.Options{Follows: graphFile(t, 60, 200), Posts: postsFile(t, 30), Pause: 100 * time.Microsecond, Workers: 2}
	e := faultkv.New(openMemory(t))
	w := newWorld(t, e)
	for _, from := range []int{1, 2, 3, 20, 60} { // the import's own record, the log, imported data
		e.Reset()
		for n := from; n < from+5000; n++ {
			e.FailAt(n, faultkv.Before)
		}
		if _, err := seed.Fill(w.ctx, w.App, opt); !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("all fail from write %d on: %v", from, err)
		}
	}
	e.Reset()
	e.Away(true)
	if _, err := seed.Fill(w.ctx, w.App, opt); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("away: %v", err)
	}
	e.Reset()
	if did, err := seed.Fill(w.ctx, w.App, opt); err != nil || did.Users != 60 {
		t.Errorf("imported %+v, %v", did, err)
	}
	w.drain()
	w.mustBeClean()
}
