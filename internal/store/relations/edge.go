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
	for range db.MaxRaces {
		own, copy := kind.OwnerHalf(owner, other), kind.OtherHalf(owner, other)
		if err := s.db.ReadHalves(ctx, &own, &copy); err != nil {
			return did, err
		}
		did.Live = own.IsLive
		if own.Version <= copy.Version {
			if !written && db.Surely(&ctx) {
				continue
			}
			return did, nil
		}
		conds, ops := copy.Unchanged(), copy.Set(own.IsLive, own.Version)
		if kind.Exists != "" {
			conds = append(conds, db.Else(kv.Present{Key: record.IDKey(kind.Exists, other)}, db.ErrGone))
		}
		if n := db.Step(copy.IsLive, own.IsLive); n != 0 {
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
		made, err := s.db.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			ctx = kv.Durable(ctx)
			continue
		}
		if errors.Is(err, db.ErrGone) {
			did.Gone = true
			return did, nil
		}
		if err != nil {
			return did, fmt.Errorf("copy %s: %w", kind.Name, err)
		}
		written = written || made
		did.Changed = did.Changed || made && copy.IsLive != own.IsLive
		// Once more round: the owner may have changed in the meantime.
	}
	return did, db.TooManyRaces("copy of "+kind.Name+" at", other)
}
