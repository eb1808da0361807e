package rediskv

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// acknowledged sends commands about a shard and a WAIT behind them, in one
// pipeline of one connection, and returns the answers to the commands. A WAIT
// covers all that its server had written before the command in front of it, by
// whatever connection, so the answers are durable whoever made them so; asked
// apart from them it might meet another server. The commands may be sent again, to
// where they are redirected.
//
// short is nil if enough replicas have it all. The answers count also when they
// have not: what was written was written.
func (e *Engine) acknowledged(ctx context.Context, shard uint16, commands ...rueidis.Completed) (answers []rueidis.RedisResult, short error) {
	if e.cluster {
		return e.sendHome(ctx, shard, commands)
	}
	return e.sendWait(ctx, e.front, commands)
}

// sendWait sends commands to one server and asks for its replicas.
func (e *Engine) sendWait(ctx context.Context, node rueidis.Client, commands []rueidis.Completed) ([]rueidis.RedisResult, error) {
	answers := node.DoMulti(ctx, append(commands[:len(commands):len(commands)], e.waitCommand())...)
	return answers[:len(commands)], e.waited(answers[len(commands)])
}

// sendWaiting is sendWait if replicas are waited for; otherwise it asks for none.
func (e *Engine) sendWaiting(ctx context.Context, node rueidis.Client, commands ...rueidis.Completed) (answers []rueidis.RedisResult, short error) {
	if e.opts.WaitReplicas == 0 {
		return node.DoMulti(ctx, commands...), nil
	}
	return e.sendWait(ctx, node, commands)
}

// waitCommand makes a server answer when enough replicas have what it had written
// before the command in front. The client sends a pipeline with it over a
// connection that nobody else uses meanwhile.
func (e *Engine) waitCommand() rueidis.Completed {
	return e.front.B().Wait().Numreplicas(int64(e.opts.WaitReplicas)).Timeout(e.opts.WaitTimeout.Milliseconds()).Build()
}

// waited reads the answer to a WAIT. A server that is a replica by now answers
// with an error.
func (e *Engine) waited(answer rueidis.RedisResult) error {
	n, err := answer.AsInt64()
	switch {
	case err != nil:
		return fmt.Errorf("waiting for replicas: %v", err) // as an answer of the server it would hide what it means here
	case n < int64(e.opts.WaitReplicas):
		return fmt.Errorf("%d of %d replicas acknowledge", n, e.opts.WaitReplicas)
	}
	return nil
}

// readProven reads what would survive. That a value is missing is also true of a server that was
// just emptied, which is not the store that was opened: so the mark is looked for afterwards.
func (e *Engine) readProven(ctx context.Context, qs []kv.Query) error {
	read := e.readNow
	if e.opts.WaitReplicas > 0 {
		read = e.readDurably
	}
	if err := read(ctx, qs); err != nil {
		return err
	}
	missing := slices.ContainsFunc(qs, func(q kv.Query) bool { g, ok := q.(*kv.Get); return ok && g.Version == 0 })
	if !missing || e.guard == nil {
		return nil
	}
	short, cancel := e.limit(ctx)
	defer cancel()
	if err := e.holds(short); err != nil {
		return fmt.Errorf("read: %w", classify(ctx, err, reading))
	}
	return nil
}

// sender sends a pipeline and returns the answers.
type sender func(context.Context, []rueidis.Completed) ([]rueidis.RedisResult, error)

// readsAtOnce is how many shards a durable read asks at a time.
const readsAtOnce = 16

// readDurably asks each shard apart from the others, each with a WAIT behind the
// questions. It asks the masters themselves: what is kept here is no proof.
func (e *Engine) readDurably(ctx context.Context, qs []kv.Query) error {
	byShard := map[uint16][]kv.Query{}
	for _, q := range qs {
		shard := kv.KeyOf(q).Shard
		if !e.cluster {
			shard = 0 // they are all of one server
		}
		byShard[shard] = append(byShard[shard], q)
	}
	turns := make(chan struct{}, readsAtOnce)
	errs := make(chan error, len(byShard))
	for shard, qs := range byShard {
		turns <- struct{}{}
		go func() {
			defer func() { <-turns }()
			errs <- e.readAll(ctx, func(ctx context.Context, commands []rueidis.Completed) ([]rueidis.RedisResult, error) {
				answers, short := e.acknowledged(ctx, shard, commands...)
				if err := failure(answers); err == nil && short != nil {
					return nil, fmt.Errorf("%w: %w", kv.ErrUnavailable, short)
				}
				return answers, lost(answers)
			}, qs)
		}()
	}
	var err error
	for range byShard {
		err = cmp.Or(<-errs, err)
	}
	return err
}

// lost returns the error of the connection that an answer was lost with, if any.
func lost(answers []rueidis.RedisResult) error {
	for _, a := range answers {
		if err := a.Error(); isLost(err) {
			return err
		}
	}
	return nil
}

// failure is the error of the first command that failed, if any.
func failure(answers []rueidis.RedisResult) error {
	for _, a := range answers {
		if err := a.Error(); err != nil && !rueidis.IsRedisNil(err) {
			return err
		}
	}
	return nil
}
