package diskkv

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
)

func feedKeyOf(i int) kv.Key {
	return kv.Key{Kind: "home", Shard: uint16(i * 7 % kv.Shards), ID: fmt.Sprint(1_000_000_000_000 + i*7919)}
}

// warmFeeds fills n feeds with FeedTrimmed ids each, the last of them FeedTrimmed.
func warmFeeds(tb testing.TB, e *Engine, n int) {
	tb.Helper()
	ids := make([]uint64, kv.FeedTrimmed)
	for i := range ids {
		ids[i] = uint64(i + 1)
	}
	for i := range n {
		k := feedKeyOf(i)
		apply(tb, e, kv.Fill{Key: k, Token: "t", TTL: time.Hour}, kv.Filled{Key: k, Token: "t", IDs: ids})
	}
}

func apply(tb testing.TB, e *Engine, changes ...kv.Op) {
	tb.Helper()
	if err := e.Apply(context.Background(), changes...); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkPush delivers one id to 1,000 full feeds in each call. Their order differs from their
// order in memory. The changes are made beforehand, because callers allocate them.
func BenchmarkPush(b *testing.B) {
	for _, feeds := range []int{1000, 20000, 100000} {
		b.Run(fmt.Sprint("feeds=", feeds), func(b *testing.B) {
			e := open(b, b.TempDir(), Options{FeedMemory: 1 << 30})
			warmFeeds(b, e, feeds)
			runtime.GC()
			const prepared = 10 // in the processor's caches, like the changes of a caller
			var rounds [prepared][]kv.Op
			var pushes [prepared][1000]kv.Push
			id, next := uint64(kv.FeedTrimmed), 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if i%prepared == 0 {
					b.StopTimer()
					for r := range rounds {
						id++
						rounds[r] = rounds[r][:0]
						for p := range pushes[r] {
							pushes[r][p] = kv.Push{Key: feedKeyOf(next * 7919 % feeds), ID: id}
							rounds[r] = append(rounds[r], &pushes[r][p])
							next++
						}
					}
					b.StartTimer()
				}
				apply(b, e, rounds[i%prepared]...)
			}
			b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds()/1e6, "Mpush/s")
		})
	}
}

// BenchmarkPost makes the writes of a post with 64 writers: status, profile, counter, idempotency
// record and task, with conditions and fsync.
func BenchmarkPost(b *testing.B) {
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprint("writers=", writers), func(b *testing.B) {
			e := open(b, b.TempDir(), Options{})
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			text := make([]byte, 360)
			var seq atomic.Uint64
			b.SetParallelism(max(1, writers/runtime.GOMAXPROCS(0)))
			if writers == 1 {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			}
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					conds, changes := post(seq.Add(1), text)
					if failed, err := e.Txn(ctx, conds, changes...); failed != -1 || err != nil {
						b.Errorf("post: %d, %v", failed, err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
		})
	}
}

func post(n uint64, text []byte) ([]kv.Cond, []kv.Op) {
	shard := uint16(n * 31 % kv.Shards)
	id := fmt.Sprint(n)
	user := fmt.Sprint(n % 5000)
	status := kv.Key{Kind: "status", Shard: shard, ID: id}
	idem := kv.Key{Kind: "idem", Shard: shard, ID: id}
	return []kv.Cond{kv.Absent(status), kv.Absent(idem)}, []kv.Op{
		kv.Put{Key: status, Data: text, Version: 1},
		kv.Put{Key: idem, Data: []byte(id), Version: 1, TTL: time.Hour},
		kv.Add{Key: kv.Key{Kind: "profile", Shard: shard, ID: user}, Member: id, Score: int64(n)},
		kv.Incr{Key: kv.Key{Kind: "counts", Shard: shard, ID: user}, Name: "statuses", By: 1},
		kv.Add{Key: kv.Key{Kind: "tasks", Shard: shard}, Member: id, Score: int64(n)},
		kv.Put{Key: kv.Key{Kind: "task", Shard: shard, ID: id}, Data: text[:100], Version: 1},
	}
}

// fillProfiles fills the sets of profiles.
func fillProfiles(tb testing.TB, e *Engine, sets, members int) {
	tb.Helper()
	for s := range sets {
		var changes []kv.Op
		for m := range members {
			changes = append(changes, kv.Add{Key: profileKey(s), Member: fmt.Sprint(113_000_000_000_000_000 + m*sets + s), Score: int64(m)})
		}
		apply(tb, e, changes...)
	}
}

func profileKey(i int) kv.Key {
	return kv.Key{Kind: "profile", Shard: uint16(i * 131 % kv.Shards), ID: fmt.Sprint(i)}
}

func BenchmarkRangePage(b *testing.B) {
	e := open(b, b.TempDir(), Options{})
	fillProfiles(b, e, 200, 500)
	ctx := context.Background()
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			q := &kv.Range{Key: profileKey(rand.IntN(200)), Desc: true, Limit: 40}
			if err := e.Read(ctx, q); err != nil || len(q.Members) != 40 {
				b.Errorf("%d members, %v", len(q.Members), err)
				return
			}
		}
	})
}

func BenchmarkFeedPage(b *testing.B) {
	e := open(b, b.TempDir(), Options{})
	warmFeeds(b, e, 1000)
	ctx := context.Background()
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			q := &kv.Feed{Key: feedKeyOf(rand.IntN(1000)), Limit: 40}
			if err := e.Read(ctx, q); err != nil || len(q.IDs) != 40 {
				b.Errorf("%d ids, %v", len(q.IDs), err)
				return
			}
		}
	})
}

// BenchmarkRebuild makes the reads that fill a cold home feed: the newest 40 posts of each of 200
// followees.
func BenchmarkRebuild(b *testing.B) {
	e := open(b, b.TempDir(), Options{})
	fillProfiles(b, e, 1000, 200)
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		qs := make([]kv.Query, 200)
		for i := range qs {
			qs[i] = &kv.Range{Key: profileKey(rand.IntN(1000)), Desc: true, Limit: 40}
		}
		if err := e.Read(ctx, qs...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkValues makes the reads of a page of 40 statuses: 40 values of 360 bytes and three
// counters of each.
func BenchmarkValues(b *testing.B) {
	e := open(b, b.TempDir(), Options{})
	const n = 20000
	text := make([]byte, 360)
	var changes []kv.Op
	for i := range n {
		_, ops := post(uint64(i), text)
		changes = append(changes, ops[0])
		if len(changes) == 1000 {
			apply(b, e, changes...)
			changes = nil
		}
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		qs := make([]kv.Query, 0, 80)
		for range 40 {
			_, ops := post(rand.Uint64N(n), text)
			k := kv.KeyOfOp(ops[0])
			qs = append(qs, &kv.Get{Key: k}, &kv.Counters{Key: kv.Key{Kind: "n", Shard: k.Shard, ID: k.ID}, Names: []string{"a", "b", "c"}})
		}
		if err := e.Read(ctx, qs...); err != nil {
			b.Fatal(err)
		}
	}
}
