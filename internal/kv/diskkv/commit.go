package diskkv

import (
	"context"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/feeds"
)

// commit is one batch on its way to the disk.
type commit struct {
	done chan struct{} // closed when it may be acknowledged, to a relaxed caller if behind is not 0
	// behind numbers a relaxed commit, which is durable once durable has come so
	// far; 0 for the others. It is not changed once done is closed.
	behind uint64

	mu      sync.Mutex
	visible bool
	left    []kv.Key // of callers who could not wait until it was visible
}

// abandon notes that a caller returns without knowing what becomes of changes.
func (c *commit) abandon(changes []kv.Op) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.visible {
		return
	}
	for _, op := range changes {
		if !feeds.Concerns(op) {
			c.left = append(c.left, kv.KeyOfOp(op))
		}
	}
}

// markVisible notes that the commit is visible, and returns what callers have left.
func (c *commit) markVisible() []kv.Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.left
	c.visible, c.left = true, nil
	return left
}

func newCommit() *commit { return &commit{done: make(chan struct{})} }

// commit hands a batch to the log and owns, from here on, the batch and the
// locks: both are given back whatever becomes of the caller. That takes a
// goroutine, because the library waits without a deadline when the disk is slow
// (for room in its tables, for a place in the queue of fsyncs). The feeds among
// the changes change when the batch is visible and the shards are still locked.
func (e *Engine) commit(b *pebble.Batch, held []uint16, changes []kv.Op, relaxed bool) *commit {
	c := newCommit()
	e.users.Add(1)
	go e.carryOut(b, held, changes, c, e.opts.Sync == SyncAlways && !relaxed)
	return c
}

func (e *Engine) carryOut(b *pebble.Batch, held []uint16, changes []kv.Op, c *commit, sync bool) {
	defer e.users.Done()
	defer func() {
		if r := recover(); r != nil {
			e.fail(fmt.Sprintf("commit: %v", r))
		}
	}()
	e.space.spend(b.Len())
	var err error
	covers := e.relaxed.Load() // what is in the log before this
	if sync {
		e.pace.commits.Add(1)
		err = e.db.ApplyNoSyncWait(b, pebble.Sync)
	} else {
		err = e.db.Apply(b, pebble.NoSync)
		e.unsynced.Store(true)
	}
	if err != nil {
		e.fail(fmt.Sprintf("commit: %v", err))
		return
	}
	if !sync && e.opts.Sync == SyncAlways {
		c.behind = e.relaxed.Add(1)
	}
	e.feeds.Change(changes)
	e.late.notify(c.markVisible())
	for _, s := range held {
		e.shards.unlock(s, c)
	}
	if sync {
		if err := b.SyncWait(); err != nil {
			e.fail(fmt.Sprintf("fsync of the log: %v", err))
			return
		}
		e.settle(covers)
	}
	close(c.done)
	b.Close()
}

// settle notes that the first relaxed commits are durable.
func (e *Engine) settle(n uint64) {
	for {
		old := e.durable.Load()
		if old >= n || e.durable.CompareAndSwap(old, n) {
			return
		}
	}
}

// wait returns when the commit may be acknowledged to this caller. The error
// leaves the outcome open.
func (e *Engine) wait(ctx context.Context, c *commit) error {
	if err := e.waitDone(ctx, c); err != nil {
		return err
	}
	if c.behind <= e.durable.Load() || kv.IsRelaxed(ctx) {
		return nil
	}
	// A change that was not durable yet decided this call's answer.
	return e.waitDone(ctx, e.syncBehind())
}

// syncBehind makes durable all that was written so far.
func (e *Engine) syncBehind() *commit {
	c := newCommit()
	e.users.Add(1)
	go func() {
		defer e.users.Done()
		covers := e.relaxed.Load()
		if e.syncLog() {
			e.settle(covers)
			close(c.done)
		}
	}()
	return c
}

func (e *Engine) waitDone(ctx context.Context, c *commit) error {
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

// syncLog makes durable all that was written; if it cannot, the engine fails.
func (e *Engine) syncLog() (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			e.fail(fmt.Sprintf("sync of the log: %v", r))
		}
	}()
	if err := e.db.LogData(nil, pebble.Sync); err != nil {
		e.fail(fmt.Sprintf("fsync of the log: %v", err))
		return false
	}
	return true
}

// lateListeners hear of writes that were made after their callers had gone.
type lateListeners struct {
	mu sync.Mutex
	fs []func([]kv.Key)
}

// Late implements kv.Late.
func (e *Engine) Late(f func([]kv.Key)) {
	e.late.mu.Lock()
	defer e.late.mu.Unlock()
	e.late.fs = append(e.late.fs, f)
}

func (l *lateListeners) notify(keys []kv.Key) {
	if len(keys) == 0 {
		return
	}
	l.mu.Lock()
	fs := l.fs
	l.mu.Unlock()
	for _, f := range fs {
		f(keys)
	}
}
