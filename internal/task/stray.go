package task

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// A stray is a task that an act has written without learning so: the answer was lost, and the
// store could not be asked again in time, as in a failover. The act has failed, so it does not
// run the task, and no other server does before the lease ends.

const (
	// strayAfter is how old a drawn task is before it may be a stray.
	strayAfter = 3 * time.Second
	// strayUntil is how old it is before the store is not asked any more: a write whose answer
	// was lost has long been made then, or never is.
	strayUntil = 10 * time.Second
	// strayMost limits how many drawn tasks are remembered.
	strayMost = 10_000
	strayLook = time.Second
)

// draw remembers a task until an act has it run. It is called with the lock held.
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
			q.opt.Log.Debug("cannot scan tasks of failed requests", "err", err)
		}
	}
}

// takeStrays takes the strays that there are. Most drawn tasks that are not held were never
// written, since their act was refused.
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
