package relations

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// A user stands to another in one of three ways: asks to follow (Requests),
// follows (Follows), or neither. Both halves lie at the one who asks, so that each
// step from one to the other is one transaction, and nobody is ever followed in
// between who has not agreed. That the answer of the one who is asked is written
// at the one who asks makes it final: there is no second place to agree with it.

// EdgeChange is a wish to change the owner's half, with what belongs into the
// same transaction.
type EdgeChange struct {
	Kind         record.EdgeKind
	Owner, Other linnet.ID
	Live         bool
	Below        int64             // before a new one the owner's counter must be below this, if above 0
	Ends         []record.EdgeKind // relations of the same two that end with it
	While        record.EdgeKind   // must be in force, else ErrCondition; a zero kind asks for nothing
	Unless       record.EdgeKind   // nothing changes while this one is in force; a zero kind is none
	Conds        []kv.Cond         // more conditions in the owner's shard: ErrCondition, or what they carry
	Ops          []kv.Op           // more changes in the owner's shard
	Joins        bool              // a follow that begins is of a group
	// Task returns, for a relation that changes, the changes that write the task
	// which carries it to the other side; nil: none. It may be asked again.
	Task func(record.EdgeKind) []kv.Op
}

// ErrLimit: the owner has as many of these relations as allowed.
var ErrLimit = errors.New("limit of relations is reached")

// wish is the owner's half of one relation and what is to become of it.
type wish struct {
	record.Half
	kind   record.EdgeKind
	live   bool
	looked bool // nothing is wished: it decides about the others
}

// wishes are the halves that a change concerns, its own the first, each once.
func (c *EdgeChange) wishes() []wish {
	ws := make([]wish, 0, 4)
	add := func(k record.EdgeKind, live, looked bool) {
		if k.Name != "" && !slices.ContainsFunc(ws, func(w wish) bool { return w.kind == k }) {
			ws = append(ws, wish{k.OwnerHalf(c.Owner, c.Other), k, live, looked})
		}
	}
	add(c.Kind, c.Live, false)
	for _, k := range c.Ends {
		add(k, false, false)
	}
	add(c.While, false, true)
	add(c.Unless, false, true)
	return ws
}

func (s *Store) readWishes(ctx context.Context, ws []wish) error {
	hs := make([]*record.Half, len(ws))
	for i := range ws {
		hs[i] = &ws[i].Half
	}
	return s.db.ReadHalves(ctx, hs...)
}

// inForce reports whether a relation is among some that were read, and live.
func inForce(ws []wish, k record.EdgeKind) bool {
	return slices.ContainsFunc(ws, func(w wish) bool { return w.kind == k && w.IsLive })
}

func (w *wish) open() bool { return !w.looked && w.IsLive != w.live }

// SetEdge changes the owner's half, and with it those that end. It reports
// false, and writes nothing, if all is as wished already. When an answer was lost
// on the way it reports true, so that the caller carries the change on.
func (s *Store) SetEdge(ctx context.Context, c EdgeChange) (changed bool, err error) {
	for range db.MaxRaces {
		ws := c.wishes()
		if err := s.readWishes(ctx, ws); err != nil {
			return false, err
		}
		idle := !slices.ContainsFunc(ws, func(w wish) bool { return w.open() }) || c.Unless.Name != "" && inForce(ws, c.Unless)
		barred := c.While.Name != "" && !inForce(ws, c.While)
		switch {
		case (idle || barred) && db.Surely(&ctx):
			continue
		case idle:
			return changed, nil
		case barred:
			return changed, db.ErrCondition
		}
		made, err := s.db.Txn(ctx, c.conds(ws), c.ops(ws, s.db.Now().UnixMilli())...)
		switch {
		case errors.Is(err, kv.ErrUnknown):
			// The loop reads again and finds what became of it; a repeat of the
			// caller's own changes is excluded, since they are of this transaction.
			// If it is as wished then, this call has most likely made it so.
			changed, ctx = true, kv.Durable(ctx)
		case err != nil:
			return false, fmt.Errorf("write %s: %w", c.Kind.Name, err)
		case made:
			return true, nil
		}
	}
	return false, db.TooManyRaces(c.Kind.Name+" of", c.Owner)
}

// conds are the conditions of a change: the caller's, the limit, and that the halves are
// still as they were read, without which it is tried again.
func (c *EdgeChange) conds(ws []wish) []kv.Cond {
	conds := db.AllElse(c.Conds, db.ErrCondition)
	if c.Live && c.Below > 0 && c.Kind.OwnerCounter != "" {
		conds = append(conds, db.Else(kv.CounterBelow{Key: record.CountsKey(c.Owner), Name: c.Kind.OwnerCounter, Limit: c.Below}, ErrLimit))
	}
	for i := range ws {
		conds = append(conds, ws[i].Unchanged()...)
	}
	return conds
}

// ops are the changes that make true what was wished.
func (c *EdgeChange) ops(ws []wish, now int64) []kv.Op {
	var ops []kv.Op
	for i := range ws {
		w := &ws[i]
		if !w.open() {
			continue
		}
		version := max(now, w.Version+1)
		ops = append(ops, w.Set(w.live, version)...)
		if op := c.joined(w, version); op != nil {
			ops = append(ops, op)
		}
		if w.kind.OwnerCounter != "" {
			ops = append(ops, kv.Incr{Key: record.CountsKey(c.Owner), Name: w.kind.OwnerCounter, By: db.Step(w.IsLive, w.live)})
		}
		if c.Task != nil {
			ops = append(ops, c.Task(w.kind)...)
		}
	}
	return append(ops, c.Ops...)
}
