package diskkv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// commit is one batch on its way to the disk.
type commit struct {
	done chan struct{} // closed when it may be acknowledged
}

func newCommit() *commit { return &commit{done: make(chan struct{})} }

// commit hands a batch to the log and owns, from here on, the batch and the
// locks: both are given back whatever becomes of the caller. That takes a
// goroutine, because the library waits without a deadline when the disk is slow
// (for room in its tables, for a place in the queue of fsyncs). The feeds among
// the changes change when the batch is visible and the shards are still locked.
func (e *Engine) commit(b *pebble.Batch, held []uint16, changes []kv.Op) *commit {
	c := newCommit()
	e.users.Add(1)
	go e.carryOut(b, held, changes, c)
	return c
}

func (e *Engine) carryOut(b *pebble.Batch, held []uint16, changes []kv.Op, c *commit) {
	defer e.users.Done()
	defer func() {
		if r := recover(); r != nil {
			e.fail(fmt.Sprintf("commit: %v", r))
		}
	}()
	e.space.spend(b.Len())
	var err error
	if e.opts.Sync == SyncAlways {
		err = e.db.ApplyNoSyncWait(b, pebble.Sync)
	} else {
		err = e.db.Apply(b, pebble.NoSync)
		e.unsynced.Store(true)
	}
	if err != nil {
		e.fail(fmt.Sprintf("commit: %v", err))
		return
	}
	e.feeds.changeAll(changes)
	for _, s := range held {
		e.shards.unlock(s, c)
	}
	if e.opts.Sync == SyncAlways {
		if err := b.SyncWait(); err != nil {
			e.fail(fmt.Sprintf("fsync of the log: %v", err))
			return
		}
	}
	close(c.done)
	b.Close()
}

// wait returns when the commit may be acknowledged. The error leaves the
// outcome open.
func (e *Engine) wait(ctx context.Context, c *commit) error {
	select {
	case <-c.done: // first: a late context does not spoil what is done
		return nil
	default:
	}
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: waiting for the disk: %w", kv.ErrUnknown, ctx.Err())
	case <-e.failed:
		return fmt.Errorf("%w: the disk failed", kv.ErrUnknown)
	}
}

// syncNew makes durable what was written since it last ran.
func (e *Engine) syncNew() {
	if e.unsynced.Swap(false) {
		e.syncLog()
	}
}

// syncLog makes durable all that was written.
func (e *Engine) syncLog() {
	defer func() {
		if r := recover(); r != nil {
			e.fail(fmt.Sprintf("sync of the log: %v", r))
		}
	}()
	if err := e.db.LogData(nil, pebble.Sync); err != nil {
		e.fail(fmt.Sprintf("fsync of the log: %v", err))
	}
}
