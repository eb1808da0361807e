package feeds

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Overtaken describes the changes since a status and its readers were read.
type Overtaken struct {
	Deleted bool    // the status no longer exists
	Version uint64  // version of the record
	counts  []int64 // in the order of record.Endings
}

// Overtaken checks past all caches whether a status still exists, and how often relations to its
// author were ended.
func (s *Store) Overtaken(ctx context.Context, status, author linnet.ID) (Overtaken, error) {
	b := s.db.Batch()
	r := b.Recheck(status, author)
	if err := b.Run(ctx); err != nil {
		return Overtaken{}, fmt.Errorf("read a status again: %w", err)
	}
	return Overtaken{Deleted: r.Deleted, Version: r.Version, counts: r.Endings}, nil
}

// Ended reports whether relations of a kind were ended since owners were read.
func (o Overtaken) Ended(kind record.RelationKind, owners db.Owners) bool {
	i := slices.Index(record.Endings(), kind.Endings())
	return i >= 0 && o.counts[i] != owners.Endings
}
