package faultkv

import (
	"context"
	"fmt"

	"linnet/internal/kv"
)

// Read implements kv.Store.
func (e *Engine) Read(ctx context.Context, qs ...kv.Query) error {
	if err := kv.CheckRead(qs); err != nil {
		return err
	}
	if _, err := e.begin(ctx, func(s *Stats) { s.Reads++; s.Queries += len(qs) }); err != nil {
		return err
	}
	if err := e.within().Read(ctx, qs...); err != nil {
		return err
	}
	if kv.IsDurable(ctx) && e.replicasMiss(false) {
		return fmt.Errorf("%w: no replica has the data that was read", kv.ErrUnavailable)
	}
	return nil
}

// Txn implements kv.Store.
func (e *Engine) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	if _, err := kv.CheckTxn(conds, changes); err != nil {
		return -1, err
	}
	when, err := e.begin(ctx, func(s *Stats) { s.Txns++; s.Changes += len(changes) })
	if err != nil {
		return -1, err
	}
	if when == Before || when == Half {
		return -1, fmt.Errorf("%w: failed before the write", kv.ErrUnavailable)
	}
	failed, err := e.within().Txn(ctx, conds, changes...)
	if when == After && err == nil {
		return -1, fmt.Errorf("%w: the answer was lost", kv.ErrUnknown)
	}
	switch {
	case err != nil || !e.replicasMiss(true):
		return failed, err
	case failed >= 0:
		return -1, fmt.Errorf("%w: no replica has the data on which the condition failed", kv.ErrUnavailable)
	}
	return -1, fmt.Errorf("%w: no replica has the data that was written", kv.ErrUnknown)
}

// Apply implements kv.Store.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if err := kv.CheckApply(changes); err != nil {
		return err
	}
	when, err := e.begin(ctx, func(s *Stats) { s.Applies++; s.Changes += len(changes) })
	if err != nil {
		return err
	}
	switch when {
	case Before:
		return fmt.Errorf("%w: failed before the write", kv.ErrUnavailable)
	case Half:
		changes = changes[:len(changes)/2]
	}
	if err := e.within().Apply(ctx, changes...); err != nil {
		return err
	}
	if when == Half || when == After || e.replicasMiss(true) {
		return fmt.Errorf("%w: the answer was lost", kv.ErrUnavailable)
	}
	return nil
}

// Close implements kv.Store. It closes the wrapped engine even while it is unavailable.
func (e *Engine) Close() error { return e.within().Close() }
