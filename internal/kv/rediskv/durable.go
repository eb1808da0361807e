package rediskv

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// acknowledged sends commands about a shard, followed by a WAIT, in one pipeline of one connection.
// A WAIT covers all writes of its server before the preceding command, by any connection, so the
// answers are durable. In a separate pipeline it could reach another server. Redirected commands
// may be sent again.
//
// short is nil if enough replicas have the writes. The answers are valid in both cases, because the
// writes were made.
func (e *Engine) acknowledged(ctx context.Context, shard uint16, commands ...rueidis.Completed) (answers []rueidis.RedisResult, short error) {
	if e.cluster {
		return e.sendHome(ctx, shard, commands)
	}
	return e.sendWait(ctx, e.front, commands)
}

// sendWait sends commands to one server and waits for its replicas. WAIT covers all writes of the
// server before the preceding command. The client sends such a pipeline over an exclusive
// connection.
func (e *Engine) sendWait(ctx context.Context, node rueidis.Client, commands []rueidis.Completed) ([]rueidis.RedisResult, error) {
	wait := e.front.B().Wait().Numreplicas(int64(e.opts.WaitReplicas)).Timeout(e.opts.WaitTimeout.Milliseconds()).Build()
	answers := node.DoMulti(ctx, append(commands[:len(commands):len(commands)], wait)...)
	n, short := answers[len(commands)].AsInt64()
	switch {
	case short != nil: // the server may have become a replica
		short = fmt.Errorf("wait for replicas: %v", short) // a server's answer, which would be misread here
	case n < int64(e.opts.WaitReplicas):
		short = fmt.Errorf("only %d of %d replicas have acknowledged the write", n, e.opts.WaitReplicas)
	}
	return answers[:len(commands)], short
}

// sendWaiting is sendWait if replicas are configured. Otherwise it does not wait.
func (e *Engine) sendWaiting(ctx context.Context, node rueidis.Client, commands ...rueidis.Completed) (answers []rueidis.RedisResult, short error) {
	if e.opts.WaitReplicas == 0 {
		return node.DoMulti(ctx, commands...), nil
	}
	return e.sendWait(ctx, node, commands)
}

// readProven reads durable data. A missing value could also mean that the server was emptied and is
// not the opened store. So it checks the mark afterwards.
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

// readsAtOnce is the number of shards that a durable read queries concurrently.
const readsAtOnce = 16

// readDurably queries each shard separately, with a WAIT after the queries. It asks the masters,
// because local caches prove nothing.
func (e *Engine) readDurably(ctx context.Context, qs []kv.Query) error {
	byShard := map[uint16][]kv.Query{}
	for _, q := range qs {
		shard := kv.KeyOf(q).Shard
		if !e.cluster {
			shard = 0 // all queries are for one server
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

// lost returns the error of the connection on which an answer was lost, if any.
func lost(answers []rueidis.RedisResult) error {
	for _, a := range answers {
		if err := a.Error(); isLost(err) {
			return err
		}
	}
	return nil
}

// failure returns the error of the first command that failed, if any.
func failure(answers []rueidis.RedisResult) error {
	for _, a := range answers {
		if err := a.Error(); err != nil && !rueidis.IsRedisNil(err) {
			return err
		}
	}
	return nil
}
