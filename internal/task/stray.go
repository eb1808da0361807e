package task

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// A stray is a task that was written although the action got no response and could not check the
// result in time, as in a failover. The action has failed, so it does not run the task, and no
// other server does before the lease ends.

const (
	// strayAfter is the age from which a new task can be a stray.
	strayAfter = 3 * time.Second
	// strayUntil is the age from which the store is no longer asked. By then, a write with a lost
	// response has either happened or never will.
	strayUntil = 10 * time.Second
	// strayMost limits the recorded new tasks.
	strayMost = 10_000
	strayLook = time.Second
)

// draw records a task until an action runs it. The caller holds the lock.
func (q *Queue) draw(t Task, now time.Time) {
	if t.ID != "" && len(q.drawn) < strayMost {
		t.since = now
		q.drawn[t.ID] = &t
	}
}

// strayLoop looks for strays until ctx ends.
func (q *Queue) strayLoop(ctx context.Context) {
	for sleep(ctx, strayLook); ctx.Err() == nil; sleep(ctx, strayLook) {
		if err := q.takeStrays(ctx); err != nil && ctx.Err() == nil {
			q.opt.Log.Debug("cannot scan for unfinished tasks", "err", err)
		}
	}
}

// takeStrays takes the current strays. Most new tasks that are not held were never written, because
// their action was refused.
func (q *Queue) takeStrays(ctx context.Context) error {
	var old []*Task
	var qs []kv.Query
	now := q.opt.Now()
	q.mu.Lock()
	for _, t := range q.drawn {
		if now.Sub(t.since) >= strayAfter && len(old) < kv.MaxRange {
			old, qs = append(old, t), append(qs, &kv.Get{Key: Key(t.Shard, t.ID)})
		}
	}
	q.mu.Unlock()
	if len(old) == 0 {
		return nil
	}
	if err := q.kv.Read(ctx, qs...); err != nil {
		return err
	}
	for i, t := range old {
		if qs[i].(*kv.Get).Version > 0 {
			if err := q.take(ctx, t.Shard, kv.Member{Member: t.ID, Score: t.due}); err != nil {
				return err
			}
		} else if now.Sub(t.since) < strayUntil {
			continue
		}
		q.mu.Lock()
		delete(q.drawn, t.ID)
		q.mu.Unlock()
	}
	return nil
}
