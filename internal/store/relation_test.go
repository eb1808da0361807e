package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/relations"
)

// pair is a relation of two users, read from both sides.
type pair struct {
	*testing.T
	s    *store.Store
	e    kv.Engine
	a, b linnet.ID
}

func newPair(t *testing.T, e kv.Engine, opt store.Options) *pair {
	p := &pair{T: t, s: store.New(e, opt), e: e, a: linnet.MakeID(time.UnixMilli(1e12), 3, 1), b: linnet.MakeID(time.UnixMilli(1e12), 900, 2)}
	for i := range linnet.ID(3) { // the followed users exist
		id := p.b + i
		err := e.Apply(t.Context(), kv.Put{Key: kv.Key{Kind: "user", Shard: id.Shard(), ID: id.String()}, Data: []byte("{}"), Version: 1})
		if err != nil {
			t.Fatal(err)
		}
	}
	if f, ok := e.(*faultkv.Engine); ok {
		f.Reset()
	}
	return p
}

func (p *pair) set(live bool) bool {
	p.Helper()
	did, err := p.s.Relations.SetRelation(p.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: p.b, Live: live})
	if err != nil {
		p.Fatal(err)
	}
	return did.Changed
}

func (p *pair) copy() relations.CopyResult {
	p.Helper()
	did, err := p.s.Relations.CopyRelation(p.Context(), record.Follows(), p.a, p.b, relations.Transition{}, nil)
	if err != nil {
		p.Fatal(err)
	}
	return did
}

// sides returns the relation at each side, and both counters.
func (p *pair) sides() (owner, other bool, following, followers int64) {
	p.Helper()
	own := &kv.Scores{Key: record.Follows().OwnedKey(p.a), Members: []string{p.b.String()}}
	cop := &kv.Scores{Key: record.Follows().CopyKey(p.b), Members: []string{p.a.String()}}
	ca := &kv.Counters{Key: kv.Key{Kind: "counts", Shard: p.a.Shard(), ID: p.a.String()}, Names: []string{"following"}}
	cb := &kv.Counters{Key: kv.Key{Kind: "counts", Shard: p.b.Shard(), ID: p.b.String()}, Names: []string{"followers"}}
	if err := p.e.Read(p.Context(), own, cop, ca, cb); err != nil {
		p.Fatal(err)
	}
	return own.Found[0], cop.Found[0], ca.Values[0], cb.Values[0]
}

// mustBe fails unless both sides and both counters correspond to live.
func (p *pair) mustBe(live bool) {
	p.Helper()
	n := int64(0)
	if live {
		n = 1
	}
	if owner, other, following, followers := p.sides(); owner != live || other != live || following != n || followers != n {
		p.Errorf("owner %v, other %v, following %d, followers %d; want %v", owner, other, following, followers, live)
	}
}

// TestEdgeConverges checks that both sides end as the owner last set them, with late and repeated
// tasks in any order.
func TestEdgeConverges(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
		tasks, live := 0, false
		for range 2 + rnd.IntN(8) {
			if rnd.IntN(2) == 0 {
				wish := rnd.IntN(2) == 0
				if changed := p.set(wish); changed != (wish != live) {
					t.Fatalf("seed %d: changed %v", seed, changed)
				}
				live = wish
				tasks += 1 + rnd.IntN(2) // each task runs once or twice
			} else if tasks > 0 {
				p.copy()
				tasks--
			}
		}
		p.copy()
		p.mustBe(live)
		if did := p.copy(); did.Changed || did.Live != live {
			t.Errorf("seed %d: a repeat did %+v", seed, did)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestEdgeConvergesUnderRaces checks the same for concurrent changes of one pair.
func TestEdgeConvergesUnderRaces(t *testing.T) {
	p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
	done := make(chan error)
	for i := range 16 {
		go func() {
			var err error
			for n := 0; n < 40 && err == nil; n++ {
				_, err = p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: p.b, Live: (i+n)%2 == 0})
				if err == nil {
					_, err = p.s.Relations.CopyRelation(t.Context(), record.Follows(), p.a, p.b, relations.Transition{}, nil)
				}
			}
			done <- err
		}()
	}
	for range 16 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	owner, _, _, _ := p.sides()
	p.copy()
	p.mustBe(owner)
}

