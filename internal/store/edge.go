package store

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// readHalves reads halves in one round trip, with a few tombstones that are old
// enough to go.
func (s *Store) readHalves(ctx context.Context, hs ...*record.Half) error {
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

func step(from, to bool) int64 {
	switch {
	case to && !from:
		return 1
	case from && !to:
		return -1
	}
	return 0
}

// EdgeCopied is what CopyEdge did.
type EdgeCopied struct {
	Live    bool // the edge is in force
	Changed bool // this call changed the copy
	Gone    bool // the other side no longer exists, and nothing was written
}

// CopyEdge brings the copy at the other side up to date with the owner's half,
// whatever that is now. With the copy, in one transaction, goes its counter and
// what also returns for the change (a notification). It may be repeated, run
// late and run twice at once.
func (s *Store) CopyEdge(ctx context.Context, kind record.EdgeKind, owner, other linnet.ID, also func(live bool) []kv.Op) (EdgeCopied, error) {
	var did EdgeCopied
	written := false // by a transaction of this call, which was acknowledged
	for range maxRaces {
		own, copy := kind.OwnerHalf(owner, other), kind.OtherHalf(owner, other)
		if err := s.readHalves(ctx, &own, &copy); err != nil {
			return did, err
		}
		did.Live = own.IsLive
		if own.Version <= copy.Version {
			if !written && surely(&ctx) {
				continue
			}
			return did, nil
		}
		conds, ops := copy.Unchanged(), copy.Set(own.IsLive, own.Version)
		if kind.Exists != "" {
			conds = append(conds, kv.Present{Key: record.IDKey(kind.Exists, other)})
		}
		if n := step(copy.IsLive, own.IsLive); n != 0 {
			if kind.OtherKind != "" {
				ops = append(ops, kv.Incr{Key: record.IDKey(kind.OtherKind, other), Name: kind.OtherCounter, By: n})
			}
			if name := kind.Endings(); name != "" && n < 0 {
				ops = append(ops, kv.Incr{Key: record.CountsKey(other), Name: name, By: 1})
			}
			if also != nil {
				ops = append(ops, also(own.IsLive)...)
			}
		}
		failed, err := s.kv.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			ctx = kv.Durable(ctx)
			continue
		}
		if err != nil {
			return did, fmt.Errorf("copy %s: %w", kind.Name, err)
		}
		if kind.Exists != "" && failed == len(conds)-1 {
			did.Gone = true
			return did, nil
		}
		written = written || failed < 0
		did.Changed = did.Changed || failed < 0 && copy.IsLive != own.IsLive
		// Once more round: the owner may have changed in the meantime.
	}
	return did, errRaces("copy of "+kind.Name+" at", other)
}

// EdgeHas asks which of others the owner relates to.
func (b *Batch) EdgeHas(kind record.EdgeKind, owner linnet.ID, others []linnet.ID) *Membership {
	return b.has(record.IDKey(kind.Owned, owner), others)
}

// EdgeHasOwner asks which of owners relate to other.
func (b *Batch) EdgeHasOwner(kind record.EdgeKind, other linnet.ID, owners []linnet.ID) *Membership {
	return b.has(record.IDKey(kind.Copied, other), owners)
}
