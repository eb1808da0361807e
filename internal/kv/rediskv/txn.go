package rediskv

import (
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
)

// shape is the data type of a key.
type shape uint8

const (
	anyShape shape = iota
	valueShape
	counterShape
	setShape
	feedShape
)

// Txn implements kv.Store as one script. With WaitReplicas it also waits for the replicas, even if
// a condition failed.
func (e *Engine) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	shard, err := kv.CheckTxn(conds, changes)
	if err != nil {
		return -1, err
	}
	if err := checkShapes(changes); err != nil {
		return -1, err
	}
	if err := e.enter(ctx); err != nil {
		return -1, fmt.Errorf("run a transaction: %w", err)
	}
	defer e.leave()
	texts := e.newTexts()
	keys, args := texts.txn(conds, changes)
	keys, args = e.guard.call(shard, keys, args)
	failed, err := e.runTxn(ctx, shard, keys, args)
	if err != nil {
		return -1, fmt.Errorf("run a transaction in shard %d: %w", shard, classify(ctx, err, writing))
	}
	if failed < -1 || failed >= int64(len(conds)) {
		return -1, fmt.Errorf("%w: the transaction script returned %d", kv.ErrUnknown, failed)
	}
	return int(failed), nil
}

// checkShapes refuses transactions that could fail halfway, because a key is put and used as
// another shape.
func checkShapes(changes []kv.Op) error {
	if len(changes) == 1 {
		return nil
	}
	shapes := make(map[kv.Key]shape, len(changes))
	for _, c := range changes {
		is := shapeOf(c)
		if is == anyShape {
			continue
		}
		k := kv.KeyOfOp(c)
		if was, ok := shapes[k]; ok && was != is {
			return fmt.Errorf("%w: %v is used with two types in one transaction", kv.ErrRefused, k)
		}
		shapes[k] = is
	}
	return nil
}

func shapeOf(c kv.Op) shape {
	switch c.(type) {
	case kv.Put:
		return valueShape
	case kv.Incr:
		return counterShape
	case kv.Add, kv.Remove, kv.Trim:
		return setShape
	case *kv.Push, kv.Pull, kv.Merge, kv.Fill, kv.Filled:
		return feedShape
	}
	return anyShape
}

// txn encodes conditions and changes for luaTxn.
func (t *texts) txn(conds []kv.Cond, changes []kv.Op) (keys, args []string) {
	keys = make([]string, 0, len(conds)+len(changes))
	args = make([]string, 0, 1+3*(len(conds)+len(changes)))
	args = append(args, t.uint(uint64(len(conds))))
	for _, c := range conds {
		keys = append(keys, t.key(kv.KeyOfCond(c)))
		args = t.cond(args, c)
	}
	changes, deleted := arranged(changes)
	for _, c := range changes {
		keys = append(keys, t.key(kv.KeyOfOp(c)))
		args = t.change(args, c)
		if _, ok := c.(kv.Incr); ok && deleted[kv.KeyOfOp(c)] {
			args[len(args)-3] = "J"
		}
	}
	return keys, args
}

// arranged orders changes so that luaTxn can make them without checks: increments, which fail on
// non-numbers, changes of sets and feeds, which fail on another shape, and then changes that cannot
// fail. Changes of a deleted key stay in order at the end, except increments before the deletion.
func arranged(changes []kv.Op) (order []kv.Op, deleted map[kv.Key]bool) {
	if len(changes) == 1 {
		return changes, nil
	}
	last := map[kv.Key]int{} // index of the last deletion of each key
	for i, c := range changes {
		if _, ok := c.(kv.Delete); ok {
			last[kv.KeyOfOp(c)] = i
		}
	}
	order, deleted = make([]kv.Op, 0, len(changes)), make(map[kv.Key]bool, len(last))
	for k := range last {
		deleted[k] = true
	}
	take := func(these func(kv.Op) bool) {
		for _, c := range changes {
			if !deleted[kv.KeyOfOp(c)] && these(c) {
				order = append(order, c)
			}
		}
	}
	take(func(c kv.Op) bool { return shapeOf(c) == counterShape })
	take(func(c kv.Op) bool { return shapeOf(c) == setShape || shapeOf(c) == feedShape })
	take(func(c kv.Op) bool { return shapeOf(c) == valueShape })
	for i, c := range changes {
		k := kv.KeyOfOp(c)
		if deleted[k] && (shapeOf(c) != counterShape || i > last[k]) {
			order = append(order, c)
		}
	}
	return order, deleted
}

