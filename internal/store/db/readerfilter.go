package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// AskFilters reads the reader's filters.
func (r *Reader) AskFilters() {
	if r == nil || r.filters != nil {
		return
	}
	if c := r.b.s.cache; c.alive.Load() {
		r.filters, _ = c.filters.Get(r.id)
	}
	r.askFilters = r.filters == nil
}

// Filters returns the reader's filters, after AskFilters and Run, or nil. They are shared and must
// not be modified.
func (r *Reader) Filters() *linnet.FilterSet {
	if r == nil {
		return nil
	}
	return r.filters
}

// readFilters adds the read to the batch.
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
