// Package disktest is what benchmarks compare the embedded engine with: the storage
// library alone. It knows the library, and which records a post consists of on the
// disk; of the engine it knows nothing.
package disktest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// Bare is a store of the storage library with nothing above it, in tables as large
// as the engine's. Its methods return after the fsync, which all who write at the
// time share; many goroutines may call them.
type Bare struct{ db *pebble.DB }

// NewBare opens a store that is closed with the benchmark.
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

// written are the records that a public post of a line writes, by the lengths
// of their values: the status, its places on the profile and in the global
// timeline, two counters, and the task that carries it out, which is deleted again.
var written = [...]struct {
	key   string
	value int
}{
	{"status%020d", 220},
	{"posts:100000000000000000:%020d", 6}, {"posts:100000000000000000:by-time:%020d", 0},
	{"counts1000000000000%04d.statuses", 1}, {"stats.statuses", 1},
	{"task000000%020d", 98}, {"tasks000000%020d", 6}, {"tasks.ranked000000%020d", 0},
	{"global%020d", 6}, {"global.ranked%020d", 0},
}

// Post writes, in one batch, what the nth post of a hundred authors writes.
func (b Bare) Post(n int64) error {
	batch := b.db.NewBatch()
	defer batch.Close()
	var key []byte
	for i, w := range written {
		switch of := n; {
		case i == 3:
			of = n % 100
			fallthrough
		case i != 4:
			key = fmt.Appendf(key[:0], w.key, of)
		default:
			key = append(key[:0], w.key...)
		}
		if err := batch.Set(key, value[:w.value], nil); err != nil {
			return err
		}
	}
	for _, w := range written[5:8] {
		if err := batch.Delete(fmt.Appendf(key[:0], w.key, n), nil); err != nil {
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
