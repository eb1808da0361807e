package feeds

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"linnet/internal/kv"
)

func keyOf(i int) kv.Key {
	return kv.Key{Kind: "home", Shard: uint16(i * 7 % kv.Shards), ID: fmt.Sprint(1_000_000_000_000 + i*7919)}
}

func full() []uint64 {
	ids := make([]uint64, kv.FeedTrimmed)
	for i := range ids {
		ids[i] = uint64(i + 1)
	}
	return ids
}

// warm fills the feed of k.
func (fs *Feeds) warm(k kv.Key, ids []uint64) {
	fs.Change([]kv.Op{kv.Fill{Key: k, Token: "t", TTL: time.Hour}, kv.Filled{Key: k, Token: "t", IDs: ids}})
}

func (fs *Feeds) state(k kv.Key) kv.FeedState {
	q := &kv.Feed{Key: k, Limit: 1}
	fs.Page(q)
	return q.State
}

// TestMemoryIsBounded fills far more feeds than fit. Feeds that are read from time to time stay.
func TestMemoryIsBounded(t *testing.T) {
	const limit, feeds, hot = 4 << 20, 2000, 20
	fs := New(limit, 0, time.Now)
	ids := full()
	for i := range feeds {
		fs.warm(keyOf(i), ids)
		if got := fs.Bytes(); got > limit {
			t.Fatalf("%d bytes after %d feeds, the limit is %d", got, i+1, limit)
		}
		if i%50 == 0 {
			for j := range min(i, hot) {
				if fs.state(keyOf(j)) != kv.Warm {
					t.Fatalf("feed %d is read often and was forgotten after %d", j, i)
				}
			}
		}
	}
	warm := 0
	for i := range feeds {
		if fs.state(keyOf(i)) == kv.Warm {
			warm++
		}
	}
	if least := limit / 10_000 * 9 / 10; warm < least {
		t.Errorf("%d feeds are warm, at least %d fit", warm, least)
	}
	for i := range feeds {
		fs.Change([]kv.Op{kv.Delete{Key: keyOf(i)}})
	}
	if got := fs.Bytes(); got != 0 {
		t.Errorf("%d bytes are counted where no feed is", got)
	}
}

// TestBytes measures the memory of the ids of full feeds.
func TestBytes(t *testing.T) {
	const feeds = 2000
	heap := func() int64 {
		for range 3 { // pools are emptied by the second collection
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	fs, ids := New(1<<30, 0, time.Now), full()
	before := heap()
	for i := range feeds {
		fs.warm(keyOf(i), ids)
	}
	used := heap() - before
	perID := float64(used) / feeds / kv.FeedTrimmed
	t.Logf("%.2f bytes an id, %.2f counted", perID, float64(fs.Bytes())/feeds/kv.FeedTrimmed)
	if perID > 10 {
		t.Errorf("%.2f bytes an id", perID)
	}
	if counted := fs.Bytes(); counted < used*95/100 || counted > used*110/100 {
		t.Errorf("%d bytes are counted, %d are used", counted, used)
	}
	runtime.KeepAlive(fs)
}

// TestBytesAreCounted performs all changes that affect the size.
func TestBytesAreCounted(t *testing.T) {
	fs := New(1<<30, 0, time.Now)
	k := keyOf(1)
	var many []uint64
	for i := range kv.FeedMax {
		many = append(many, uint64(2*i+1))
	}
	steps := []kv.Op{
		kv.Fill{Key: k, Token: "a", TTL: time.Hour}, &kv.Push{Key: k, ID: 5}, kv.Merge{Key: k, IDs: many},
		kv.Filled{Key: k, Token: "a", IDs: many, Floor: 3}, &kv.Push{Key: k, ID: 4}, &kv.Push{Key: k, ID: 100},
		kv.Pull{Key: k, ID: 100}, kv.Merge{Key: k, IDs: many[:10]}, kv.Merge{Key: k, IDs: []uint64{9999, 1 << 40}},
	}
	for i := range 3 * lateIDs { // newer ids, one of three late
		steps = append(steps, &kv.Push{Key: k, ID: uint64(1<<41 + 3*i - i%3*4)})
	}
	for i, s := range steps {
		fs.Change([]kv.Op{s})
		var want int64
		for n := range fs.stripes {
			for _, at := range fs.stripes[n].index.slots {
				f := at.feed
				if f == nil {
					continue
				}
				want += size(f)
				all := append(slices.Clone(f.ids), f.late[:f.lates]...)
				if !slices.IsSorted(all) || f.newest != slices.Max(append(all, 0)) || int(f.count) != len(all) {
					t.Fatalf("after step %d: newest %d, %d of %v and %v", i, f.newest, f.count, f.ids, f.late[:f.lates])
				}
			}
		}
		if got := fs.Bytes(); got != want {
			t.Fatalf("after step %d: %d bytes counted, %d are there", i, got, want)
		}
	}
}

// TestPushAllocatesNothing checks that a fan-out allocates nothing beyond its caller's changes.
func TestPushAllocatesNothing(t *testing.T) {
	fs, ids := New(1<<30, 0, time.Now), full()
	var changes []kv.Op
	for i := range 100 {
		fs.warm(keyOf(i), ids)
		changes = append(changes, &kv.Push{Key: keyOf(i), ID: 5000})
	}
	if n := testing.AllocsPerRun(20, func() { fs.ChangeFirst(changes) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSweepForgetsUnread checks that Sweep frees the memory of unread feeds.
func TestSweepForgetsUnread(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	fs := New(1<<20, 30*24*time.Hour, func() time.Time { return now })
	read, unread := kv.Key{Kind: "home", Shard: 1, ID: "a"}, kv.Key{Kind: "home", Shard: 1, ID: "b"}
	for _, k := range []kv.Key{read, unread} {
		fs.warm(k, []uint64{1})
	}
	for range 2 {
		now = now.Add(20 * 24 * time.Hour)
		if fs.state(read) != kv.Warm {
			t.Fatal("a feed that is read was forgotten")
		}
	}
	fs.Sweep()
	if !fs.Has(read) || fs.Has(unread) {
		t.Errorf("after a sweep there is the one that is read: %v; the other: %v", fs.Has(read), fs.Has(unread))
	}
}
