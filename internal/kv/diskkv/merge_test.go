package diskkv

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"linnet/internal/kv"
)

// TestBoundsOfMerges checks that merges do not rewrite all existing data. Each action creates and
// removes a task, and the queue of the search index is in a few places for all actions. Merges
// write 80 to 180 MB here, and 670 to 790 with the library's threshold.
func TestBoundsOfMerges(t *testing.T) {
	if testing.Short() {
		t.Skip("writes half a gigabyte")
	}
	e := open(t, t.TempDir(), Options{Sync: SyncInterval, Reserve: 64 << 20}) // so memory tables have 4 MiB
	chance := rand.New(rand.NewPCG(1, 1))
	body := make([]byte, 400)
	status := func(i int) kv.Put {
		for n := range body {
			body[n] = byte(chance.Uint32()) // incompressible
		}
		return kv.Put{Key: kv.Key{Kind: "status", Shard: uint16(chance.IntN(kv.Shards)), ID: fmt.Sprint(i)}, Data: append([]byte(nil), body...), Version: 1}
	}
	const there, acts, batch = 240_000, 40_000, 250
	for i := 0; i < there; i += batch {
		var ops []kv.Op
		for n := range batch {
			ops = append(ops, status(i+n))
		}
		apply(t, e, ops...)
	}
	if err := e.db.Compact(t.Context(), []byte{0}, bytes.Repeat([]byte{0xff}, 8), false); err != nil { // as after some time
		t.Fatal(err)
	}
	before := e.merged(t)
	for i := 0; i < acts; i += batch {
		var begin, end []kv.Op
		for n := range batch {
			s := status(there + i + n)
			task := kv.Key{Kind: "task", Shard: s.Key.Shard, ID: s.Key.ID}
			due := kv.Key{Kind: "tasks", Shard: s.Key.Shard}
			queue := kv.Key{Kind: "searchqueue", Shard: s.Key.Shard / 64 * 64}
			begin = append(begin, s, kv.Put{Key: task, Data: body[:120], Version: 1}, kv.Add{Key: due, Member: task.ID, Score: int64(i)})
			end = append(end, kv.Delete{Key: task}, kv.Remove{Key: due, Member: task.ID})
			for j := range 8 {
				m := fmt.Sprint(s.Key.ID, ".", j)
				begin, end = append(begin, kv.Add{Key: queue, Member: m, Score: int64(i)}), append(end, kv.Remove{Key: queue, Member: m})
			}
		}
		apply(t, e, begin...)
		apply(t, e, end...)
	}
	anew := e.merged(t) - before
	t.Logf("for %d kB of statuses %d kB of the lowest level were written", acts*len(body)>>10, anew>>10)
	if anew > 20*int64(acts*len(body)) {
		t.Error(e.db.Metrics())
	}
}

// TestCacheBesideTables checks that memory tables do not reduce the configured cache.
func TestCacheBesideTables(t *testing.T) {
	const cache = 8 << 20
	e := open(t, t.TempDir(), Options{Sync: SyncInterval, Cache: cache})
	const size, batch = 4 << 10, 256 // small, because the cache has many parts
	for i := 0; i < 4*cache/size; i += batch {
		var ops []kv.Op
		for n := range batch {
			data := make([]byte, size)
			rand.NewChaCha8([32]byte{byte(n), byte(i / batch)}).Read(data)
			ops = append(ops, kv.Put{Key: kv.Key{Kind: "v", ID: fmt.Sprint(i + n)}, Data: data, Version: 1})
		}
		apply(t, e, ops...)
	}
	if err := e.db.Flush(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; { // tables that a merge still reads are released a moment later
		for i := range 4 * cache / size {
			if err := e.Read(t.Context(), &kv.Get{Key: kv.Key{Kind: "v", ID: fmt.Sprint(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		holds := e.db.Metrics().BlockCache.Size
		if holds >= cache/2 && holds <= cache+2*int64(e.opts.memTable()) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the cache holds %d bytes of %d\n%s", holds, cache, e.db.Metrics())
		}
	}
}

// merged returns the bytes that merges have written to the lowest level, once no merges are
// pending.
func (e *Engine) merged(t *testing.T) int64 {
	t.Helper()
	if err := e.db.Flush(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		m := e.db.Metrics()
		if m.Compact.NumInProgress == 0 && m.Compact.EstimatedDebt == 0 {
			return int64(m.Levels[len(m.Levels)-1].TableBytesCompacted)
		}
		if time.Now().After(end) {
			t.Fatalf("merges do not end:\n%s", m)
		}
	}
}
