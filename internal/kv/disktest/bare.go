// Package disktest contains the baseline for benchmarks of the embedded engine: the storage library
// alone. It knows the library and the records of a post on disk, but not the engine.
package disktest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// Bare is a store of the storage library with tables as large as the engine's. Its methods return
// after the fsync, which concurrent writers share. It is safe for concurrent use.
type Bare struct{ db *pebble.DB }

// NewBare opens a store that is closed at the end of the benchmark.
func NewBare(tb testing.TB) Bare {
	tb.Helper()
	db, err := pebble.Open(tb.TempDir(), &pebble.Options{
		FormatMajorVersion:          pebble.FormatNewest,
		MemTableSize:                16 << 20,
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       2,
		L0StopWritesThreshold:       1000,
		Logger:                      quiet{tb},
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return Bare{db}
}

// Put writes one record.
func (b Bare) Put(key string, data []byte) error {
	return b.db.Set([]byte(key), data, pebble.Sync)
}

// written contains the records of a short public post, with the lengths of their values: the
// status, its entries on the profile and in the global timeline, two counters of the author, and
// the task of the fan-out, which is deleted. The arguments of a key are the number of the post and
// of its author.
var written = [...]struct {
	key     string
	value   int
	deleted bool
}{
	{"status%020[1]d", 220, false},
	{"posts:100000000000000000:%020[1]d", 6, false}, {"posts:100000000000000000:by-time:%020[1]d", 0, false},
	{"counts1000000000000%04[2]d.statuses", 1, false}, {"stats%04[2]d.statuses", 1, false},
	{"task000000%020[1]d", 98, true}, {"tasks000000%020[1]d", 6, true}, {"tasks.ranked000000%020[1]d", 0, true},
	{"global%020[1]d", 6, false}, {"global.ranked%020[1]d", 0, false},
}

// Post writes, in one batch, the records of the nth post of a hundred authors.
func (b Bare) Post(n int64) error {
	batch := b.db.NewBatch()
	defer batch.Close()
	var key []byte
	for _, w := range written {
		key = fmt.Appendf(key[:0], w.key, n, n%100)
		if err := batch.Set(key, value[:w.value], nil); err != nil {
			return err
		}
		if !w.deleted {
			continue
		}
		if err := batch.Delete(key, nil); err != nil {
			return err
		}
	}
	return batch.Commit(pebble.Sync)
}

var value = bytes.Repeat([]byte("words "), 100)

type quiet struct{ tb testing.TB }

func (quiet) Infof(string, ...any)           {}
func (q quiet) Errorf(f string, args ...any) { q.tb.Errorf(f, args...) }
func (q quiet) Fatalf(f string, args ...any) { q.tb.Fatalf(f, args...) }
