package store_test

import (
	"context"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
)

// TestMarksOfOthersAreKept checks that an action on a status or an account causes a read of that
// one only.
func TestMarksOfOthersAreKept(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	ann, bob, cyd := newUser(t, s, "ann"), newUser(t, s, "bob"), newUser(t, s, "cyd")
	one, other := posted(t, s, linnet.Status{Author: bob, Text: "one"}).ID, posted(t, s, linnet.Status{Author: bob, Text: "other"}).ID
	ask := func(statuses, people []linnet.ID) *db.Reader {
		t.Helper()
		b := s.Batch()
		r := b.Reader(ann)
		for _, id := range statuses {
			r.AskStatus(id)
		}
		for _, id := range people {
			r.AskPerson(id)
		}
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	edge := func(k record.RelationKind, to linnet.ID, live bool) func() error {
		return func() error {
			_, err := s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: k, Owner: ann, Other: to, Live: live})
			return err
		}
	}
	type reader = *db.Reader
	both, people := []linnet.ID{one, other}, []linnet.ID{bob, cyd}
	for _, c := range []struct {
		name             string
		change           func() error
		statuses, people []linnet.ID // still cached
		seen             func(r reader) bool
	}{
		{"favourite", edge(record.Favourites(), one, true), []linnet.ID{other}, people, func(r reader) bool { return r.Status(one).Favourite() }},
		{"no favourite", edge(record.Favourites(), one, false), []linnet.ID{other}, people, func(r reader) bool { return !r.Status(one).Favourite() }},
		{"repost", edge(record.Reposts(), other, true), []linnet.ID{one}, people, func(r reader) bool { return r.Status(other).Repost() }},
		{"follow", edge(record.Follows(), bob, true), both, []linnet.ID{cyd}, func(r reader) bool { return r.Person(bob).Follows() }},
		{"unfollow, which ends flags too", edge(record.Follows(), bob, false), nil, nil, func(r reader) bool { return !r.Person(bob).Follows() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask(both, people)
			if err := c.change(); err != nil {
				t.Fatal(err)
			}
			e.Reset()
			if ask(c.statuses, c.people); e.Stats().Reads != 0 {
				t.Errorf("%d reads for what has not changed", e.Stats().Reads)
			}
			if r := ask(both, people); !c.seen(r) || e.Stats().Reads != 1 {
				t.Errorf("after one read for what has changed (%d) it is not seen", e.Stats().Reads)
			}
		})
	}
}

// tracked is an engine that counts reads and reports changes of another server when tell is called.
type tracked struct {
	*faultkv.Engine
	tell func([]kv.Key, bool)
}

func (e *tracked) Track(_ context.Context, _ []string, tell func([]kv.Key, bool)) error {
	e.tell = tell
	tell(nil, true)
	return nil
}

// TestMarksOfTheYoungAreKnown checks that statuses posted after a reader's marks were read are
// known to have no marks, until the reader adds one on any server.
func TestMarksOfTheYoungAreKnown(t *testing.T) {
	e := &tracked{Engine: faultkv.New(memkv.New(memkv.Options{}))}
	clock := kvtest.NewClock()
	s := store.New(e, store.Options{Now: clock.Now, Shared: true})
	if err := s.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	post := func() linnet.ID { return posted(t, s, linnet.Status{Author: bob, Text: "news"}).ID }
	favourite := func(id linnet.ID) bool {
		t.Helper()
		b := s.Batch()
		r := b.Reader(ann)
		r.AskStatus(id)
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !r.Status(id).Known() {
			t.Fatal("after it was asked for it is not known")
		}
		return r.Status(id).Favourite()
	}
	reads := func(id linnet.ID) int {
		t.Helper()
		e.Reset()
		if favourite(id) {
			t.Error("a favourite of nobody")
		}
		return e.Stats().Reads
	}
	if first, near := post(), post(); reads(first) != 1 || reads(near) != 1 {
		t.Error("what was there before is not asked about, as far as clocks may differ")
	}
	clock.Advance(3 * time.Second)
	old, young := post(), post()
	if reads(old) != 0 || reads(young) != 0 {
		t.Error("what is younger is asked about")
	}
	if _, err := s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Favourites(), Owner: ann, Other: old, Live: true}); err != nil {
		t.Fatal(err)
	}
	if !favourite(old) || reads(young) != 0 {
		t.Error("a favourite is not seen, or what is younger is asked about after it")
	}
	key := record.Favourites().OwnedKey(ann)
	if err := e.Apply(t.Context(), kv.Add{Key: key, Member: young.String(), Score: 1}); err != nil { // by another server
		t.Fatal(err)
	}
	e.tell([]kv.Key{key}, true)
	if !favourite(young) {
		t.Error("a favourite made at another server is not seen")
	}
}
