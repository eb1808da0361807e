// Package rediskv is the kv engine for Redis 7 or Valkey 8: one server, a Sentinel group or a
// Cluster.
//
// It knows how records are stored in Redis, and which errors mean that nothing was changed or that
// the outcome is unknown. It does not know the meaning of records. No other package imports a Redis
// client.
//
// Records can be read in redis-cli under the text of their key, after the prefix:
//
//	value     string  "<version> <data>", expiring natively
//	counters  hash    name -> integer
//	set       zset    member -> score
//	feed      list    warm: "w<floor>", ids ascending, "w<floor>" again as the
//	                  mark, then ids in order of arrival; while it is being filled:
//	                  "f<token>" or "f<token> <floor>", then ids as they arrived
//	meter     string  "meter:<key>" -> integer, expiring
//
// Invariants:
//
//   - A transaction is one script with the keys of one shard, which is one hash tag.
//     Changes that may fail because of the record come first and are undone then.
//   - A write is sent once. If its answer is lost, the outcome is unknown
//     (kv.ErrUnknown), and the caller resolves it. Only writes that the server
//     refused without an effect, and the repeatable ones of Apply, are sent again.
//   - No command uses keys of two hash slots, none reads a whole list, and only
//     Keys walks the keyspace.
//   - A push is RPUSHX, which checks nothing. So ids behind the mark may be late,
//     repeated or below the floor. Readers order them, and a script tidies a feed
//     with many of them or a list that is too long.
//   - Feeds are delivered over their own connections, a hundred commands at a time,
//     with pauses when reads are slow, so that readers do not wait for a fan-out.
package rediskv

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// Engine is a kv.Engine on Redis. Open creates one. It reconnects when a server returns.
type Engine struct {
	opts    Options
	target  target
	cluster bool
	scripts scripts
	log     *slog.Logger

	front    rueidis.Client // requests
	bulk     rueidis.Client // fan-out
	turns    chan struct{}  // each pipeline of bulk takes one
	bus      *bus
	renewals renewals
	pace     pace          // duration of reads
	homes    homes         // owner of each shard; used with WaitReplicas in a Cluster
	guard    *guard        // nil if the store is not checked
	beat     time.Duration // trackBeat, except in tests

	info  atomic.Pointer[kv.Info]
	parts atomic.Int32 // masters of the Cluster

	// use is read-locked by every call, so that Close waits for running calls.
	use    sync.RWMutex
	closed bool
}

var _ kv.Engine = (*Engine)(nil)

// enter begins a call that needs the opened store. Call leave if it returns nil.
func (e *Engine) enter(ctx context.Context) error {
	if err := e.guard.refuse(); err != nil {
		return err
	}
	return e.admit(ctx)
}

// admit is like enter, for calls that any Redis server can answer.
func (e *Engine) admit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.use.RLock()
	if e.closed {
		e.use.RUnlock()
		return kv.ErrClosed
	}
	return nil
}

func (e *Engine) leave() { e.use.RUnlock() }

// limit applies the timeout of the options to a command or pipeline.
func (e *Engine) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, e.opts.Timeout)
}

// Close implements kv.Store. It waits for running calls, which have a timeout, ends all
// subscriptions and closes the connections.
func (e *Engine) Close() error {
	e.use.Lock()
	defer e.use.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	e.bus.close()
	e.bulk.Close()
	e.front.Close()
	return nil
}

// Now implements kv.Clock with the clock of the server, or of any node of a Cluster.
func (e *Engine) Now(ctx context.Context) (time.Time, error) {
	if err := e.enter(ctx); err != nil {
		return time.Time{}, fmt.Errorf("read the time of Redis: %w", err)
	}
	defer e.leave()
	var now time.Time
	err := e.tryNodes(ctx, func(ctx context.Context, _ bool) error {
		parts, err := e.front.Do(ctx, e.front.B().Time().Build()).AsStrSlice()
		if err != nil {
			return err
		}
		now, err = parseTime(parts)
		return err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("read the time of Redis: %w", classify(ctx, err, reading))
	}
	return now, nil
}

// tryNodes makes a call that any node of a Cluster can answer. The first attempt prefers the common
// node (home, only in a Cluster). After that the client picks nodes at random, including dead ones,
// so a call that was certainly not sent is repeated.
func (e *Engine) tryNodes(ctx context.Context, call func(ctx context.Context, home bool) error) error {
	ctx, cancel := e.limit(ctx)
	defer cancel()
	err := call(ctx, e.cluster)
	for range 8 {
		if !e.cluster || !notSent(err) || ctx.Err() != nil {
			break
		}
		err = call(ctx, false)
	}
	return err
}
