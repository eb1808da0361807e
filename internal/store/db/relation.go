package db

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ReadHalves reads sides of relations in one round trip. From time to time it also reads some
// tombstones that are old enough to be removed.
func (s *DB) ReadHalves(ctx context.Context, hs ...*record.Side) error {
	return s.readHalves(ctx, hs, true, TombstonesDue(s.Now().UnixMilli()))
}

// ReadHalvesToTidy is ReadHalves, but always reads old tombstones.
func (s *DB) ReadHalvesToTidy(ctx context.Context, hs ...*record.Side) error {
	return s.readHalves(ctx, hs, true, true)
}

// ReadLive reads which sides are active, and only their versions. It does not distinguish sides
// that have ended from ones that never began. From time to time it also reads some tombstones that
// are old enough to be removed.
func (s *DB) ReadLive(ctx context.Context, hs ...*record.Side) error {
	return s.readHalves(ctx, hs, false, TombstonesDue(s.Now().UnixMilli()))
}

// readHalves reads the active sides. With ended it also reads the ended ones, and with expired the
// tombstones that are no longer needed.
func (s *DB) readHalves(ctx context.Context, hs []*record.Side, ended, expired bool) error {
	qs := make([]kv.Query, 0, 3*len(hs))
	for _, h := range hs {
		qs = append(qs, &kv.Scores{Key: h.Live, Members: []string{h.Member}})
		if ended {
			qs = append(qs, &kv.Scores{Key: h.Gone, Members: []string{h.Member}})
		}
	}
	step := len(qs) / len(hs)
	if expired {
		until := &kv.Member{Score: s.Now().UnixMilli() - record.TombstoneMillis}
		for _, h := range hs {
			qs = append(qs, &kv.Range{Key: h.Gone, Below: until, Limit: tombstonesAtOnce})
		}
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return fmt.Errorf("read a relation: %w", err)
	}
	for i, h := range hs {
		live := qs[step*i].(*kv.Scores)
		h.IsLive, h.Version = live.Found[0], live.Values[0]
		if ended {
			// A side is in one of the two sets, but they were read one after the other. If it is in
			// both, it has changed in between, and the later version is valid.
			gone := qs[step*i+1].(*kv.Scores)
			h.IsLive = h.IsLive && (!gone.Found[0] || live.Values[0] > gone.Values[0])
			h.Version = max(live.Values[0], gone.Values[0])
		}
	}
	for i, q := range qs[step*len(hs):] {
		for _, m := range q.(*kv.Range).Members {
			hs[i].Expired = append(hs[i].Expired, m.Member)
		}
	}
	return nil
}

// Changes that end relations remove old tombstones: one in tombstoneTurns removes up to
// tombstonesAtOnce, which is twice as many as were added since.
const (
	tombstoneTurns   = 16
	tombstonesAtOnce = 32
)

// TombstonesDue reports whether a change at a time, in Unix milliseconds, removes old tombstones.
// It also distributes events that occur at whole seconds.
func TombstonesDue(millis int64) bool {
	return uint64(millis)*0x9e3779b97f4a7c15>>32%tombstoneTurns == 0
}

// Step returns the change of a counter when a relation, or another counted thing, begins or ends.
func Step(from, to bool) int64 {
	switch {
	case to && !from:
		return 1
	case from && !to:
		return -1
	}
	return 0
}

// Related reads which of others the owner relates to.
func (b *Batch) Related(kind record.RelationKind, owner linnet.ID, others []linnet.ID) *Membership {
	return b.has(record.IDKey(kind.Owned, owner), others)
}

// RelatedOwners reads which of owners relate to other.
func (b *Batch) RelatedOwners(kind record.RelationKind, other linnet.ID, owners []linnet.ID) *Membership {
	return b.has(record.IDKey(kind.Copied, other), owners)
}
