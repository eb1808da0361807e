package feeds

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

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
	if err := s.db.Read(ctx, get, ended); err != nil {
		return Overtaken{}, fmt.Errorf("read status again: %w", err)
	}
	return Overtaken{Gone: get.Version == 0, counts: ended.Values}, nil
}

// Ended reports whether relations of a kind were ended since owners were read.
func (o Overtaken) Ended(kind record.EdgeKind, owners db.Owners) bool {
	switch kind.Name {
	case record.Follows().Name:
		return o.counts[0] != owners.Endings
	case record.Listings().Name:
		return o.counts[1] != owners.Endings
	}
	return false
}
