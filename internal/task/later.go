package task

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
)

// A task may be left for a time to come, however far ahead: nobody holds it until then.
// It lies in a set of its own, so that what is due is found without it. A server that
// sweeps knows of each of its shards when the next one is due, looks there then, and
// moves what is due to the others, so within about a second. It learns of them by a look
// into all shards now and then, and between two of these by hints (Left); alone, by the
// looks, which are a minute apart.

const (
	kindLater   = "latertasks" // set of tasks left for later by their time, one per shard
	laterEvery  = time.Minute
	laterSpread = 10 * time.Minute // where a look is a question for each shard
)

// LaterKey is the set of tasks of a shard that are left for later, by their time in Unix
// milliseconds.
func LaterKey(shard uint16) kv.Key { return kv.Key{Kind: kindLater, Shard: shard} }

// NewLater makes a task that is left until a time. The caller writes its Ops in the
// transaction of the act, and does nothing else. Its id is chosen by the caller, who can
// take it back by it (Recall), and is not used again.
func NewLater(shard uint16, id, kind string, args any, at time.Time) (Task, error) {
	b, err := json.Marshal(args)
	if err != nil {
		return Task{}, fmt.Errorf("encode arguments of task %s: %w", kind, err)
	}
	return Task{ID: id, Shard: shard, Kind: kind, Args: b, due: at.UnixMilli(), ver: 1, later: true}, nil
}

// Recall are the changes that take a task back which was left for later. One whose time
// has come meanwhile may be at work all the same.
func Recall(shard uint16, id string) []kv.Op {
	return []kv.Op{kv.Delete{Key: Key(shard, id)}, kv.Remove{Key: LaterKey(shard), Member: id}}
}

// Aside are the changes that set a task aside which is new, or was left for later, with its
// last fault, for an operator to decide about. Recall of its former self goes before.
func (t Task) Aside(cause string, now time.Time) []kv.Op {
	t.cause = cut(cause, 500)
	return []kv.Op{t.put(), kv.Add{Key: DeadKey(t.Shard), Member: t.ID, Score: now.UnixMilli()}}
}

// Left tells those who sweep that a task was left for later in a shard.
func (q *Queue) Left(ctx context.Context, shard uint16) {
	if !q.opt.Exclusive {
		hint(ctx, q.kv, shard)
	}
}

// laters is what a server knows of tasks that were left for later. It is of one goroutine.
type laters struct {
	q     *Queue
	next  map[uint16]time.Time // when the next is due of each shard that has some
	whole time.Time            // when all shards are looked into
}

func (q *Queue) newLaters() *laters { return &laters{q: q, next: map[uint16]time.Time{}} }

// soonest is when there is something to do.
func (l *laters) soonest() time.Time {
	at := l.whole
	for _, t := range l.next {
		if t.Before(at) {
			at = t
		}
	}
	return at
}

// bring moves what is due of some shards to this server's own tasks.
func (l *laters) bring(ctx context.Context, mine []uint16) {
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

// look does so in shards that are likely to have some, and notes when the next are due.
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
		return fmt.Errorf("read tasks left for later: %w", err)
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
			l.next[s] = now // there may be more than a batch
		}
	}
	return nil
}

// takeLater makes a task whose time has come one of this server's, if nobody else has.
func (q *Queue) takeLater(ctx context.Context, shard uint16, m kv.Member, now time.Time) error {
	get := kv.Get{Key: Key(shard, m.Member)}
	if err := q.kv.Read(ctx, &get); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	left := []kv.Cond{kv.ScoreIs{Key: LaterKey(shard), Member: m.Member, Score: m.Score}}
	remove := kv.Remove{Key: LaterKey(shard), Member: m.Member}
	if get.Version == 0 { // only the entry was left
		_, err := q.kv.Txn(ctx, append(left, kv.Absent(get.Key)), remove)
		return err
	}
	t, err := decode(shard, m.Member, get)
	if err != nil { // nobody can do it: an operator has to look
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
