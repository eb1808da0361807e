package apptest

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"testing"
	"time"
)

// Crowd creates n followers of an author with the same follow time and warm home feeds. They are
// ids without accounts.
func (w *World) Crowd(author linnet.ID, n int) []linnet.ID {
	w.Helper()
	return Crowd(w, w.Store.Engine(), author, n, n)
}

// Crowd creates n followers over an engine. Groups of atOnce followers have the same follow time.
func Crowd(t testing.TB, e kv.Engine, author linnet.ID, n, atOnce int) []linnet.ID {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fans := make([]linnet.ID, n)
	var ops []kv.Op
	for i := range fans {
		fans[i] = linnet.MakeID(at.Add(time.Duration(i/kv.Shards)*time.Millisecond), uint16(i%kv.Shards), 7)
		ops = append(ops, kv.Add{Key: record.Follows().CopyKey(author), Member: fans[i].String(), Score: at.UnixMilli() + int64(i/atOnce)},
			kv.Add{Key: record.Follows().OwnedKey(fans[i]), Member: author.String(), Score: at.UnixMilli()},
			kv.Fill{Key: record.HomeKey(fans[i]), Token: "t", TTL: time.Minute},
			kv.Filled{Key: record.HomeKey(fans[i]), Token: "t"})
		if len(ops) > kv.MaxApply-4 || i == n-1 {
			if err := e.Apply(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
			ops = nil
		}
	}
	return fans
}

// HomeFeeds reads the home feeds of many users.
func (w *World) HomeFeeds(of []linnet.ID) [][]linnet.ID {
	w.Helper()
	b := w.Store.Batch()
	pages := make([]*db.FeedPage, len(of))
	for i, id := range of {
		pages[i] = b.Feed(record.HomeKey(id), db.Span{Limit: kv.MaxRange})
	}
	if err := b.Run(w.Ctx); err != nil {
		w.Fatal(err)
	}
	out := make([][]linnet.ID, len(of))
	for i, p := range pages {
		if p.Cold || p.Filling {
			w.Fatalf("the feed of follower %d is cold", i)
		}
		out[i] = p.IDs()
	}
	return out
}

// RepeatTask stores a task again, as if a worker had delayed it.
func (w *World) RepeatTask(kind string, args any) {
	w.Helper()
	tk, err := task.New(3, kind, args, w.Store.Now().Add(-time.Hour))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := w.Store.Engine().Txn(w.Ctx, nil, tk.Ops()...); err != nil {
		w.Fatal(err)
	}
}

// HasFollowed makes a user follow n ids without accounts.
func (w *World) HasFollowed(me linnet.ID, n int) {
	w.Helper()
	var ops []kv.Op
	for i := range n {
		ops = append(ops, kv.Add{Key: record.Follows().OwnedKey(me), Member: linnet.MakeID(time.UnixMilli(1e12), uint16(i%kv.Shards), uint8(i/kv.Shards)).String(), Score: 1})
		if len(ops) == 900 || i == n-1 {
			if i == n-1 {
				ops = append(ops, kv.Incr{Key: kv.Key{Kind: "counts", Shard: me.Shard(), ID: me.String()}, Name: "following", By: int64(n)})
			}
			if _, err := w.Store.Engine().Txn(w.Ctx, nil, ops...); err != nil {
				w.Fatal(err)
			}
			ops = nil
		}
	}
}
