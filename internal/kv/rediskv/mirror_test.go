package rediskv_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// keeping is an engine that keeps feeds.
var keeping = rediskv.Options{KeepFeeds: 8 << 20}

// ids reads the newest ids of a feed.
func ids(t testing.TB, e kv.Store, k kv.Key, limit int) []uint64 {
	t.Helper()
	q := &kv.Feed{Key: k, Limit: limit}
	if err := e.Read(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q.IDs
}

// kept reads until the server is not asked for the feed any more.
func kept(t *testing.T, s *redistest.Server, e kv.Store, k kv.Key) {
	t.Helper()
	until(t, "kept", func() bool {
		before := commands(t, s)["lrange"]
		ids(t, e, k, 60)
		return commands(t, s)["lrange"] == before
	})
}

// The suite of all engines, with feeds kept.
func TestSuiteKeepingFeeds(t *testing.T) {
	s := redistest.Start(t)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		s.Do("FLUSHALL")
		return open(t, s.URL(), keeping)
	}, kvtest.Caps{FeedsMayPersist: true})
}

// A feed that is only read lives on.
func TestKeptFeedsLiveOn(t *testing.T) {
	s := redistest.Start(t)
	const life = time.Second
	e := open(t, s.URL(), rediskv.Options{KeepFeeds: keeping.KeepFeeds, FeedTTL: life})
	k := key("home", 3, "a")
	warm(t, e, k, 10, someID)
	for end := time.Now().Add(2 * life); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if got := ids(t, e, k, 60); len(got) != 10 {
			t.Fatalf("a feed that is read all the time has %d ids", len(got))
		}
	}
}

// What is kept answers pages of its length and shorter, and others are asked for.
func TestKeptPages(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), keeping)
	k := key("home", 3, "a")
	warm(t, e, k, 300, someID)
	kept(t, s, e, k)
	s.Do("CONFIG", "RESETSTAT")
	for _, limit := range []int{60, 1, 59} {
		if got := ids(t, e, k, limit); len(got) != limit || got[0] != someID {
			t.Errorf("limit %d: %d ids", limit, len(got))
		}
	}
	if n := commands(t, s)["lrange"]; n > 0 {
		t.Errorf("the server was asked %d times", n)
	}
	got := ids(t, e, k, 60)
	clear(got) // is the caller's
	if got := ids(t, e, k, 61); len(got) != 61 || got[0] != someID {
		t.Errorf("limit 61: %d ids", len(got))
	}
	// Behind a query of its shard a feed is not answered from what was read before it.
	s.Do("CONFIG", "RESETSTAT")
	if err := e.Read(t.Context(), &kv.Get{Key: key("v", 3, "a")}, &kv.Feed{Key: k, Limit: 60}); err != nil || commands(t, s)["lrange"] != 1 {
		t.Errorf("behind another query: %v, %v", err, commands(t, s))
	}
}

// Whatever changes a feed, the next read of the same engine sees it.
func TestKeptFeedsAreNeverStale(t *testing.T) {
	s := redistest.Start(t)
	e, plain := open(t, s.URL(), keeping), open(t, s.URL(), rediskv.Options{})
	rnd := rand.New(rand.NewPCG(1, 2))
	feeds := make([]kv.Key, 4)
	for i := range feeds {
		feeds[i] = key("home", 3, fmt.Sprint(i))
	}
	for i := range 1500 {
		k, id := feeds[rnd.IntN(len(feeds))], uint64(1+rnd.IntN(100))
		change := []kv.Op{&kv.Push{Key: k, ID: id}, &kv.Push{Key: k, ID: id}, kv.Pull{Key: k, ID: id}, kv.Merge{Key: k, IDs: []uint64{id, id + 1}}, kv.Delete{Key: k},
			kv.Fill{Key: k, Token: "t", TTL: time.Hour}, kv.Filled{Key: k, Token: "t", IDs: []uint64{id}, Floor: 3}}[rnd.IntN(7)]
		if rnd.IntN(2) == 0 {
			mustTxn(t, e, nil, change)
		} else if err := e.Apply(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		for _, k := range feeds {
			q, want := kv.Feed{Key: k, Limit: 60}, kv.Feed{Key: k, Limit: 60}
			if err := errors.Join(e.Read(t.Context(), &q), plain.Read(t.Context(), &want)); err != nil {
				t.Fatal(err)
			}
			if q.State != want.State || q.Floor != want.Floor || !slices.Equal(q.IDs, want.IDs) {
				t.Fatalf("after %d changes, the last %+v, %v reads as %+v instead of %+v", i+1, change, k, q, want)
			}
		}
	}
}

// Readers race with writers: what was pushed before a read began is there.
func TestKeptFeedsUnderWrites(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), keeping)
	var wg sync.WaitGroup
	for i := range 4 {
		k := key("home", uint16(i), "a")
		warm(t, e, k, 10, 10*65_536)
		for range 2 {
			wg.Go(func() {
				for range 300 {
					e.Read(t.Context(), &kv.Feed{Key: k, Limit: 60})
				}
			})
		}
		wg.Go(func() {
			for n := range uint64(150) {
				id := someID + n
				if err := e.Apply(t.Context(), &kv.Push{Key: k, ID: id}); err != nil {
					t.Error(err)
				}
				q := &kv.Feed{Key: k, Limit: 60}
				if err := e.Read(t.Context(), q); err != nil || q.IDs[0] != id {
					t.Errorf("after the push of %d the newest is %v, %v", id, q.IDs, err)
				}
			}
		})
	}
	wg.Wait()
}

