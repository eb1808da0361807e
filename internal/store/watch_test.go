package store_test

import (
	"context"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// told is an engine whose tracker says what the test says.
type told struct {
	kv.Engine
	tell func([]kv.Key, bool)
}

func (e *told) Track(_ context.Context, _ []string, f func([]kv.Key, bool)) error {
	e.tell = f
	return nil
}

// watching returns a watch over a user and what a reader knows of another.
func watching(t *testing.T, s *store.Store, user, reader linnet.ID, more func(*store.Batch)) *store.Watch {
	t.Helper()
	w, b := s.Watch(), s.Batch()
	r := b.Reader(reader)
	b.Watch(w)
	r.AskPerson(user)
	b.User(user)
	if more != nil {
		more(b)
	}
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWatch(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	holds := func(what string, w *store.Watch, want bool) {
		t.Helper()
		if w.Holds() != want {
			t.Errorf("%s: the watch holds: %v", what, !want)
		}
	}
	w := watching(t, s, ann, bob, nil)
	holds("nothing happened", w, true)
	rename(t, s, ann, "Ann")
	holds("a change of the user", w, false)

	w = watching(t, s, ann, bob, nil)
	if _, err := s.SetEdge(t.Context(), store.EdgeChange{Kind: store.Follows(), Owner: bob, Other: ann, Live: true}); err != nil {
		t.Fatal(err)
	}
	holds("a change of the reader's relations", w, false)

	w = watching(t, s, ann, bob, func(b *store.Batch) { b.EdgeHas(store.Listings(), bob, []linnet.ID{ann}) })
	holds("a question that nobody is told about", w, false)
	w = watching(t, s, ann, bob, nil)
	w.Spoil()
	holds("spoilt", w, false)
}

// What was asked while a server could not hear what others change is not kept,
// although it hears again.
func TestWatchOfTheDeaf(t *testing.T) {
	e := &told{Engine: memkv.New(memkv.Options{})}
	s := store.New(e, store.Options{Shared: true})
	if err := s.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.tell(nil, true)
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	before := watching(t, s, ann, bob, nil)
	if !before.Holds() {
		t.Fatal("a watch does not hold although nothing happened")
	}
	during := s.Watch()
	e.tell(nil, false)
	b := s.Batch()
	b.Watch(during)
	b.User(ann)
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	begun := watching(t, s, ann, bob, nil)
	e.tell(nil, true)
	if before.Holds() || during.Holds() || begun.Holds() {
		t.Error("a watch holds over a time in which nothing was heard:", before.Holds(), during.Holds(), begun.Holds())
	}
}
