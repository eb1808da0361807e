package diskkv

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/feeds"
)

// A batch of an Apply holds the locks of its shards while it is built. So it is short: other
// callers wait for about a millisecond.
const (
	batchChanges = 200
	batchBytes   = 1 << 20
)

// Apply implements kv.Store. Changes of feeds alone are made in memory, without shard locks and in
// any state of the disk.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if err := kv.CheckApply(changes); err != nil {
		return err
	}
	// Changes of feeds count as calls too, so that Close saves the acknowledged ones.
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("apply changes: %w", err)
	}
	defer e.leave()
	changes = changes[e.feeds.ChangeFirst(changes):]
	if len(changes) == 0 {
		return nil
	}
	if err := e.applyStored(ctx, changes); err != nil {
		return fmt.Errorf("apply changes: %w", e.damaged(err))
	}
	return nil
}

// applyStored alternates between a batch of stored changes and the feed changes that follow it,
// which are made when the batch is visible. It waits for the disk only at the end.
func (e *Engine) applyStored(ctx context.Context, changes []kv.Op) error {
	var sent []batch
	for len(changes) > 0 {
		n := batchLen(changes)
		cs, err := e.applyBatch(ctx, changes[:n])
		if err != nil {
			abandon(sent)
			return err
		}
		sent = append(sent, batch{cs, changes[:n]})
		changes = changes[n:]
	}
	for i, b := range sent {
		for _, c := range b.commits {
			if err := e.wait(ctx, c); err != nil {
				abandon(sent[i:])
				return err
			}
		}
	}
	return nil
}

// batch is a part of an Apply, with the commits to await before it is acknowledged.
type batch struct {
	commits []*commit
	changes []kv.Op
}

func abandon(batches []batch) {
	for _, b := range batches {
		for _, c := range b.commits {
			c.abandon(b.changes)
		}
	}
}

// batchLen returns the number of changes, at least one, to make at once from the beginning: a
// limited number of stored changes and the feed changes after them.
func batchLen(changes []kv.Op) int {
	n, bytes := 0, 0
	for n < len(changes) && n < batchChanges && !feeds.Concerns(changes[n]) {
		if p, ok := changes[n].(kv.Put); ok {
			bytes += len(p.Data)
		}
		if n > 0 && bytes > batchBytes {
			return n
		}
		n++
	}
	for n < len(changes) && feeds.Concerns(changes[n]) {
		n++
	}
	return n
}

// applyBatch returns the commits to await before the batch is acknowledged.
func (e *Engine) applyBatch(ctx context.Context, changes []kv.Op) ([]*commit, error) {
	if err := e.space.check(0); err != nil {
		return nil, err
	}
	held := shardsOf(changes)
	if err := e.lockShards(ctx, held); err != nil {
		return nil, err
	}
	return e.change(ctx, changes, held)
}

// shardsOf returns the distinct shards of changes in ascending order.
func shardsOf(changes []kv.Op) []uint16 {
	shards := make([]uint16, len(changes))
	for i, c := range changes {
		shards[i] = kv.KeyOfOp(c).Shard
	}
	slices.Sort(shards)
	return slices.Compact(shards)
}
