package store_test

import (
	"testing"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// hides asks, in one batch, of whom a user hides the reposts.
func hides(t *testing.T, s *store.Store, user linnet.ID, people ...linnet.ID) map[linnet.ID]bool {
	t.Helper()
	b := s.Batch()
	r := b.Reader(user)
	for _, id := range people {
		r.AskPerson(id)
	}
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	out := map[linnet.ID]bool{}
	for _, id := range people {
		m := r.Person(id)
		if !m.Known() {
			t.Fatalf("the relation to %v is not known", id)
		}
		if m.HidesReposts() {
			out[id] = true
		}
	}
	return out
}

// Few stances are read whole, once, and outlive changes of what else the reader
// does; many are asked about by name. Both give the same answers.
func TestStancesFewAndMany(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	me := newUser(t, s, "ann")
	people := make([]linnet.ID, 600)
	for i := range people {
		people[i] = linnet.MakeID(s.Now(), uint16(i), 0)
	}
	put := func(id linnet.ID, on bool) {
		t.Helper()
		if err := s.SetStance(t.Context(), me, id, store.HidesReposts, on); err != nil {
			t.Fatal(err)
		}
	}
	for n := range people {
		put(people[n], true)
		if n != 0 && n != 10 && n != 255 && n != 256 && n != 599 {
			continue
		}
		got := hides(t, s, me, people...)
		if len(got) != n+1 || !got[people[n]] {
			t.Fatalf("with %d stances %d are seen", n+1, len(got))
		}
		put(people[n], false)
		e.Reset()
		if got := hides(t, s, me, people[0], people[n]); got[people[n]] {
			t.Fatalf("with %d stances the end of one is not seen", n+1)
		}
		if reads := e.Stats().Reads; n < 256 && reads > 1 {
			t.Errorf("%d reads", reads)
		}
		put(people[n], true)
		hides(t, s, me, people[:50]...)
		l := linnet.List{Owner: me, Title: "Family", Exclusive: true} // of what is kept only the stances outlive it
		if err := s.CreateList(t.Context(), &l); err != nil {
			t.Fatal(err)
		}
		e.Reset()
		hides(t, s, me, people[:50]...)
		if st := e.Stats(); n < 256 && st.Queries != 1 || st.Queries > 2 || st.Reads != 1 {
			t.Errorf("after an exclusive list, with %d stances: %d queries in %d reads", n+1, st.Queries, st.Reads)
		}
	}
}
