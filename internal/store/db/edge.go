package db

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ReadHalves reads halves in one round trip, with a few tombstones that are old
// enough to go.
func (s *DB) ReadHalves(ctx context.Context, hs ...*record.Half) error {
	before := s.Now().UnixMilli() - record.TombstoneMillis
	qs := make([]kv.Query, 0, 3*len(hs))
	for _, h := range hs {
		qs = append(qs, &kv.Scores{Key: h.Live, Members: []string{h.Member}},
			&kv.Scores{Key: h.Gone, Members: []string{h.Member}},
			&kv.Range{Key: h.Gone, Below: &kv.Member{Score: before}, Limit: 2})
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return fmt.Errorf("read edge: %w", err)
	}
	for i, h := range hs {
		live, gone, old := qs[3*i].(*kv.Scores), qs[3*i+1].(*kv.Scores), qs[3*i+2].(*kv.Range)
		// A half is in one of the two sets, but they were read one after the other:
		// found in both, it has changed in between, and the later version holds.
		h.IsLive = live.Found[0] && (!gone.Found[0] || live.Values[0] > gone.Values[0])
		h.Version = max(live.Values[0], gone.Values[0])
		for _, m := range old.Members {
			h.Expired = append(h.Expired, m.Member)
		}
	}
	return nil
}

// Step is what a counter changes by as a relation, or something else that is counted,
// begins or ends.
func Step(from, to bool) int64 {
	switch {
	case to && !from:
		return 1
	case from && !to:
		return -1
	}
	return 0
}

// EdgeHas asks which of others the owner relates to.
func (b *Batch) EdgeHas(kind record.EdgeKind, owner linnet.ID, others []linnet.ID) *Membership {
	return b.has(record.IDKey(kind.Owned, owner), others)
}

// EdgeHasOwner asks which of owners relate to other.
func (b *Batch) EdgeHasOwner(kind record.EdgeKind, other linnet.ID, owners []linnet.ID) *Membership {
	return b.has(record.IDKey(kind.Copied, other), owners)
}