// TestEdgeWritesFail checks that a repeated act ends correctly and reports each change once,
// whichever write fails, before or after it is made.
func TestEdgeWritesFail(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprint(when, n), func(t *testing.T) {
				e := faultkv.New(memkv.New(memkv.Options{}))
				p := newPair(t, e, store.Options{})
				e.FailAt(n, when)
				reported := 0
				for _, live := range []bool{true, false} {
					for range 3 {
						did, err := p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: p.b, Live: live})
						if did.Changed {
							reported++
						}
						if _, cerr := p.s.Relations.CopyRelation(t.Context(), record.Follows(), p.a, p.b, relations.Transition{}, nil); err == nil && cerr == nil {
							break
						}
					}
					p.mustBe(live)
				}
				if reported != 2 {
					t.Errorf("%d changes were reported, want 2", reported)
				}
			})
		}
	}
}

// TestTombstonesExpire checks that a removal is remembered for a month, so that late tasks restore
// nothing. Later actions of the same users then delete its record.
func TestTombstonesExpire(t *testing.T) {
	t.Run("carried", func(t *testing.T) {
		tombstonesExpire(t, func(p *pair, tr relations.Transition) {
			if _, err := p.carry(tr); err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("asked", func(t *testing.T) {
		tombstonesExpire(t, func(p *pair, _ relations.Transition) { p.copy() })
	})
}

func tombstonesExpire(t *testing.T, copy func(*pair, relations.Transition)) {
	clock := newHands()
	p := newPair(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	a, b := p.a, p.b
	end := func() {
		for _, live := range []bool{true, false} {
			tr, _, err := p.transition(live)
			if err != nil {
				t.Fatal(err)
			}
			clock.turn(time.Millisecond) // the copy comes later
			copy(p, tr)
		}
	}
	has := func(kind string, at, of linnet.ID) bool {
		q := &kv.Scores{Key: kv.Key{Kind: kind, Shard: at.Shard(), ID: at.String()}, Members: []string{of.String()}}
		if err := p.e.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		return q.Found[0]
	}
	end()
	for i, day := range []int{29, 31} {
		clock.turn(time.Duration(day)*24*time.Hour - clock.Now().Sub(newHands().Now()))
		gone := func() bool { return !has("following.gone", a, b) && !has("followers.gone", b, a) }
		for n := 1; n <= 300 && !gone(); n++ { // only some removals delete old records
			clock.turn(time.Millisecond)
			p.a, p.b = a, b+linnet.ID(300*i+n)
			end()
			p.a, p.b = a+linnet.ID(300*i+n), b
			end()
		}
		if owner, copied := has("following.gone", a, b), has("followers.gone", b, a); owner != (day < 30) || copied != owner {
			t.Errorf("after %d days the removal is remembered: %v, %v", day, owner, copied)
		}
	}
	p.a, p.b = a, b
	p.set(true)
	p.copy()
	if owner, copied, _, _ := p.sides(); !owner || !copied {
		t.Error("a follow after the tombstones went has no effect")
	}
}

// TestEdgeLimit checks that relations above the limit are refused and ended ones make room.
func TestEdgeLimit(t *testing.T) {
	p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
	for i := range 7 {
		_, err := p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: linnet.ID(1000 + i), Live: true, Below: 5})
		if (err == nil) != (i < 5) {
			t.Errorf("relation %d: %v", i, err)
		}
	}
	_, err := p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: 1000, Below: 5})
	if err != nil {
		t.Error(err)
	}
	if _, err := p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: 1006, Live: true, Below: 5}); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}

// TestEdgeToNothing checks a relation to a deleted record.
func TestEdgeToNothing(t *testing.T) {
	p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
	if _, err := p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Favourites(), Owner: p.a, Other: p.b, Live: true}); err != nil {
		t.Fatal(err)
	}
	did, err := p.s.Relations.CopyRelation(t.Context(), record.Favourites(), p.a, p.b, relations.Transition{}, nil)
	if err != nil || !did.Deleted || did.Changed {
		t.Errorf("%+v %v", did, err)
	}
}

// torn is an engine that calls between after the first query of a read.
type torn struct {
	kv.Engine
	between func()
}

func (e *torn) Read(ctx context.Context, qs ...kv.Query) error {
	for _, q := range qs {
		if err := e.Engine.Read(ctx, q); err != nil {
			return err
		}
		if do := e.between; do != nil {
			e.between = nil
			do()
		}
	}
	return nil
}

// TestEdgeReadInTwoMoments checks that the copy follows the later state if the owner ends a
// relation while a task reads its two sides.
func TestEdgeReadInTwoMoments(t *testing.T) {
	m := memkv.New(memkv.Options{})
	p := newPair(t, m, store.Options{})
	e := &torn{Engine: m}
	other := &pair{T: t, s: store.New(e, store.Options{}), e: m, a: p.a, b: p.b}
	p.set(true)
	e.between = func() { p.set(false) }
	other.copy()
	p.copy()
	p.mustBe(false)
}
