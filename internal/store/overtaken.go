package store

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// While a status is pushed to a thousand feeds, one of their readers may turn
// away, or the status may be deleted. So that this is noticed without asking a
// thousand times, the other side of a relation counts how often one was ended:
// a number that only rises.

// Owners are some of those who relate to somebody, as of one moment.
type Owners struct {
	IDs   []linnet.ID
	Texts []string  // the same as texts
	Next  kv.Member // where the next are
	ended int64     // how often such a relation had been ended, not later than that
}

// Owners asks for the next owners of relations to other (see After).
func (b *Batch) Owners(kind record.EdgeKind, other linnet.ID, from kv.Member, limit int) *Owners {
	o := &Owners{Next: from}
	if name := kind.Endings(); name != "" { // first: what ends between the two is noticed
		ended := &kv.Counters{Key: record.CountsKey(other), Names: []string{name}}
		b.ask(ended, func() error {
			o.ended = ended.Values[0]
			return nil
		})
	}
	r := &kv.Range{Key: kind.CopyKey(other), Limit: limit}
	if from.Member != "" {
		r.Above = &from
	}
	b.ask(r, func() error {
		o.IDs, o.Texts = make([]linnet.ID, len(r.Members)), make([]string, len(r.Members))
		for i, m := range r.Members {
			o.IDs[i], _ = linnet.ParseID(m.Member)
			o.Texts[i], o.Next = m.Member, m
		}
		return nil
	})
	return o
}

// Overtaken is what has changed since a status was read and owners were.
type Overtaken struct {
	Gone   bool    // the status is no more
	counts []int64 // by kind
}

// Overtaken looks, past all caches, whether a status is still there and how often
// relations to its author were ended.
func (s *Store) Overtaken(ctx context.Context, st *linnet.Status) (Overtaken, error) {
	get := &kv.Get{Key: record.StatusKey(st.ID)}
	ended := &kv.Counters{Key: record.CountsKey(st.Author), Names: []string{record.Follows().Endings(), record.Listings().Endings()}}
	if err := s.kv.Read(ctx, get, ended); err != nil {
		return Overtaken{}, fmt.Errorf("read status again: %w", err)
	}
	return Overtaken{Gone: get.Version == 0, counts: ended.Values}, nil
}

// Ended reports whether relations of a kind were ended since owners were read.
func (o Overtaken) Ended(kind record.EdgeKind, owners Owners) bool {
	switch kind.Name {
	case record.Follows().Name:
		return o.counts[0] != owners.ended
	case record.Listings().Name:
		return o.counts[1] != owners.ended
	}
	return false
}
