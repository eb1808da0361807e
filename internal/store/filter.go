package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// ErrTooLarge: a record would grow beyond its bound.
var ErrTooLarge = errors.New("record would be too large")

// filtersKey holds all filters of a user: they are read together, for every page
// that the user reads, and compiled together.
func filtersKey(user linnet.ID) kv.Key { return idKey(kFilters, user) }

type filterRecord struct {
	ID       JID                  `json:"id"`
	Title    string               `json:"title"`
	Context  linnet.FilterContext `json:"in"`
	Action   linnet.FilterAction  `json:"action,omitempty"`
	Expires  int64                `json:"expires,omitempty"` // Unix milliseconds
	Keywords []keywordRecord      `json:"keywords,omitempty"`
	Statuses []filteredRecord     `json:"statuses,omitempty"`
}

type keywordRecord struct {
	ID    JID    `json:"id"`
	Text  string `json:"text"`
	Whole bool   `json:"whole,omitempty"`
}

type filteredRecord struct {
	ID     JID `json:"id"`
	Status JID `json:"status"`
}

func encodeFilters(set *linnet.FilterSet) []byte {
	records := make([]filterRecord, len(set.Filters))
	for i := range set.Filters {
		f := &set.Filters[i]
		r := filterRecord{ID: JID(f.ID), Title: f.Title, Context: f.Context, Action: f.Action}
		if !f.ExpiresAt.IsZero() {
			r.Expires = f.ExpiresAt.UnixMilli()
		}
		for _, k := range f.Keywords {
			r.Keywords = append(r.Keywords, keywordRecord{JID(k.ID), k.Keyword, k.WholeWord})
		}
		for _, st := range f.Statuses {
			r.Statuses = append(r.Statuses, filteredRecord{JID(st.ID), JID(st.Status)})
		}
		records[i] = r
	}
	return encode(records)
}

func decodeFilters(get *kv.Get) (*linnet.FilterSet, error) {
	set := &linnet.FilterSet{Version: get.Version}
	if get.Version == 0 {
		return set, nil
	}
	var records []filterRecord
	if err := decode(get, &records); err != nil {
		return nil, err
	}
	set.Filters = make([]linnet.Filter, len(records))
	for i, r := range records {
		f := linnet.Filter{ID: linnet.ID(r.ID), Title: r.Title, Context: r.Context, Action: r.Action}
		if r.Expires != 0 {
			f.ExpiresAt = time.UnixMilli(r.Expires)
		}
		for _, k := range r.Keywords {
			f.Keywords = append(f.Keywords, linnet.FilterKeyword{ID: linnet.ID(k.ID), Keyword: k.Text, WholeWord: k.Whole})
		}
		for _, st := range r.Statuses {
			f.Statuses = append(f.Statuses, linnet.FilterStatus{ID: linnet.ID(st.ID), Status: linnet.ID(st.Status)})
		}
		set.Filters[i] = f
	}
	return set, nil
}

// Filters reads a user's filters as they are now. The set is the caller's own.
func (s *Store) Filters(ctx context.Context, user linnet.ID) (*linnet.FilterSet, error) {
	get := &kv.Get{Key: filtersKey(user)}
	if err := s.kv.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read filters: %w", err)
	}
	return decodeFilters(get)
}

// PutFilters replaces a user's filters if they are still of the version that set
// was read as. It reports whether they were. The record is never removed while
// the user is there, so that a version comes once. ErrTooLarge beyond
// linnet.MaxFiltersBytes; ErrGone if there is no such user any more.
func (s *Store) PutFilters(ctx context.Context, user linnet.ID, set *linnet.FilterSet) (bool, error) {
	data := encodeFilters(set)
	if len(data) > linnet.MaxFiltersBytes {
		return false, ErrTooLarge
	}
	key := filtersKey(user)
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
	get := &kv.Get{Key: filtersKey(r.id)}
	r.askFilters = false
	r.b.ask(get, func() (err error) {
		if r.filters, err = decodeFilters(get); err != nil {
			return err
		}
		c := r.b.s.cache
		c.store(r.id, r.epoch, func() { c.filters.Set(r.id, r.filters) })
		return nil
	})
}
