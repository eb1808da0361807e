package diskkv

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv"
)

// turned is a clock that tests move.
type turned struct {
	mu  sync.Mutex
	off time.Duration
}

func (c *turned) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.off)
}

func (c *turned) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += d
}

// filesWith returns the files of a directory that contain a text or a part of it. Tables are
// compressed, so characters that occur earlier may be left out of them.
func filesWith(t *testing.T, dir, text string) []string {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, n := range names {
		b, err := os.ReadFile(filepath.Join(dir, n.Name()))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for part := range slices.Chunk([]byte(text), 13) {
			if bytes.Contains(b, part) {
				all = append(all, n.Name())
				break
			}
		}
	}
	return all
}

// settleDisk waits until the library has removed unused files and has counted the tombstones in the
// others. It does both in the background.
func settleDisk(t *testing.T, e *Engine) {
	t.Helper()
	e.db.TestOnlyWaitForCleaning()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		levels, err := e.db.SSTables()
		if err != nil {
			t.Fatal(err)
		}
		counted := true
		for _, level := range levels {
			for _, table := range level {
				counted = counted && table.TableStats.NumEntries > 0
			}
		}
		if counted {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the library does not count what is in its tables")
		}
	}
}

// hours moves the clock by some hours and runs the worker several times in each.
func hours(t *testing.T, e *Engine, c *turned, n int, each func()) {
	t.Helper()
	for range n {
		c.turn(time.Hour)
		if each != nil {
			each()
		}
		for range 3 {
			if err := e.aging().step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	settleDisk(t, e)
}

// TestDeletedTextGoes checks that no file contains deleted, overwritten or expired text after three
// days, and that other text remains. It covers busy servers, idle servers and restarts.
func TestDeletedTextGoes(t *testing.T) {
	k := kv.Key{Kind: "status", Shard: 500, ID: "5"}
	set := kv.Key{Kind: "tags", Shard: 500, ID: "5"}
	places := map[string]func(t *testing.T, e *Engine, c *turned){
		"log":   func(*testing.T, *Engine, *turned) {},
		"table": func(t *testing.T, e *Engine, _ *turned) { flush(t, e) },
		"last level": func(t *testing.T, e *Engine, c *turned) {
			flush(t, e)
			hours(t, e, c, 50, nil)
		},
	}
	ends := map[string][]kv.Op{
		"deleted":     {kv.Delete{Key: k}, kv.Delete{Key: set}},
		"overwritten": {kv.Put{Key: k, Data: []byte("nothing"), Version: 2}, kv.Delete{Key: set}},
		"expired":     nil,
	}
	for place, settle := range places {
		for end, ops := range ends {
			for _, mode := range []string{"busy", "idle", "restarted"} {
				t.Run(place+"/"+end+"/"+mode, func(t *testing.T) {
					t.Parallel()
					deletedTextGoes(t, set, k, settle, ops, mode)
				})
			}
		}
	}
}

func flush(t *testing.T, e *Engine) {
	t.Helper()
	if err := e.db.Flush(); err != nil {
		t.Fatal(err)
	}
}

func deletedTextGoes(t *testing.T, set, k kv.Key, settle func(*testing.T, *Engine, *turned), ops []kv.Op, mode string) {
	dir, clock := t.TempDir(), &turned{}
	opts := Options{Now: clock.now, Reserve: -1}
	e := open(t, dir, opts)
	text, member, kept := rand.Text()+rand.Text(), rand.Text()+rand.Text(), rand.Text()+rand.Text()
	put := kv.Put{Key: k, Data: []byte(text), Version: 1}
	if ops == nil {
		put.TTL = 100 * time.Hour
	}
	others := func(from int) {
		for i := range 40 {
			apply(t, e, kv.Put{Key: imageKey(from + i*25), Data: []byte(imageData(from + i*25)), Version: 1})
		}
	}
	others(0)
	apply(t, e, put, kv.Add{Key: set, Member: member, Score: 1}, kv.Put{Key: kv.Key{Kind: "status", Shard: 500, ID: "6"}, Data: []byte(kept), Version: 1})
	settle(t, e, clock)
	for _, s := range []string{text, member, kept} {
		if len(filesWith(t, dir, s)) == 0 {
			t.Fatal("a text that was written is in no file")
		}
	}
	others(5)
	if ops == nil {
		clock.turn(100 * time.Hour)
		ops = []kv.Op{kv.Delete{Key: set}}
		if _, err := e.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, e, ops...)
	n := 0
	for range 12 { // three days, and the rest of an hour
		hours(t, e, clock, 6, func() {
			if n++; mode == "busy" {
				apply(t, e, kv.Put{Key: kv.Key{Kind: "v", Shard: uint16(n * 97 % kv.Shards), ID: fmt.Sprint("busy", n%7)}, Data: []byte(strings.Repeat("x", 100)), Version: uint64(n)})
			}
		})
		if mode == "restarted" {
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			e = open(t, dir, opts)
			settleDisk(t, e)
		}
	}
	hours(t, e, clock, 1, nil)
	areGone(t, e, dir, text, member)
	holds(t, e, kv.Key{Kind: "status", Shard: 500, ID: "6"}, kept)
	for i := range 40 {
		holds(t, e, imageKey(i*25), imageData(i*25))
	}
}

// areGone waits until no file contains some texts. A table is removed only when nothing reads it.
func areGone(t *testing.T, e *Engine, dir string, texts ...string) {
	t.Helper()
	for i, text := range texts {
		files := filesWith(t, dir, text)
		for end := time.Now().Add(time.Minute); len(files) > 0 && time.Now().Before(end); files = filesWith(t, dir, text) {
			settleDisk(t, e)
		}
		if len(files) > 0 {
			t.Errorf("text %d is still in %v: %s", i+1, files, e.db.DebugString())
		}
	}
}

// holds checks that a value that was not deleted is present.
func holds(t *testing.T, e *Engine, k kv.Key, want string) {
	t.Helper()
	q := &kv.Get{Key: k}
	if err := e.Read(t.Context(), q); err != nil || string(q.Data) != want {
		t.Fatalf("what was not deleted: %q, %v", q.Data, err)
	}
}

// TestAgingEnds checks that tables are not merged repeatedly. A store without writes does no work,
// and one that only grows moves its tables down unchanged.
func TestAgingEnds(t *testing.T) {
	clock := &turned{}
	e := open(t, t.TempDir(), Options{Now: clock.now, Reserve: -1})
	work := func() [3]int64 {
		m := e.db.Metrics()
		return [3]int64{m.Flush.Count, m.Compact.Count, int64(e.files.last)}
	}
	none := work()
	hours(t, e, clock, 72, nil)
	if got := work(); got != none {
		t.Errorf("an empty store: flushes, merges and logs %v, then %v", none, got)
	}
	for i := range 200 {
		apply(t, e, kv.Put{Key: imageKey(i), Data: []byte(imageData(i)), Version: 1})
	}
	apply(t, e, kv.Delete{Key: imageKey(7)})
	hours(t, e, clock, 72, nil)
	settled := work()
	hours(t, e, clock, 240, nil)
	if got := work(); got != settled {
		t.Errorf("a store at rest: flushes, merges and logs %v, then %v", settled, got)
	}
	written := e.db.Metrics().Compact.Count
	for i := range 10 { // each in a later shard than the one before
		apply(t, e, kv.Put{Key: kv.Key{Kind: "v", Shard: uint16(900 + i), ID: "1"}, Data: []byte(imageData(i)), Version: 1})
		hours(t, e, clock, 26, nil)
	}
	m := e.db.Metrics()
	for level := range lastLevel {
		if n := m.Levels[level].TablesCount; n > 0 {
			t.Errorf("%d tables remain on level %d", n, level)
		}
	}
	if moved, merged := m.Levels[lastLevel].TablesMoved, m.Compact.Count-written; moved < 9 || merged > 12 {
		t.Errorf("%d tables were handed down, %d merges", moved, merged)
	}
}

// lines collects log lines of an engine. It is safe for concurrent use.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestAgingIsBounded checks that large ranges are cut, and that nothing is merged on a full disk.
func TestAgingIsBounded(t *testing.T) {
	clock := &turned{}
	var free atomic.Uint64
	free.Store(1 << 40)
	var said lines
	e := open(t, "db", Options{FS: vfs.NewMem(), Now: clock.now, Reserve: 1 << 20, Free: func() (uint64, error) { return free.Load(), nil },
		Logger: slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	data := make([]byte, 64<<10)
	for i := range 2 * ageBytes / len(data) {
		rand.Read(data)
		apply(t, e, kv.Put{Key: kv.Key{Kind: "v", Shard: uint16(i % kv.Shards), ID: fmt.Sprint(i)}, Data: data, Version: 1})
	}
	flush(t, e)
	from, to := []byte{0, 0, 'v'}, []byte{3, 255, 'v'}
	start, end, size, err := e.aging().rangeOf(from, to)
	if err != nil || !bytes.Equal(start, from) || bytes.Compare(end, to) >= 0 || size > ageBytes || size < ageBytes/4 {
		t.Errorf("%x to %x, %d bytes, %v", start, end, size, err)
	}
	clock.turn(2 * maxAge)
	for _, full := range []bool{true, false} {
		if full {
			free.Store(1 << 20)
		} else {
			free.Store(1 << 40)
			clock.turn(askEvery)
		}
		if err := e.aging().step(t.Context()); errors.Is(err, kv.ErrFull) != full || strings.Contains(said.String(), "compacting old table") == full {
			t.Errorf("on a disk that is full (%v): %v, %s", full, err, said.String())
		}
	}
}
