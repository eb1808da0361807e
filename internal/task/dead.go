package task

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
)

// Listed is a task for operators.
type Listed struct {
	ID    string
	Shard uint16
	Kind  string
	Args  []byte
	Tries int
	Cause string    // the last error
	At    time.Time // when it is due, or when it failed for good
	Dead  bool
}

// List returns at most limit tasks of all shards: the failed ones if dead is set, and otherwise the
// waiting ones. It reads every shard, so it is for commands and not for requests.
func List(ctx context.Context, store kv.Store, dead bool, limit int) ([]Listed, error) {
	qs := make([]kv.Query, kv.Shards)
	for s := range uint16(kv.Shards) {
		key := DueKey(s)
		if dead {
			key = DeadKey(s)
		}
		qs[s] = &kv.Range{Key: key, Limit: min(limit, kv.MaxRange)}
	}
	if err := store.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	var out []Listed
	var gets []kv.Query
	for s := range uint16(kv.Shards) {
		for _, m := range qs[s].(*kv.Range).Members {
			if len(out) == limit {
				break
			}
			out = append(out, Listed{ID: m.Member, Shard: s, At: time.UnixMilli(m.Score), Dead: dead})
			gets = append(gets, &kv.Get{Key: Key(s, m.Member)})
		}
	}
	if err := store.Read(ctx, gets...); err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	for i := range out {
		get := gets[i].(*kv.Get)
		if get.Version == 0 {
			continue // removed between the two reads
		}
		t, err := decode(out[i].Shard, out[i].ID, *get)
		if err != nil { // listed anyway, so that it can be dropped
			out[i].Cause = err.Error()
			continue
		}
		out[i].Kind, out[i].Args, out[i].Tries, out[i].Cause = t.Kind, t.Args, t.tries, t.cause
	}
	return out, nil
}

// Retry makes a failed task due again with all its tries. A sweep takes it. It reports whether the
// task exists.
func Retry(ctx context.Context, store Engine, shard uint16, id string, now time.Time) (bool, error) {
	get := kv.Get{Key: Key(shard, id)}
	if err := store.Read(ctx, &get); err != nil || get.Version == 0 {
		return false, err
	}
	t, err := decode(shard, id, get)
	if err != nil {
		return false, err
	}
	t.tries, t.due, t.ver = 0, now.UnixMilli(), t.ver+1
	back, err := dead(ctx, store, shard, id, t.Ops()...)
	if back {
		hint(ctx, store, shard)
	}
	return back, err
}

// Drop deletes a failed task. It reports whether the task exists.
func Drop(ctx context.Context, store kv.Store, shard uint16, id string) (bool, error) {
	return dead(ctx, store, shard, id, kv.Delete{Key: Key(shard, id)})
}

func dead(ctx context.Context, store kv.Store, shard uint16, id string, ops ...kv.Op) (bool, error) {
	ops = append(ops, kv.Remove{Key: DeadKey(shard), Member: id})
	failed, err := store.Txn(ctx, []kv.Cond{kv.HasMember{Key: DeadKey(shard), Member: id}}, ops...)
	return err == nil && failed < 0, err
}

// StillDead returns those tasks of a list that are still in the dead-letter set.
func StillDead(ctx context.Context, store kv.Store, tasks []Listed) (out []Listed, err error) {
	qs := make([]kv.Query, len(tasks))
	for i, t := range tasks {
		qs[i] = &kv.Scores{Key: DeadKey(t.Shard), Members: []string{t.ID}}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := store.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("scan tasks: %w", err)
	}
	for i, q := range qs {
		if q.(*kv.Scores).Found[0] {
			out = append(out, tasks[i])
		}
	}
	return out, nil
}

// CountDead counts the failed tasks, up to one read for each shard. It reads every shard, so it is
// for commands and metrics and not for requests.
func CountDead(ctx context.Context, store kv.Store) (n int, err error) {
	qs := make([]kv.Query, kv.Shards)
	for s := range uint16(kv.Shards) {
		qs[s] = &kv.Range{Key: DeadKey(s), Limit: kv.MaxRange}
	}
	if err := store.Read(ctx, qs...); err != nil {
		return 0, fmt.Errorf("count tasks: %w", err)
	}
	for _, q := range qs {
		n += len(q.(*kv.Range).Members)
	}
	return n, nil
}
