package store_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/inbox"
)

func putFilters(t *testing.T, s *store.Store, user linnet.ID, filters ...linnet.Filter) {
	t.Helper()
	set, err := s.Inbox.Filters(t.Context(), user)
	if err != nil {
		t.Fatal(err)
	}
	set.Filters = filters
	if ok, err := s.Inbox.PutFilters(t.Context(), user, set); !ok || err != nil {
		t.Fatal(ok, err)
	}
}

func cachedFilters(t *testing.T, s *store.Store, user linnet.ID) *linnet.FilterSet {
	t.Helper()
	b := s.Batch()
	r := b.Reader(user)
	r.AskFilters()
	r.AskFilters()
	if err := b.Run(t.Context()); err != nil || r.Filters() == nil {
		t.Fatal(r.Filters(), err)
	}
	return r.Filters()
}

func TestFiltersComeBack(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	id := newUser(t, s, "ann")
	want := []linnet.Filter{
		{ID: 1, Title: "<T>\n\"", Context: linnet.FilterHome | linnet.FilterAccount, Action: linnet.FilterBlur, ExpiresAt: time.UnixMilli(1.9e12),
			Keywords: []linnet.FilterKeyword{{ID: 2, Keyword: "a b", WholeWord: true}, {ID: 3, Keyword: "ß"}}, Statuses: []linnet.FilterStatus{{ID: 4, Status: 5}}},
		{ID: 6, Title: "x", Context: linnet.FilterEverywhere},
	}
	putFilters(t, s, id, want...)
	if got := cachedFilters(t, s, id); !reflect.DeepEqual(got.Filters, want) || got.Version != 1 {
		t.Errorf("%+v", got)
	}
	if got := cachedFilters(t, s, 77<<16); len(got.Filters) != 0 || got.Version != 0 {
		t.Errorf("nobody's: %+v", got)
	}
}

// TestCacheKeepsFilters checks that filters, or their absence, are cached until they change,
// independent of the reader's other data.
func TestCacheKeepsFilters(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	id, other := newUser(t, s, "ann"), newUser(t, s, "bob")
	for want := range 3 {
		cachedFilters(t, s, id)
		if want > 0 {
			putFilters(t, s, id, manyFilters(want)...)
		}
		e.Reset()
		for range 3 {
			if got := cachedFilters(t, s, id); len(got.Filters) != want {
				t.Fatalf("%d filters, want %d", len(got.Filters), want)
			}
			if err := s.Relations.SetMember(t.Context(), record.Bookmarks, id, other, true); err != nil {
				t.Fatal(err)
			}
		}
		if n := e.Stats().Reads; n > 1 {
			t.Errorf("three looks took %d reads", n)
		}
	}
}

// TestPutFiltersOnce checks that concurrent changes of filters do not overwrite each other, and
// that a set too large is refused.
func TestPutFiltersOnce(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	id := newUser(t, s, "ann")
	for range 2 {
		a, _ := s.Inbox.Filters(t.Context(), id)
		b, _ := s.Inbox.Filters(t.Context(), id)
		first, err := s.Inbox.PutFilters(t.Context(), id, a)
		second, err2 := s.Inbox.PutFilters(t.Context(), id, b)
		if !first || second || err != nil || err2 != nil {
			t.Fatal(first, second, err, err2)
		}
	}
	set, _ := s.Inbox.Filters(t.Context(), id)
	set.Filters = []linnet.Filter{{Title: strings.Repeat("x", linnet.MaxFiltersBytes)}}
	if _, err := s.Inbox.PutFilters(t.Context(), id, set); !errors.Is(err, inbox.ErrTooLarge) {
		t.Error(err)
	}
}

func manyFilters(n int) []linnet.Filter {
	filters := make([]linnet.Filter, n)
	for i := range filters {
		filters[i].ID = linnet.ID(i + 1)
	}
	return filters
}
