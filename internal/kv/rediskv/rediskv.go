// Package rediskv is the kv engine over Redis 7 or Valkey 8: one server,
// a Sentinel group or a Cluster.
//
// It knows how records lie in Redis, and which answers of a server mean that
// nothing was changed and which that nobody knows. It does not know what the
// records are about; no other package imports a Redis client.
//
// Records, readable in redis-cli under the text of their key (after a prefix):
//
//	value     string  "<version> <data>", expiring natively
//	counters  hash    name -> integer
//	set       zset    member -> score
//	feed      list    warm: "w<floor>", ids rising, "w<floor>" again as the
//	                  mark, then ids as they came; while it is being filled:
//	                  "f<token>" or "f<token> <floor>", then ids as they came
//	meter     string  "meter:<key>" -> integer, expiring
//
// Invariants:
//
//   - A transaction is one script over the keys of one shard, which is one hash
//     tag. What may fail on what a key holds is done first and taken back if it does.
//   - A write is sent once. If its answer is lost the outcome is unknown
//     (kv.ErrUnknown) and it is for the caller to find out; the only writes sent
//     again are those that the server refused without having made them, and the
//     repeatable ones of Apply.
//   - No command names keys of two hash slots, none reads a whole list, and none
//     but Keys walks the keyspace.
//   - A push is RPUSHX, which looks at nothing; so behind the mark ids may be
//     late, repeated or below the floor. Whoever reads puts them in order, and
//     whoever finds enough of them, or a list too long, tidies it by a script.
//   - Feeds are delivered over connections of their own, a hundred commands at a
//     time, with pauses when reads take long: no reader waits behind a fan-out.
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

// Engine is a kv.Engine over Redis. Make it with Open. It connects anew by
// itself when a server comes back.
type Engine struct {
	opts    Options
	target  target
	cluster bool
	scripts scripts
	log     *slog.Logger

	front    rueidis.Client // requests
	bulk     rueidis.Client // fan-out
	turns    chan struct{}  // one is taken by each pipeline of bulk
	bus      *bus
	renewals renewals
	pace     pace          // how long reads take
	homes    homes         // which node owns a shard; used with WaitReplicas in a Cluster
	guard    *guard        // nil: any store is taken for the one that was opened
	beat     time.Duration // trackBeat, but in tests

	info  atomic.Pointer[kv.Info]
	parts atomic.Int32 // masters of the Cluster

	// use is held for reading by every call, so that Close lets those under
	// way come to their end.
	use    sync.RWMutex
	closed bool
}

var _ kv.Engine = (*Engine)(nil)

// enter admits a call to the store that was opened; leave must follow if it returns nil.
func (e *Engine) enter(ctx context.Context) error {
	if err := e.guard.refuse(); err != nil {
		return err
	}
	return e.admit(ctx)
}

// admit is enter for what may be asked of any Redis.
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

// limit bounds one command or pipeline by the time-out of the options.
func (e *Engine) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, e.opts.Timeout)
}

// Close implements kv.Store. It waits for calls under way, which the time-out
// of the options bounds, ends all subscriptions and closes the connections.
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

// Now implements kv.Clock with the clock of the server, in a Cluster that of
// any node.
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

// tryNodes makes a call that any node of a Cluster may answer. The first time
// it is told to prefer the node that all calls prefer (home, true in a Cluster
// only); after that the client picks nodes at random, dead ones among them, so
// a call that was certainly not sent is made again.
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
