package store_test

import (
	"errors"
	"strings"
	"testing"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/relations"
)

// hides returns, in one batch, the accounts whose reposts a user hides.
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

// TestRelationshipsFewAndMany checks that few flags are read at once and stay cached when other
// data changes, and that many are queried by name. The results are the same.
func TestRelationshipsFewAndMany(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	me := newUser(t, s, "ann")
	people := make([]linnet.ID, 600)
	for i := range people {
		people[i] = linnet.MakeID(s.Now(), uint16(i), 0)
	}
	put := func(id linnet.ID, on bool) {
		t.Helper()
		if err := s.Relations.SetRelationshipFlag(t.Context(), me, id, record.HidesReposts, on); err != nil {
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
			t.Fatalf("with %d relationship flags %d are seen", n+1, len(got))
		}
		put(people[n], false)
		e.Reset()
		if got := hides(t, s, me, people[0], people[n]); got[people[n]] {
			t.Fatalf("with %d relationship flags the end of one is not seen", n+1)
		}
		if reads := e.Stats().Reads; n < 256 && reads > 1 {
			t.Errorf("%d reads", reads)
		}
		put(people[n], true)
		hides(t, s, me, people[:50]...)
		l := linnet.List{Owner: me, Title: "Family", Exclusive: true} // only the flags stay cached
		if err := s.Relations.CreateList(t.Context(), &l); err != nil {
			t.Fatal(err)
		}
		e.Reset()
		hides(t, s, me, people[:50]...)
		if st := e.Stats(); n < 256 && st.Queries != 1 || st.Queries > 3 || st.Reads != 1 { // follows, relationship flags, languages
			t.Errorf("after an exclusive list, with %d relationship flags: %d queries in %d reads", n+1, st.Queries, st.Reads)
		}
	}
}

// TestLanguagesOfFollows checks that the languages of follows are returned with few and with many
// flags, are replaced as a whole, and have a limit.
func TestLanguagesOfFollows(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	me := newUser(t, s, "ann")
	people := make([]linnet.ID, linnet.MaxNarrowed+1)
	for i := range people {
		people[i] = linnet.MakeID(s.Now(), uint16(i), 0)
	}
	set := func(id linnet.ID, codes ...string) {
		t.Helper()
		if err := s.Relations.SetLanguages(t.Context(), me, id, codes); err != nil {
			t.Fatal(err)
		}
	}
	wanted := func(id linnet.ID) string {
		t.Helper()
		b := s.Batch()
		r := b.Reader(me)
		r.AskPerson(id)
		r.AskPerson(people[0])
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := r.Languages(id); (len(got) > 0) != r.Person(id).Narrowed() {
			t.Fatalf("narrowed %v, to %q", r.Person(id).Narrowed(), got)
		}
		return strings.Join(r.Languages(id), " ")
	}
	for n, id := range people[:linnet.MaxNarrowed] {
		set(id, "de", "en")
		if n%50 != 5 && n != 255 && n != 256 {
			continue
		}
		for _, want := range []string{"de en", "fr", "", "gsw"} {
			set(id, strings.Fields(want)...)
			set(id, strings.Fields(want)...)
			if got := wanted(id); got != want {
				t.Fatalf("with %d relationship flags: wanted in %q, want %q", n+1, got, want)
			}
		}
		if err := s.Relations.SetRelationshipFlag(t.Context(), me, id, record.HidesReposts, true); err != nil {
			t.Fatal(err)
		}
		if got := wanted(people[0]); got != "de en" {
			t.Fatalf("the first is wanted in %q", got)
		}
	}
	last := people[linnet.MaxNarrowed]
	if err := s.Relations.SetLanguages(t.Context(), me, last, []string{"de"}); !errors.Is(err, relations.ErrLimit) {
		t.Errorf("one more than allowed: %v", err)
	}
	set(people[0], "fr")
	set(people[1])
	set(last, "de")
}
