package store

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ErrTooLarge: a record would grow beyond its bound.
var ErrTooLarge = errors.New("record would be too large")

// Filters reads a user's filters as they are now. The set is the caller's own.
func (s *Store) Filters(ctx context.Context, user linnet.ID) (*linnet.FilterSet, error) {
	get := &kv.Get{Key: record.FiltersKey(user)}
	if err := s.kv.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read filters: %w", err)
	}
	return record.DecodeFilters(get)
}

// PutFilters replaces a user's filters if they are still of the version that set
// was read as. It reports whether they were. The record is never removed while
// the user is there, so that a version comes once. ErrTooLarge beyond
// linnet.MaxFiltersBytes; ErrGone if there is no such user any more.
func (s *Store) PutFilters(ctx context.Context, user linnet.ID, set *linnet.FilterSet) (bool, error) {
	data := record.EncodeFilters(set)
	if len(data) > linnet.MaxFiltersBytes {
		return false, ErrTooLarge
	}
	key := record.FiltersKey(user)
	cond := kv.Cond(kv.VersionIs{Key: key, Version: set.Version})
	if set.Version == 0 {
		cond = kv.Absent(key)
	}
	failed, err := s.kv.Txn(ctx, []kv.Cond{cond, UserPresent(user)}, kv.Put{Key: key, Data: data, Version: set.Version + 1})
	if err != nil {
		return false, fmt.Errorf("write filters: %w", err)
	}
	if failed == 1 {
		return false, ErrGone
	}
	return failed < 0, nil
}

// filtersWeight is what cached filters cost in memory, roughly, with the
// automaton that finds their keywords.
func filtersWeight(set *linnet.FilterSet) uint32 {
	n := 250
	for i := range set.Filters {
		f := &set.Filters[i]
		n += 200 + len(f.Title) + 64*len(f.Statuses)
		for _, k := range f.Keywords {
			n += 80 + 30*len(k.Keyword)
		}
	}
	return uint32(n)
}

// AskFilters asks for the reader's filters.
func (r *Reader) AskFilters() {
	if r == nil || r.filters != nil {
		return
	}
	if c := r.b.s.cache; c.alive.Load() {
		r.filters, _ = c.filters.GetIfPresent(r.id)
	}
	r.askFilters = r.filters == nil
}

// Filters are, after Run, the reader's filters, if they were asked for; nil if
// not. They are shared and must not be modified.
func (r *Reader) Filters() *linnet.FilterSet {
	if r == nil {
		return nil
	}
	return r.filters
}

// readFilters adds the question to the batch.
func (r *Reader) readFilters() {
	get := &kv.Get{Key: record.FiltersKey(r.id)}
	r.askFilters = false
	r.b.ask(get, func() (err error) {
		if r.filters, err = record.DecodeFilters(get); err != nil {
			return err
		}
		c := r.b.s.cache
		c.store(r.id, r.epoch, func() { c.filters.Set(r.id, r.filters) })
		return nil
	})
}
