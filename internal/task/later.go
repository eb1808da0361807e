package task

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
)

// A scheduled task has no lease holder until its time, however far ahead. Scheduled tasks are in
// separate sets, so that searches for due tasks do not read them. A server that sweeps knows when
// the next scheduled task of each of its shards is due, and then moves it to the due tasks, within
// about a second. It gets these times by reading all shards from time to time, and from hints in
// between (Left). A single server reads them every minute.

const (
	kindLater   = "latertasks" // set of scheduled tasks by time, one per shard
	laterEvery  = time.Minute
	laterSpread = 10 * time.Minute // interval if it takes one query per shard
)

// LaterKey is the set of scheduled tasks of a shard, by time in Unix milliseconds.
func LaterKey(shard uint16) kv.Key { return kv.Key{Kind: kindLater, Shard: shard} }

// NewLater returns a task that is scheduled for a time. The caller writes its Ops in the
// transaction of the action, and nothing more. The caller chooses the id, which must be unique, and
// can cancel the task with it (Recall).
func NewLater(shard uint16, id, kind string, args any, at time.Time) (Task, error) {
	b, err := json.Marshal(args)
	if err != nil {
		return Task{}, fmt.Errorf("encode arguments of task %s: %w", kind, err)
	}
	return Task{ID: id, Shard: shard, Kind: kind, Args: b, due: at.UnixMilli(), ver: 1, later: true}, nil
}

// Recall returns the changes that cancel a scheduled task. A task whose time has come may still
// run.
func Recall(shard uint16, id string) []kv.Op {
	return []kv.Op{kv.Delete{Key: Key(shard, id)}, kv.Remove{Key: LaterKey(shard), Member: id}}
}

// SetAside returns the changes that put a new or scheduled task into the dead-letter set with its
// last error. A scheduled task must be recalled first.
func (t Task) SetAside(cause string, now time.Time) []kv.Op {
	t.cause = cut(cause, 500)
	return []kv.Op{t.put(), kv.Add{Key: DeadKey(t.Shard), Member: t.ID, Score: now.UnixMilli()}}
}

// Left notifies servers that sweep of a new scheduled task in a shard.
func (q *Queue) Left(ctx context.Context, shard uint16) {
	if !q.opt.Exclusive {
		hint(ctx, q.kv, shard)
	}
}

// laters has a server's data about scheduled tasks. Use it from one goroutine.
type laters struct {
	q     *Queue
	next  map[uint16]time.Time // next time of each shard with scheduled tasks
	whole time.Time            // time of the next read of all shards
}

func (q *Queue) newLaters() *laters { return &laters{q: q, next: map[uint16]time.Time{}} }

// soonest returns the time of the next work.
func (l *laters) soonest() time.Time {
	at := l.whole
	for _, t := range l.next {
		if t.Before(at) {
			at = t
		}
	}
	return at
}

// moveDue moves due tasks of some shards to this server's tasks.
func (l *laters) moveDue(ctx context.Context, mine []uint16) {
	now := l.q.opt.Now()
	if !now.Before(l.whole) {
		if l.whole = now.Add(laterEvery); l.q.spread && !l.q.opt.Exclusive {
			l.whole = now.Add(laterSpread)
		}
		clear(l.next)
		l.look(ctx, mine)
		return
	}
	l.look(ctx, slices.DeleteFunc(slices.Clone(mine), func(s uint16) bool {
		at, ok := l.next[s]
		return !ok || at.After(now)
	}))
}

// look moves the due tasks of shards that probably have some, and records the next times.
func (l *laters) look(ctx context.Context, shards []uint16) {
	err := l.lookInto(ctx, shards)
	if err == nil {
		return
	}
	if soon := l.q.opt.Now().Add(laterEvery); soon.Before(l.whole) {
		l.whole = soon
	}
	if ctx.Err() == nil {
		l.q.opt.Log.Debug("cannot scan delayed tasks", "err", err)
	}
}

func (l *laters) lookInto(ctx context.Context, shards []uint16) (err error) {
	if len(shards) > sweepGroup {
		if shards, err = l.q.busyIn(ctx, shards, LaterKey); err != nil {
			return err
		}
	}
	if len(shards) == 0 {
		return nil
	}
	qs := make([]kv.Query, len(shards))
	for i, s := range shards {
		qs[i] = &kv.Range{Key: LaterKey(s), Limit: sweepBatch}
	}
	if err := l.q.kv.Read(ctx, qs...); err != nil {
		return fmt.Errorf("read delayed tasks: %w", err)
	}
	now := l.q.opt.Now()
	for i, s := range shards {
		delete(l.next, s)
		for _, m := range qs[i].(*kv.Range).Members {
			if at := time.UnixMilli(m.Score); at.After(now) {
				l.next[s] = at
				break
			}
			if err := l.q.takeLater(ctx, s, m, now); err != nil {
				return err
			}
			l.next[s] = now // there may be more than one batch
		}
	}
	return nil
}

// takeLater takes a task whose time has come, unless another server has taken it.
func (q *Queue) takeLater(ctx context.Context, shard uint16, m kv.Member, now time.Time) error {
	get := kv.Get{Key: Key(shard, m.Member)}
	if err := q.kv.Read(ctx, &get); err != nil {
		return fmt.Errorf("read a delayed task: %w", err)
	}
	left := []kv.Cond{kv.ScoreIs{Key: LaterKey(shard), Member: m.Member, Score: m.Score}}
	remove := kv.Remove{Key: LaterKey(shard), Member: m.Member}
	if get.Version == 0 { // the record is missing
		_, err := q.kv.Txn(ctx, append(left, kv.Absent(get.Key)), remove)
		return err
	}
	t, err := decode(shard, m.Member, get)
	if err != nil { // no server can run it: an operator has to look
		_, aside := q.kv.Txn(ctx, left, remove, kv.Add{Key: DeadKey(shard), Member: m.Member, Score: now.UnixMilli()})
		return aside
	}
	t.due = q.lease(now).UnixMilli()
	failed, err := q.kv.Txn(ctx, left, remove, kv.Add{Key: DueKey(shard), Member: m.Member, Score: t.due})
	if err == nil && failed < 0 {
		q.Start(t)
	}
	return err
}
