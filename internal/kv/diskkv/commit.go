package diskkv

import (
	"context"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/feeds"
)

// commit is one batch that is being written to the disk.
type commit struct {
	done chan struct{} // closed when it can be acknowledged; if behind is not 0, to relaxed callers
	// behind is the number of a relaxed commit. The commit is durable when Engine.durable has
	// reached it. It is 0 for other commits and does not change once done is closed.
	behind uint64

	mu      sync.Mutex
	visible bool
	left    []kv.Key // keys of callers that returned before it was visible
}

// abandon records that a caller returns without knowing the result of its changes.
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

// markVisible records that the commit is visible and returns the keys of callers that have
// returned.
func (c *commit) markVisible() []kv.Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.left
	c.visible, c.left = true, nil
	return left
}

func newCommit() *commit { return &commit{done: make(chan struct{})} }

// commit writes a batch to the log. It takes over the batch and the locks and releases both, even
// if the caller returns early. This needs a goroutine, because the library waits without a deadline
// when the disk is slow, for memory tables or for a place in the fsync queue. Feeds are changed
// when the batch is visible and the shards are still locked.
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
	e.space.left.Add(-3 * int64(b.Len())) // the data is written again to a table, and when tables are merged
	var err error
	covers := e.relaxed.Load() // relaxed commits that are already in the log
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
		e.shards[s].last = c
		<-e.shards[s].held
	}
	if sync {
		if err := b.SyncWait(); err != nil {
			e.fail(fmt.Sprintf("fsync of the log: %v", err))
			return
		}
		e.markDurable(covers)
	}
	close(c.done)
	b.Close()
}

// markDurable records that the first n relaxed commits are durable.
func (e *Engine) markDurable(n uint64) {
	for {
		old := e.durable.Load()
		if old >= n || e.durable.CompareAndSwap(old, n) {
			return
		}
	}
}

// wait returns when the commit can be acknowledged to this caller. After an error the result is
// unknown.
func (e *Engine) wait(ctx context.Context, c *commit) error {
	if err := e.waitDone(ctx, c); err != nil {
		return err
	}
	if c.behind <= e.durable.Load() || kv.IsRelaxed(ctx) {
		return nil
	}
	// The result of this call depends on a change that was not durable yet.
	return e.waitDone(ctx, e.syncBehind())
}

// syncBehind makes all previous writes durable.
func (e *Engine) syncBehind() *commit {
	c := newCommit()
	e.users.Add(1)
	go func() {
		defer e.users.Done()
		covers := e.relaxed.Load()
		if e.syncLog() {
			e.markDurable(covers)
			close(c.done)
		}
	}()
	return c
}

func (e *Engine) waitDone(ctx context.Context, c *commit) error {
	select {
	case <-c.done: // first: a result is valid even after the deadline
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

// syncNew makes the writes since its last call durable.
func (e *Engine) syncNew() {
	if e.unsynced.Swap(false) {
		e.syncLog()
	}
}

// syncLog makes all previous writes durable. The engine fails if it cannot.
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

// lateListeners are called with writes that were made after their callers had returned.
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
