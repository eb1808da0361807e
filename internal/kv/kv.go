// Package kv is the port between Linnet and its storage engines.
//
// It defines four shapes (values, counters, ordered sets and feeds) in 1,024 shards. It knows
// nothing about users: higher layers define the meaning of keys. It imports no package of
// Linnet, and only engines import a storage library.
//
// The suite in kvtest checks these invariants of every engine:
//
//   - A transaction is atomic and within one shard. It is durable (in the engine's
//     stated mode) before it is acknowledged, except under Relaxed.
//   - Repeating a change that Apply accepts has no further effect.
//   - Scores are integers of at most MaxScore, so that a Redis double holds them.
//   - A feed is a cache. The engine may drop any feed at any time, and a push to a
//     cold feed does nothing. No data may exist only in a feed.
//   - All engines have the same limits, which are defined here.
package kv

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store is a storage engine. Its methods are safe for concurrent use and respect the deadline of
// their context.
type Store interface {
	// Read answers many queries in one round trip per node and writes each answer into its query.
	// Queries can be of any shard. Each query reads a consistent state, but a transaction may
	// commit between two queries.
	//
	// Queries of one shard are answered in order: an earlier query never sees a change that a later
	// one does not. There are two exceptions. A feed may lag behind data written with it, and a
	// Cluster keeps no order while it moves a shard. After an error the answers are undefined. Data
	// may not be durable yet, see Durable.
	Read(ctx context.Context, qs ...Query) error

	// Txn makes all changes if every condition holds, and none otherwise. Conditions and changes
	// are of one shard, or it returns ErrRefused. It returns -1 if the changes were made, or the
	// index of a failed condition. A failed condition depends on durable data only. With ErrUnknown
	// the changes may have been made. With any other error they were not.
	Txn(ctx context.Context, conds []Cond, changes ...Op) (failed int, err error)

	// Apply makes each change separately. Changes of one shard are made in order, and shards in any
	// order. It accepts only changes that can be repeated, and returns ErrRefused for Incr. After
	// an error any subset may have been made, and the caller repeats the call.
	Apply(ctx context.Context, changes ...Op) error

	// Close releases the engine. Running calls may fail.
	Close() error
}

// Bus carries messages to the current subscribers on all servers of the instance. It drops messages
// if a subscriber is slow or a connection breaks, and reports that.
type Bus interface {
	// Publish sends payload to the current subscribers of topic.
	Publish(ctx context.Context, topic string, payload []byte) error
	// Subscribe subscribes to topics until the subscription is closed. Messages published after it
	// returns are received.
	Subscribe(ctx context.Context, topics ...string) (Subscription, error)
}

// Subscription is one subscriber of a Bus.
type Subscription interface {
	// Messages returns the channel of received messages. It is closed by Close, and also after
	// messages were dropped because of a full queue or a broken connection. The subscriber then
	// fetches the missed data and subscribes again.
	Messages() <-chan Message
	// Close ends the subscription. It may be called more than once.
	Close() error
}

// Message is one payload published to a topic.
type Message struct {
	Topic   string
	Payload []byte
}

// Meter counts data that may be dropped, such as rate windows and subscribers.
type Meter interface {
	// Count adds n to the counter under key and returns the new value. n can be 0 or negative. A
	// missing counter starts at 0 and expires after ttl, counted from its first change. ttl is
	// above 0 and at most MaxTTL.
	Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error)
}

// Clock is the time of the engine, which all servers of an instance share.
type Clock interface {
	Now(ctx context.Context) (time.Time, error)
}

// Keyspace enumerates the keys of an engine for check and vacuum. Requests never use it.
type Keyspace interface {
	// Keys returns some keys of values, counters and sets, and the cursor for the next call. The
	// first cursor is "", and a returned "" ends the walk. Each key that exists during the whole
	// walk is returned at least once.
	Keys(ctx context.Context, cursor string) (keys []Key, next string, err error)
}

// Engine combines all interfaces of an engine.
type Engine interface {
	Store
	Bus
	Meter
	Clock
	Keyspace
	Copier
	State
}

// State reports the state of an engine to operators.
type State interface {
	// Info describes the engine: its name, its address or directory, and its durability. It does
	// not fail. Unknown fields are empty.
	Info() Info
	// Ping reports whether the engine responds and accepts writes. It returns a Trouble if an
	// operator can fix the cause.
	Ping(ctx context.Context) error
}

// Info describes an engine to an operator.
type Info struct {
	Engine   string // "embedded", "redis", "redis-cluster", "redis-sentinel", "memory"; pages translate it
	Location string // directory or address, without secrets
	Bytes    int64  // used on disk, or in memory if there is no disk; 0: unknown

	Durability fmt.Stringer // what an acknowledged write survives; a message of package wording
	Advice     []Advice     // suggested changes, as of the last check
}

// Advice is a change to an engine that an operator should make. Its texts are messages of package
// wording.
type Advice struct {
	Text   fmt.Stringer // the fact and its consequence
	Remedy fmt.Stringer
	Grave  bool // acknowledged writes can be lost
}

var (
	// ErrUnavailable means that the engine does not respond or does not accept writes. Nothing was
	// changed. The call can be repeated later.
	ErrUnavailable = errors.New("store unavailable")
	// ErrUnknown means that the response to a write was lost. The write may have been made.
	ErrUnknown = errors.New("outcome of the write is unknown")
	// ErrRefused means that the call breaks a rule or limit of the port in any state of the store.
	// Repeating it has no effect.
	ErrRefused = errors.New("refused")
	// ErrMoving means that the store is being moved or was moved to another one. Writes are
	// refused, and reads continue. It is always combined with ErrUnavailable or ErrUnknown.
	ErrMoving = errors.New("store is being moved to another engine")
	// ErrFull means that the store's disk space or memory is used up. Reads continue.
	ErrFull = errors.New("store is full")
	// ErrClosed means that the engine was closed.
	ErrClosed = errors.New("store is closed")
)

// Trouble is an error that an operator can fix. Reason describes the problem and the solution. It
// is public, so it contains no address and no secret. It is a message of package wording.
type Trouble struct {
	Reason fmt.Stringer
	Err    error
}

func (t *Trouble) Error() string { return t.Reason.String() + " (" + t.Err.Error() + ")" }

// Explanation implements wording.Explainer.
func (t *Trouble) Explanation() (reason fmt.Stringer, cause error) { return t.Reason, t.Err }

// Unwrap returns the error of the port.
func (t *Trouble) Unwrap() error { return t.Err }

// Tracker is implemented by engines that are shared with other processes and report their changes,
// so that reads can be cached. An engine used by a single process need not implement it.
type Tracker interface {
	// Track calls f with changed keys of the given kinds soon after each change of any process,
	// including this one. It calls f with alive false when changes may be missed from now on, and
	// with alive true and no keys when all changes are reported again. The first call, before Track
	// returns, has alive true. Calls do not overlap and end with ctx.
	Track(ctx context.Context, kinds []string, f func(changed []Key, alive bool)) error
}

// Late is implemented by engines that may make a write after its call has returned: after
// ErrUnknown, or after any error of Apply. Caches must be notified of such writes. A Tracker
// reports them through Track.
type Late interface {
	// Late registers f, which is called with the keys of writes that became visible after their
	// calls had returned. f must be fast, safe for concurrent use and must not write. It is called
	// until the engine is closed.
	Late(f func(changed []Key))
}

// Spread is implemented by engines whose shards may be on several servers. An AnyMember query of
// many shards then costs as much as one query per shard.
type Spread interface {
	// Spread reports whether the shards are on several servers.
	Spread() bool
}
