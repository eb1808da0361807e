package relations

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// CopyResult is the result of CopyRelation.
type CopyResult struct {
	Live    bool // the relation is active
	Changed bool // this call changed the copy
	Deleted bool // the other side no longer exists, and nothing was written
}

// CopyRelation updates the copy on the other side to the owner's current side. If the transition is
// known it applies at least that one. Later transitions have their own tasks. The counter and the
// operations returned by also, such as a notification, are written in the same transaction. It can
// run late, more than once and concurrently.
func (s *Store) CopyRelation(ctx context.Context, kind record.RelationKind, owner, other linnet.ID, t Transition, also func(live bool) []kv.Op) (CopyResult, error) {
	var did CopyResult
	written := false // by a transaction of this call, whose response was received
	for round := range db.MaxRaces {
		own, copy := kind.OwnerSide(owner, other), kind.OtherSide(owner, other)
		known := round == 0 && t.direct() && kind.OfUser()
		if known { // its state if all earlier transitions have arrived
			own.IsLive, own.Version = t.Live, t.Version
			copy.IsLive, copy.Version = !t.Live, t.Was
		} else if err := s.readBoth(ctx, t, &own, &copy); err != nil {
			return did, err
		}
		did.Live = own.IsLive
		if own.Version <= copy.Version {
			if !written && db.RetryDurable(&ctx) {
				continue
			}
			return did, nil
		}
		conds, ops := copyChanges(kind, other, own, copy, also)
		made, err := s.db.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			ctx = kv.Durable(ctx)
			continue
		}
		if errors.Is(err, db.ErrDeleted) {
			did.Deleted = true
			return did, nil
		}
		if err != nil {
			return did, fmt.Errorf("copy %s: %w", kind.Name, err)
		}
		written = written || made
		did.Changed = did.Changed || made && copy.IsLive != own.IsLive
		if made && known {
			return did, nil
		}
		// The owner may have changed, so read again.
	}
	return did, db.TooManyRaces("copy of "+kind.Name+" at", other)
}

// readBoth reads both sides. It includes old tombstones if this transition removes some.
func (s *Store) readBoth(ctx context.Context, t Transition, own, copy *record.Side) error {
	if t.tidies() {
		return s.db.ReadHalvesToTidy(ctx, own, copy)
	}
	return s.db.ReadHalves(ctx, own, copy)
}

// tidies reports whether a known transition is an end that also removes old tombstones.
func (t Transition) tidies() bool { return t.Version > t.Was && !t.Live && db.TombstonesDue(t.Version) }

// direct reports whether the copy can be written from the transition alone. The transition must be
// known. No old tombstones must be due for removal, because both sides are read for it. Unlike an
// account, a list can be deleted without tombstones that stop a late transition. So relations of
// lists read their owner.
func (t Transition) direct() bool { return t.Version > t.Was && !t.tidies() }

// copyChanges returns the operations that make the copy on the other side equal to the owner's
// side, if the copy hasn't changed since it was read.
func copyChanges(kind record.RelationKind, other linnet.ID, own, copy record.Side, also func(live bool) []kv.Op) (conds []kv.Cond, ops []kv.Op) {
	conds, ops = copy.Unchanged(), copy.Set(own.IsLive, own.Version)
	if kind.Exists != "" {
		conds = append(conds, db.Else(kv.Present{Key: record.IDKey(kind.Exists, other)}, db.ErrDeleted))
	}
	n := db.Step(copy.IsLive, own.IsLive)
	if n == 0 {
		return conds, ops
	}
	if kind.OtherKind != "" {
		ops = append(ops, kv.Incr{Key: record.IDKey(kind.OtherKind, other), Name: kind.OtherCounter, By: n})
	}
	if name := kind.Endings(); name != "" && n < 0 {
		ops = append(ops, kv.Incr{Key: record.CountsKey(other), Name: name, By: 1})
	}
	if also != nil {
		ops = append(ops, also(own.IsLive)...)
	}
	return conds, ops
}
