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

// A user is related to another in one of three ways: requesting to follow (Requests), following
// (Follows), or neither. All are stored in the shard of the requesting user, so that each step is
// one transaction and no user is followed without consent. The decision of the other user is also
// written there, which makes it final.

// RelationChange is a change of the owner's side, with other operations in the same transaction.
type RelationChange struct {
	Kind         record.RelationKind
	Owner, Other linnet.ID
	Live         bool
	Below        int64                 // if above 0: a new relation requires that the owner's counter is below this
	Ends         []record.RelationKind // relations of the same two users that end with it
	While        record.RelationKind   // must exist, otherwise ErrCondition; a zero kind requires nothing
	Unless       record.RelationKind   // nothing changes while it exists; a zero kind means none
	Conds        []kv.Cond             // conditions in the owner's shard; they return ErrCondition or their own error
	Ops          []kv.Op               // more changes in the owner's shard
	Joins        bool                  // a follow of a group begins
	// Task returns the operations that write the task for a changed relation, which copies it to
	// the other side. Nil means none. It can be called more than once.
	Task func(record.RelationKind, Transition) []kv.Op
}

// Transition is a change of the owner's side of one relation. Each has its own task, so that the
// copy can be updated without reading the owner.
type Transition struct {
	Version int64 `json:"version,omitempty"` // new version of the side; 0 if unknown: the owner's side must be read
	Live    bool  `json:"live,omitempty"`    // the relation is active
	Was     int64 `json:"was,omitempty"`     // previous version; 0 if there never was one
}

// SetResult is the result of SetRelation.
type SetResult struct {
	Changed bool // the owner's side, or a relation that ends with it
	// Unsure reports that the new state is unknown, because a response was lost and others may have
	// changed it too. The transitions passed to Task are then invalid.
	Unsure bool
}

// ErrLimit means that the owner has the maximum number of these relations.
var ErrLimit = errors.New("the limit of relations is reached")

// desired is the owner's side of a relation and its new state.
type desired struct {
	record.Side
	kind   record.RelationKind
	live   bool
	looked bool // read only to decide about the others
}

// desired returns the distinct sides affected by a change, its own first.
func (c *RelationChange) desired() []desired {
	ws := make([]desired, 0, 4)
	add := func(k record.RelationKind, live, looked bool) {
		if k.Name != "" && !slices.ContainsFunc(ws, func(w desired) bool { return w.kind == k }) {
			ws = append(ws, desired{k.OwnerSide(c.Owner, c.Other), k, live, looked})
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

// readDesired reads the relations of a change. The first attempt reads little: whether ending
// relations exist, and nothing about a beginning one, because it rarely existed before. The
// conditions detect wrong assumptions.
func (s *Store) readDesired(ctx context.Context, c *RelationChange, ws []desired, first bool) error {
	hs := make([]*record.Side, len(ws))
	for i := range ws {
		hs[i] = &ws[i].Side
	}
	switch {
	case !first || c.Live && c.While.Name != "":
		return s.db.ReadHalves(ctx, hs...)
	case c.Live:
		return nil
	}
	return s.db.ReadLive(ctx, hs...)
}

// inForce reports whether an active relation of a kind is among some that were read.
func inForce(ws []desired, k record.RelationKind) bool {
	return slices.ContainsFunc(ws, func(w desired) bool { return w.kind == k && w.IsLive })
}

func (w *desired) open() bool { return !w.looked && w.IsLive != w.live }

// unchanged returns the conditions under which the decision still holds: for a relation that
// doesn't change, whether it exists.
func (w *desired) unchanged() []kv.Cond {
	switch {
	case w.open():
		return w.Unchanged()
	case w.IsLive:
		return []kv.Cond{kv.HasMember{Key: w.Live, Member: w.Member}}
	}
	return []kv.Cond{kv.NoMember{Key: w.Live, Member: w.Member}}
}

// SetRelation changes the owner's side of a relation and of all that end with it. It writes nothing
// if the state is already as requested. If a response was lost it reports a change, so that the
// caller copies it.
func (s *Store) SetRelation(ctx context.Context, c RelationChange) (did SetResult, err error) {
	for round := range db.MaxRaces {
		ws := c.desired()
		if err := s.readDesired(ctx, &c, ws, round == 0); err != nil {
			return SetResult{}, err
		}
		idle := !slices.ContainsFunc(ws, func(w desired) bool { return w.open() }) || c.Unless.Name != "" && inForce(ws, c.Unless)
		barred := c.While.Name != "" && !inForce(ws, c.While)
		switch {
		case (idle || barred) && db.RetryDurable(&ctx):
			continue
		case idle:
			return did, nil
		case barred:
			return did, db.ErrCondition
		}
		made, err := s.db.Txn(ctx, c.conds(ws), c.ops(ws, s.db.Now().UnixMilli())...)
		switch {
		case errors.Is(err, kv.ErrUnknown):
			// The loop reads the result. If the state is as requested, this call has most likely
			// set it. The caller's other operations can't be written twice, since they are in the
			// same transaction.
			did, ctx = SetResult{Changed: true, Unsure: true}, kv.Durable(ctx)
		case err != nil:
			return SetResult{}, fmt.Errorf("write %s: %w", c.Kind.Name, err)
		case made:
			return SetResult{Changed: true}, nil
		}
	}
	return SetResult{}, db.TooManyRaces(c.Kind.Name+" of", c.Owner)
}

// conds returns the conditions of a change. The first ones are that the sides haven't changed since
// they were read. If one of them fails, the change is retried. Then come the caller's conditions
// and the limit.
func (c *RelationChange) conds(ws []desired) []kv.Cond {
	var conds []kv.Cond
	for i := range ws {
		conds = append(conds, ws[i].unchanged()...)
	}
	conds = append(conds, db.AllElse(c.Conds, db.ErrCondition)...)
	if c.Live && c.Below > 0 && c.Kind.OwnerCounter != "" {
		conds = append(conds, db.Else(kv.CounterBelow{Key: record.CountsKey(c.Owner), Name: c.Kind.OwnerCounter, Limit: c.Below}, ErrLimit))
	}
	return conds
}

// ops returns the operations of the requested change.
func (c *RelationChange) ops(ws []desired, now int64) []kv.Op {
	var ops []kv.Op
	for i := range ws {
		w := &ws[i]
		if !w.open() {
			continue
		}
		version := max(now, w.Version+1)
		ops = append(ops, w.Set(w.live, version)...)
		if op := c.memberships(w, version); op != nil {
			ops = append(ops, op)
		}
		if w.kind.OwnerCounter != "" {
			ops = append(ops, kv.Incr{Key: record.CountsKey(c.Owner), Name: w.kind.OwnerCounter, By: db.Step(w.IsLive, w.live)})
		}
		if c.Task != nil {
			ops = append(ops, c.Task(w.kind, Transition{Version: version, Live: w.live, Was: w.Version})...)
		}
	}
	return append(ops, c.Ops...)
}
