package feeds

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"linnet/internal/kv"
)

// TestIndexIsAMap adds and removes random feeds, with equal hashes and hashes near the end of the
// table, and compares the index with a map.
func TestIndexIsAMap(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		var x index
		want := map[*feed]uint64{}
		var all []*feed
		for range 3000 {
			if r.IntN(100) < 45 && len(all) > 0 {
				i := r.IntN(len(all))
				one := all[i]
				all = slices.Delete(all, i, i+1)
				if !x.remove(want[one], one) || x.remove(want[one], one) {
					t.Fatal("a feed is not removed, or twice")
				}
				delete(want, one)
			} else {
				f, hash := &feed{}, uint64(r.IntN(40))-20 // around 0, so that probing wraps around
				x.add(hash, f)
				want[f], all = hash, append(all, f)
			}
			if x.n != len(want) {
				t.Fatalf("%d feeds are counted, there are %d", x.n, len(want))
			}
		}
		for f, hash := range want {
			at, i := x.find(hash, int(hash))
			for at != nil && at != f {
				at, i = x.find(hash, i+1)
			}
			if at != f || !x.taken(hash) {
				t.Fatalf("a feed with hash %d is not found", hash)
			}
		}
		if f, _ := x.find(1000, 1000); f != nil {
			t.Fatal("what was never added is found")
		}
	}
	var none index
	if f, _ := none.find(1, 1); f != nil || none.taken(1) || none.remove(1, &feed{}) {
		t.Error("something is found where nothing is")
	}
}

// TestFeedsOfOneHash checks that feeds with the same hash are distinguished, also in batches of
// pushes, and can be removed separately.
func TestFeedsOfOneHash(t *testing.T) {
	fs := New(1<<20, 0, time.Now)
	one, other := kv.Key{Kind: "home", ID: "x:1"}, kv.Key{Kind: "home", ID: "y"}
	fs.warm(one, nil)
	fs.warm(other, nil)
	s, hash := &fs.stripes[0], fs.hash(one)
	f := s.look(fs.hash(other), other)
	s.index.remove(fs.hash(other), f)
	f.key = keyText(kv.Key{Kind: "homex", ID: "1"}) // as if the hashes were equal
	s.index.add(hash, f)
	fs.ChangeFirst([]kv.Op{&kv.Push{Key: one, ID: 7}, &kv.Push{Key: one, ID: 8}, &kv.Push{Key: kv.Key{Kind: "home", ID: "z"}, ID: 9}})
	if f.count != 0 {
		t.Error("a push has reached the feed of another key")
	}
	q := &kv.Feed{Key: one, Limit: 9}
	if fs.Page(q); !slices.Equal(q.IDs, []uint64{8, 7}) {
		t.Errorf("the feed holds %v", q.IDs)
	}
	if f.named(kv.Key{Kind: "homex", Shard: 64, ID: "1"}) || f.named(kv.Key{Kind: "home", ID: "x:1"}) || f.named(kv.Key{Kind: "home", ID: ":1"}) || !f.named(kv.Key{Kind: "homex", ID: "1"}) {
		t.Error("shards, kinds and ids are not told apart")
	}
	fs.Change([]kv.Op{kv.Delete{Key: one}})
	if s.look(hash, one) != nil || s.look(hash, kv.Key{Kind: "homex", ID: "1"}) != f {
		t.Error("the wrong feed is gone")
	}
}

// TestFeedFitsItsLines checks the size that lateIDs assumes.
func TestFeedFitsItsLines(t *testing.T) {
	if n := unsafe.Sizeof(feed{}); n != 128 {
		t.Errorf("a feed takes %d bytes", n)
	}
}
