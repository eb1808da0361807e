package diskkv

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/feeds"
)

// Txn implements kv.Store. Feeds are changed after the other changes are visible, because a feed
// may lag behind but must not run ahead.
func (e *Engine) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	shard, err := kv.CheckTxn(conds, changes)
	if err != nil {
		return -1, err
	}
	if err := e.enter(ctx); err != nil {
		return -1, fmt.Errorf("run a transaction: %w", err)
	}
	defer e.leave()
	failed, c, err := e.submit(ctx, shard, conds, changes)
	if err != nil {
		return -1, fmt.Errorf("run a transaction: %w", e.damaged(err))
	}
	if err := e.wait(ctx, c); err != nil {
		if failed < 0 { // the changes are made, or will be
			c.abandon(changes)
		}
		return -1, fmt.Errorf("run a transaction: %w", err)
	}
	return failed, nil
}

// submit makes the changes if the conditions hold. It returns the commit to await before the
// response: its own, or the last one of the shard if nothing was changed.
func (e *Engine) submit(ctx context.Context, shard uint16, conds []kv.Cond, changes []kv.Op) (int, *commit, error) {
	if anyStored(changes) {
		if err := e.space.check(0); err != nil {
			return -1, nil, err
		}
	}
	if err := e.lockShard(ctx, shard); err != nil {
		return -1, nil, err
	}
	held := []uint16{shard}
	failed, err := e.check(conds)
	if err != nil || failed >= 0 {
		c := e.shards.last(shard)
		e.shards.unlockAll(held)
		return failed, c, err
	}
	cs, err := e.change(ctx, changes, held)
	if err != nil {
		return -1, nil, err
	}
	return -1, cs[0], nil
}

// change makes changes in locked shards and releases the locks. It returns the commits to await
// before the acknowledgement: its own, or the last ones of the shards if nothing was written.
func (e *Engine) change(ctx context.Context, changes []kv.Op, held []uint16) ([]*commit, error) {
	b, err := e.build(changes)
	if err != nil {
		e.shards.unlockAll(held)
		return nil, err
	}
	if b.Empty() {
		b.Close()
		e.feeds.Change(changes)
		last := make([]*commit, len(held))
		for i, s := range held {
			last[i] = e.shards.last(s)
		}
		e.shards.unlockAll(held)
		return last, nil
	}
	if err := e.space.check(b.Len()); err != nil {
		b.Close()
		e.shards.unlockAll(held)
		return nil, err
	}
	return []*commit{e.commit(b, held, feeds.Copy(changes), kv.IsRelaxed(ctx))}, nil
}

func (e *Engine) check(conds []kv.Cond) (int, error) {
	if len(conds) == 0 {
		return -1, nil
	}
	r := e.reader()
	defer e.release(r)
	for i, c := range conds {
		ok, err := r.holds(c)
		if err != nil {
			return -1, fmt.Errorf("check the condition on %v: %w", kv.KeyOfCond(c), err)
		}
		if !ok {
			return i, nil
		}
	}
	return -1, nil
}

// anyStored reports whether a change may need the disk.
func anyStored(changes []kv.Op) bool {
	for _, c := range changes {
		if !feeds.Concerns(c) {
			return true
		}
	}
	return false
}