// hearsOthers changes feeds of many shards by another engine.
func hearsOthers(t *testing.T, e, other kv.Store, last uint64) {
	t.Helper()
	for shard := uint16(0); shard < kv.Shards; shard += 50 {
		k := key("home", shard, "a")
		warm(t, other, k, 10, someID)
		for range 3 {
			ids(t, e, k, 60)
		}
		if err := other.Apply(t.Context(), &kv.Push{Key: k, ID: last}); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		until(t, "the push of another", func() bool { return ids(t, e, k, 60)[0] == last })
		if took := time.Since(begin); took > 5*time.Second { // then it was not heard but grew old
			t.Errorf("the push of another was seen after %v", took)
		}
	}
}

func TestKeptFeedsHearOthers(t *testing.T) {
	t.Run("single", func(t *testing.T) {
		s := redistest.Start(t)
		opts := keeping
		opts.Prefix = "p:"
		hearsOthers(t, open(t, s.URL(), opts), open(t, s.URL(), rediskv.Options{Prefix: "p:"}), someID+1)
	})
	t.Run("cluster", func(t *testing.T) {
		url := redistest.Cluster(t, 3, 0).URL()
		hearsOthers(t, open(t, url, keeping), open(t, url, rediskv.Options{}), someID+1)
	})
}

// A server that died, and whose feeds have changed when it is back: nothing of
// before is shown. One that stands still is not believed for long.
func TestKeptFeedsOfALostServer(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	e := open(t, s.URL(), keeping)
	k := key("home", 3, "a")
	warm(t, e, k, 10, someID)
	kept(t, s, e, k)
	s.Kill()
	until(t, "an error", func() bool { return e.Read(t.Context(), &kv.Feed{Key: k, Limit: 60}) != nil })
	s.Begin() // it keeps nothing on disk
	until(t, "back", func() bool { return e.Ping(t.Context()) == nil })
	if got := ids(t, e, k, 60); len(got) > 0 {
		t.Errorf("after the server has forgotten the feed: %v", got)
	}
	hearsOthers(t, e, open(t, s.URL(), rediskv.Options{}), someID+2)
	warm(t, e, k, 10, someID)
	kept(t, s, e, k)
	s.Stop()
	defer s.Continue()
	until(t, "an error", func() bool { return e.Read(t.Context(), &kv.Feed{Key: k, Limit: 60}) != nil })
}

// However many feeds are read, they take no more memory than they may.
func TestKeptFeedsAreBounded(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{KeepFeeds: 64 * 1500}) // two feeds a part
	for i := range 20 {
		k := key("home", 3, fmt.Sprint(i))
		warm(t, e, k, 100, someID)
		ids(t, e, k, 60)
	}
	s.Do("CONFIG", "RESETSTAT")
	for i := range 20 {
		ids(t, e, key("home", 3, fmt.Sprint(i)), 60)
	}
	if n := commands(t, s)["lrange"]; n < 18 {
		t.Errorf("%d of 20 feeds were asked for again", n)
	}
}

// A kept feed whose slot moves to another master, and there changes.
func TestKeptFeedsThatMove(t *testing.T) {
	n := redistest.Cluster(t, 2, 0)
	e, other := open(t, n.URL(), keeping), open(t, n.URL(), rediskv.Options{})
	k := key("home", 20, "a")
	warm(t, other, k, 10, someID)
	last := uint64(someID)
	push := func(when string) {
		t.Helper()
		last++
		if err := other.Apply(t.Context(), &kv.Push{Key: k, ID: last}); err != nil {
			t.Fatal(err)
		}
		until(t, when, func() bool { return ids(t, e, k, 60)[0] == last })
		for range 3 {
			ids(t, e, k, 60)
		}
	}
	m := newMover(t, n, 20)
	push("at the old master:")
	m.begin()
	push("before the key moves:")
	m.move(k.String())
	push("after the key has moved:")
	m.end()
	for range 3 {
		push("at the new master:")
	}
}

// A kept feed whose master dies, and that changes at the replica that takes over.
func TestKeptFeedsAfterFailover(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	n := redistest.Cluster(t, 3, 3)
	e, other := open(t, n.URL(), keeping), open(t, n.URL(), rediskv.Options{WaitReplicas: 1})
	plain := open(t, n.URL(), rediskv.Options{}) // a master that was a replica has none to wait for
	var feeds []kv.Key
	for shard := uint16(0); shard < kv.Shards; shard += 100 { // of all masters
		k := key("home", shard, "a")
		warm(t, other, k, 10, someID)
		for range 3 {
			ids(t, e, k, 60)
		}
		feeds = append(feeds, k)
	}
	n.Masters[0].Kill()
	for _, k := range feeds {
		until(t, "a push after the failover", func() bool { return plain.Apply(t.Context(), &kv.Push{Key: k, ID: someID + 1}) == nil })
		until(t, "its sight", func() bool {
			q := &kv.Feed{Key: k, Limit: 60}
			return e.Read(t.Context(), q) == nil && len(q.IDs) > 0 && q.IDs[0] == someID+1
		})
	}
}
