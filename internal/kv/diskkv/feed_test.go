package diskkv

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
)

func stateOf(t testing.TB, e *Engine, k kv.Key) kv.FeedState {
	t.Helper()
	q := &kv.Feed{Key: k, Limit: 1}
	if err := e.Read(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	return q.State
}

// TestFeedMemoryIsBounded fills far more feeds than fit. Those that are read now
// and then stay.
func TestFeedMemoryIsBounded(t *testing.T) {
	const limit, feeds, hot = 4 << 20, 2000, 20
	e := open(t, t.TempDir(), Options{FeedMemory: limit})
	ids := make([]uint64, kv.FeedKeep)
	for i := range ids {
		ids[i] = uint64(i + 1)
	}
	for i := range feeds {
		k := feedKeyOf(i)
		apply(t, e, kv.Fill{Key: k, Token: "t", TTL: time.Hour}, kv.Filled{Key: k, Token: "t", IDs: ids})
		if got := e.feeds.bytes.Load(); got > limit {
			t.Fatalf("%d bytes after %d feeds, the limit is %d", got, i+1, limit)
		}
		if i%50 == 0 {
			for j := range min(i, hot) {
				if stateOf(t, e, feedKeyOf(j)) != kv.Warm {
					t.Fatalf("feed %d is read often and was forgotten after %d", j, i)
				}
			}
		}
	}
	warm := 0
	for i := range feeds {
		if stateOf(t, e, feedKeyOf(i)) == kv.Warm {
			warm++
		}
	}
	if least := limit / 10_000 * 9 / 10; warm < least {
		t.Errorf("%d feeds are warm, at least %d fit", warm, least)
	}
	for i := range feeds {
		apply(t, e, kv.Delete{Key: feedKeyOf(i)})
	}
	if got := e.feeds.bytes.Load(); got != 0 {
		t.Errorf("%d bytes are counted where no feed is", got)
	}
}

// TestFeedBytes measures what the ids of full feeds take.
func TestFeedBytes(t *testing.T) {
	const feeds = 2000
	e := open(t, t.TempDir(), Options{FeedMemory: 1 << 30})
	heap := func() int64 {
		for range 3 { // pools let go at the second collection
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	warmFeeds(t, e, feeds)
	used := heap() - before
	perID := float64(used) / feeds / kv.FeedKeep
	t.Logf("%.2f bytes an id, %.2f counted", perID, float64(e.feeds.bytes.Load())/feeds/kv.FeedKeep)
	if perID > 10 {
		t.Errorf("%.2f bytes an id", perID)
	}
	if counted := e.feeds.bytes.Load(); counted < used*95/100 || counted > used*110/100 {
		t.Errorf("%d bytes are counted, %d are used", counted, used)
	}
	runtime.KeepAlive(e)
}

// TestFeedCountsItsBytes goes through everything that changes the size.
func TestFeedCountsItsBytes(t *testing.T) {
	e := open(t, t.TempDir(), Options{})
	k := feedKeyOf(1)
	var many []uint64
	for i := range kv.FeedMax {
		many = append(many, uint64(2*i+1))
	}
	steps := []kv.Op{
		kv.Fill{Key: k, Token: "a", TTL: time.Hour}, &kv.Push{Key: k, ID: 5}, kv.Merge{Key: k, IDs: many},
		kv.Filled{Key: k, Token: "a", IDs: many, Floor: 3}, &kv.Push{Key: k, ID: 4}, &kv.Push{Key: k, ID: 100},
		kv.Pull{Key: k, ID: 100}, kv.Merge{Key: k, IDs: many[:10]}, kv.Merge{Key: k, IDs: []uint64{9999, 1 << 40}},
	}
	for i := range 3 * lateIDs { // newer ones, one of three late
		steps = append(steps, &kv.Push{Key: k, ID: uint64(1<<41 + 3*i - i%3*4)})
	}
	for i, s := range steps {
		apply(t, e, s)
		var want int64
		for sh := range e.feeds.stripes {
			for _, at := range e.feeds.stripes[sh].index.slots {
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
		if got := e.feeds.bytes.Load(); got != want {
			t.Fatalf("after step %d: %d bytes counted, %d are there", i, got, want)
		}
	}
}

// TestPushAllocatesNothing: a fan-out makes no garbage but what its caller makes.
func TestPushAllocatesNothing(t *testing.T) {
	e := open(t, t.TempDir(), Options{})
	warmFeeds(t, e, 100)
	var changes []kv.Op
	for i := range 100 {
		changes = append(changes, &kv.Push{Key: feedKeyOf(i), ID: 5000})
	}
	ctx := context.Background()
	if n := testing.AllocsPerRun(20, func() { e.Apply(ctx, changes...) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSweepForgetsUnread: what nobody asks for gives its memory back too.
func TestSweepForgetsUnread(t *testing.T) {
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	clock := func() time.Time { defer mu.Unlock(); mu.Lock(); return now }
	e := open(t, t.TempDir(), Options{FeedTTL: 30 * 24 * time.Hour, Now: clock})
	read, unread := kv.Key{Kind: "home", Shard: 1, ID: "a"}, kv.Key{Kind: "home", Shard: 1, ID: "b"}
	for _, k := range []kv.Key{read, unread} {
		err := e.Apply(t.Context(), kv.Fill{Key: k, Token: "t", TTL: time.Minute}, kv.Filled{Key: k, Token: "t", IDs: []uint64{1}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		mu.Lock()
		now = now.Add(20 * 24 * time.Hour)
		mu.Unlock()
		if stateOf(t, e, read) != kv.Warm {
			t.Fatal("a feed that is read was forgotten")
		}
	}
	e.sweepAll()
	if !e.feeds.has(read) || e.feeds.has(unread) {
		t.Errorf("after a sweep there is the one that is read: %v; the other: %v", e.feeds.has(read), e.feeds.has(unread))
	}
}
