package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/relations"
)

// transition sets the owner's side and returns the change for its task.
func (p *pair) transition(live bool) (tr relations.Transition, did relations.SetResult, err error) {
	did, err = p.s.Relations.SetRelation(p.Context(), relations.RelationChange{Kind: record.Follows(), Owner: p.a, Other: p.b, Live: live,
		Task: func(_ record.RelationKind, t relations.Transition) []kv.Op {
			tr = t
			return nil
		}})
	if did.Unsure {
		tr = relations.Transition{}
	}
	return tr, did, err
}

func (p *pair) carry(t relations.Transition) (relations.CopyResult, error) {
	return p.s.Relations.CopyRelation(p.Context(), record.Follows(), p.a, p.b, t, nil)
}

// TestTransitionsConverge checks that both sides end as the owner last set them, with tasks that
// contain the change or not, in any order, once or twice.
func TestTransitionsConverge(t *testing.T) {
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
		var waiting []relations.Transition
		live := false
		deliver := func() {
			i := rnd.IntN(len(waiting))
			if _, err := p.carry(waiting[i]); err != nil {
				t.Fatal(err)
			}
			waiting = append(waiting[:i], waiting[i+1:]...)
		}
		for range 2 + rnd.IntN(12) {
			if rnd.IntN(2) == 0 && len(waiting) > 0 {
				deliver()
				continue
			}
			live = rnd.IntN(2) == 0
			tr, did, err := p.transition(live)
			if err != nil {
				t.Fatal(err)
			}
			if !did.Changed {
				continue
			}
			if rnd.IntN(8) == 0 {
				tr = relations.Transition{} // a task of an earlier release
			}
			for range 1 + rnd.IntN(2) {
				waiting = append(waiting, tr)
			}
		}
		for len(waiting) > 0 {
			deliver()
		}
		p.mustBe(live)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestTransitionsConvergeUnderRaces checks the same for concurrent changes.
func TestTransitionsConvergeUnderRaces(t *testing.T) {
	p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
	done := make(chan error)
	for i := range 16 {
		go func() {
			var err error
			for n := 0; n < 60 && err == nil; n++ {
				tr, did, e := p.transition((i+n)%2 == 0)
				if err = e; err == nil && did.Changed {
					_, err = p.carry(tr)
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
	p.mustBe(owner)
}

// TestTransitionWritesFail checks that tasks contain the change that was written, and that a change
// is reported once, whichever write fails, before or after it is made.
func TestTransitionWritesFail(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n := 1; n <= 6; n++ {
			t.Run(fmt.Sprint(when, n), func(t *testing.T) {
				e := faultkv.New(memkv.New(memkv.Options{}))
				p := newPair(t, e, store.Options{})
				e.FailAt(n, when)
				reported := 0
				for _, live := range []bool{true, false, true} {
					var carried []relations.Transition
					for range 3 {
						tr, did, err := p.transition(live)
						if did.Changed {
							reported++
							carried = append(carried, tr)
						}
						if err == nil {
							break
						}
					}
					for _, tr := range carried {
						for range 3 {
							if _, err := p.carry(tr); err == nil {
								break
							}
						}
					}
					p.mustBe(live)
				}
				if reported != 3 {
					t.Errorf("%d changes were reported, want 3", reported)
				}
			})
		}
	}
}

// TestTransitionOfADeletedList checks that a task after the deletion of its list adds no member.
func TestTransitionOfADeletedList(t *testing.T) {
	p := newPair(t, memkv.New(memkv.Options{}), store.Options{})
	k, list := record.Listings(), p.a
	var tr relations.Transition
	if _, err := p.s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: k, Owner: list, Other: p.b, Live: true,
		Task: func(_ record.RelationKind, t relations.Transition) []kv.Op {
			tr = t
			return nil
		}}); err != nil || tr.Version == 0 {
		t.Fatal(tr, err)
	}
	for _, members := range [][]linnet.ID{{p.b}, nil} {
		if err := p.s.Relations.ForgetMembers(t.Context(), list, members); err != nil {
			t.Fatal(err)
		}
	}
	if did, err := p.s.Relations.CopyRelation(t.Context(), k, list, p.b, tr, nil); err != nil || did.Changed || did.Live {
		t.Errorf("%+v %v", did, err)
	}
	if ids, err := p.s.All(t.Context(), k.CopyKey(p.b), 10); err != nil || len(ids) > 0 {
		t.Errorf("listed by %v, %v", ids, err)
	}
}
