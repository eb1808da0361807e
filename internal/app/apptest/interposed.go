package apptest

import (
	"context"
	"slices"
	"sync/atomic"

	"linnet/internal/kv"
)

// Interposed is an engine that calls a function once, before the first push to a feed or the first
// removal from it. Workers can write meanwhile.
type Interposed struct {
	kv.Engine
	Next atomic.Pointer[Interposition]
}

// Interposition is a feed, and the function to call before its first change.
type Interposition struct {
	Feed kv.Key
	Do   func()
}

// Apply implements kv.Engine.
func (e *Interposed) Apply(ctx context.Context, ops ...kv.Op) error {
	e.before(ops, func(op kv.Op) bool { _, pushes := op.(*kv.Push); return pushes })
	return e.Engine.Apply(ctx, ops...)
}

// Txn implements kv.Engine.
func (e *Interposed) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	e.before(ops, func(op kv.Op) bool { _, pulls := op.(kv.Pull); return pulls })
	return e.Engine.Txn(ctx, conds, ops...)
}

// before calls the function if one of the ops changes the feed and satisfies such.
func (e *Interposed) before(ops []kv.Op, such func(kv.Op) bool) {
	next := e.Next.Load()
	if next == nil {
		return
	}
	meets := func(op kv.Op) bool { return such(op) && kv.KeyOfOp(op) == next.Feed }
	if slices.ContainsFunc(ops, meets) && e.Next.CompareAndSwap(next, nil) {
		next.Do()
	}
}