func (t *texts) cond(args []string, c kv.Cond) []string {
	switch c := c.(type) {
	case kv.VersionIs:
		return append(args, "v", t.uint(c.Version))
	case kv.Present:
		return append(args, "p")
	case kv.HasMember:
		return append(args, "m", c.Member)
	case kv.NoMember:
		return append(args, "n", c.Member)
	case kv.ScoreIs:
		return append(args, "s", c.Member, t.int(c.Score))
	case kv.AllBelow:
		return append(args, "b", t.int(c.Score))
	case kv.CounterBelow:
		return append(args, "c", c.Name, t.int(c.Limit))
	}
	panic(fmt.Sprintf("rediskv: unknown condition %T", c))
}

func (t *texts) change(args []string, c kv.Op) []string {
	switch c := c.(type) {
	case kv.Put:
		return append(args, "P", t.value(c), t.millis(c.TTL))
	case kv.Delete:
		return append(args, "D")
	case kv.Incr:
		return append(args, "I", c.Name, t.int(c.By))
	case kv.Add:
		return append(args, "A", c.Member, t.int(c.Score))
	case kv.Remove:
		return append(args, "R", c.Member)
	case kv.Trim:
		return append(args, "T", t.uint(uint64(c.Keep)))
	case *kv.Push:
		return append(args, "U", t.uint(c.ID))
	case kv.Pull:
		return append(args, "L", t.uint(c.ID))
	case kv.Merge:
		return append(args, "M", t.ids(rising(c.IDs)))
	case kv.Fill:
		return append(args, "F", c.Token, t.millis(c.TTL))
	case kv.Filled:
		return append(args, "W", c.Token, t.uint(c.Floor), t.ids(rising(c.IDs)), t.millis(t.life))
	}
	panic(fmt.Sprintf("rediskv: unknown change %T", c))
}

// rising returns the distinct ids in ascending order.
func rising(ids []uint64) []uint64 {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// runTxn sends the script. It sends it again with its text if the server lacks it, and again while
// keys are moving to another node. In both cases the server has not run it.
func (e *Engine) runTxn(ctx context.Context, shard uint16, keys, args []string) (int64, error) {
	ctx, cancel := e.limit(ctx)
	defer cancel()
	whole := false
	for {
		failed, err := e.sendTxn(ctx, shard, whole, keys, args)
		switch {
		case isNoScript(err) && !whole:
			whole = true
		case isTryAgain(err) && sleep(ctx, 5*time.Millisecond):
		default:
			return failed, err
		}
	}
}

func (e *Engine) sendTxn(ctx context.Context, shard uint16, whole bool, keys, args []string) (int64, error) {
	script := e.scripts.txn.call(e.front.B(), whole, keys, args)
	if e.opts.WaitReplicas == 0 {
		return e.front.Do(ctx, script).AsInt64()
	}
	answers, short := e.acknowledged(ctx, shard, script)
	if len(answers) == 0 {
		return 0, short
	}
	failed, err := answers[0].AsInt64()
	switch {
	case err != nil || short == nil:
		return failed, err
	case failed >= 0: // nothing was changed, but the data behind the failed condition may not be durable
		return 0, fmt.Errorf("%w: %w", kv.ErrUnavailable, short)
	}
	return 0, fmt.Errorf("%w: %w", kv.ErrUnknown, short)
}

// sleep waits and reports whether there is time left.
func sleep(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
