package diskkv

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv"
)

// TestLate checks that listeners receive a write once it is visible if its caller has returned, and
// do not receive it otherwise.
func TestLate(t *testing.T) {
	for name, early := range map[string]bool{"left before it was visible": true, "left afterwards": false} {
		t.Run(name, func(t *testing.T) {
			e := open(t, t.TempDir(), Options{})
			k := kv.Key{Kind: "v", Shard: 3, ID: "a"}
			changes := []kv.Op{kv.Put{Key: k, Data: []byte("x"), Version: 1}, &kv.Push{Key: kv.Key{Kind: "f", Shard: 3}, ID: 1}}
			var told []kv.Key
			e.Late(func(changed []kv.Key) {
				told = append(told, changed...)
				get := &kv.Get{Key: k}
				if err := e.Read(t.Context(), get); err != nil || get.Version != 1 {
					t.Errorf("told of a write that is not visible: version %d, %v", get.Version, err)
				}
			})
			if err := e.lockShard(t.Context(), k.Shard); err != nil {
				t.Fatal(err)
			}
			b, err := e.build(changes)
			if err != nil {
				t.Fatal(err)
			}
			c := newCommit()
			if early {
				c.abandon(changes)
			}
			e.users.Add(1)
			e.carryOut(b, []uint16{k.Shard}, nil, c, true)
			c.abandon(changes)
			var want []kv.Key
			if early {
				want = []kv.Key{k}
			}
			if !slices.Equal(told, want) {
				t.Errorf("told of %v, want %v", told, want)
			}
		})
	}
}

// TestAbandonedBatches checks which keys the batches of a failed Apply report: those that are not
// visible report their own, and visible ones report none.
func TestAbandonedBatches(t *testing.T) {
	change := func(id string) []kv.Op { return []kv.Op{kv.Put{Key: kv.Key{Kind: "v", ID: id}, Version: 1}} }
	made, first, second := newCommit(), newCommit(), newCommit()
	made.markVisible()
	abandon([]batch{{[]*commit{made}, change("made")}, {[]*commit{first}, change("first")}, {[]*commit{second}, change("second")}})
	for c, want := range map[*commit]string{made: "", first: "first", second: "second"} {
		left := c.markVisible()
		if want == "" && len(left) > 0 || want != "" && (len(left) != 1 || left[0].ID != want) {
			t.Errorf("left are %v, want %q", left, want)
		}
	}
}

// lookedAt is a context that blocks its call at the first check of the context.
type lookedAt struct {
	context.Context
	first, goOn chan struct{}
}

func (c *lookedAt) Err() error {
	select {
	case <-c.first:
	default:
		close(c.first)
		<-c.goOn
	}
	return nil
}

// TestPushDuringClose checks that a push that begins during Close is refused, or is in the feed
// that the next start loads.
func TestPushDuringClose(t *testing.T) {
	opts := Options{FS: vfs.NewCrashableMem(), Reserve: -1}
	e, err := Open("d", opts)
	if err != nil {
		t.Fatal(err)
	}
	k := kv.Key{Kind: "f", Shard: 3, ID: "a"}
	apply(t, e, kv.Fill{Key: k, Token: "t", TTL: time.Hour}, kv.Filled{Key: k, Token: "t", IDs: []uint64{5}})
	ctx, pushed := &lookedAt{t.Context(), make(chan struct{}), make(chan struct{})}, make(chan error)
	go func() { pushed <- e.Apply(ctx, &kv.Push{Key: k, ID: 6}) }()
	<-ctx.first
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	close(ctx.goOn)
	acknowledged := <-pushed == nil
	if e, err = Open("d", opts); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	q := &kv.Feed{Key: k, Limit: 10}
	if err := e.Read(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if q.State != kv.Warm || !slices.Contains(q.IDs, 5) {
		t.Fatalf("the feed was not taken up: %v %v", q.State, q.IDs)
	}
	if acknowledged && !slices.Contains(q.IDs, 6) {
		t.Error("a push was acknowledged, and the feed is warm without it")
	}
}
