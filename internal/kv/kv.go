// Package kv is the port between Linnet and its storage engines.
//
// It knows four shapes (values, counters, ordered sets and feeds), 1,024 shards,
// and nothing about people: what a key means is decided above it. Of the project it
// imports package wording alone, in whose messages an engine says how it is, and nothing
// but an engine imports a storage library.
//
// Invariants every engine keeps, held by the suite in kvtest:
//
//   - A transaction is all or nothing, touches one shard and is durable (in the
//     engine's stated mode) before it is acknowledged, but see Relaxed.
//   - A change that Apply accepts may be repeated without changing the outcome.
//   - Scores are integers of at most MaxScore, so that a Redis double holds them.
//   - A feed is a cache. The engine may forget any feed at any time, and a push
//     to a feed that is cold does nothing; nothing true may lie only in a feed.
//   - What one engine must refuse, all refuse: the limits are here, not there.
package kv

import (
	"context"
	"errors"
	"time"

	"linnet/internal/wording"
)

// Store is a storage engine. All methods are safe for concurrent use and honour
// the deadline of their context.
type Store interface {
	// Read answers many queries in one round trip per node, writing each
	// answer into its query. Each query is answered from one moment, but not
	// all from the same: a transaction may commit between two of them. Those of
	// one shard are answered in their order: what a later one has not yet seen,
	// an earlier one has not either; only a feed may be a moment behind what was
	// written with it, and in a Cluster a shard that is just being moved keeps no
	// order. Queries are of any shard. An error leaves the answers undefined.
	// What is read may not be durable yet, but see Durable.
	Read(ctx context.Context, qs ...Query) error

	// Txn applies all changes if every condition holds, and none otherwise.
	// Conditions and changes are of one shard (ErrRefused if not).
	// It returns -1 when the changes were made, or the index of a condition
	// that failed, which is an answer like the other: what it follows from is
	// durable. With ErrUnknown the changes may or may not have been made;
	// with any other error they were not.
	Txn(ctx context.Context, conds []Cond, changes ...Op) (failed int, err error)

	// Apply makes changes of any shards, each by itself and in no promised
	// order between shards; within a shard the order is kept. Only repeatable
	// changes are accepted (ErrRefused for Incr). After an error any subset
	// may have been made: the caller repeats the call.
	Apply(ctx context.Context, changes ...Op) error

	// Close releases the engine. Calls under way may fail.
	Close() error
}

// Bus carries messages to whoever listens now, on any server of the
// installation. It loses messages when a listener is slow or a connection
// breaks, and says so.
type Bus interface {
	// Publish sends payload to the present subscribers of topic.
	Publish(ctx context.Context, topic string, payload []byte) error
	// Subscribe listens to topics until the subscription is closed. It returns
	// when the subscription is in force: what is published afterwards arrives.
	Subscribe(ctx context.Context, topics ...string) (Subscription, error)
}

// Subscription is one listener of a Bus.
type Subscription interface {
	// Messages delivers what was published. It is closed by Close, and also
	// when messages were lost (a full queue, a broken connection): the
	// listener then has to fetch what it missed and subscribe again.
	Messages() <-chan Message
	// Close ends the subscription. It may be called more than once.
	Close() error
}

// Message is one payload as published on a topic.
type Message struct {
	Topic   string
	Payload []byte
}

// Meter counts things that may be forgotten: rate windows, who listens.
type Meter interface {
	// Count adds n (which may be 0, to look, or negative) to the counter under
	// key and returns the new value. A counter that does not exist starts at 0
	// and lives for ttl (above 0, at most MaxTTL) from its first count.
	Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error)
}

// Clock is the engine's idea of the time, one for all servers of an
// installation.
type Clock interface {
	Now(ctx context.Context) (time.Time, error)
}

// Keyspace enumerates what an engine holds, for check and vacuum. It is never used while
// answering a request.
type Keyspace interface {
	// Keys returns some keys (values, counters and sets; not feeds) and the
	// cursor for the next call; "" begins, and a returned "" ends. Each key
	// that exists throughout the walk is returned at least once.
	Keys(ctx context.Context, cursor string) (keys []Key, next string, err error)
}

// Engine is everything an engine offers.
type Engine interface {
	Store
	Bus
	Meter
	Clock
	Keyspace
	Copier
	State
}

// State tells people how an engine is.
type State interface {
	// Info describes the engine for people: name, address or directory, and
	// what is durable when. It does not fail; unknown parts are empty.
	Info() Info
	// Ping reports whether the engine answers and accepts writes. What an operator
	// can end is a Trouble.
	Ping(ctx context.Context) error
}

// Info describes an engine to an operator.
type Info struct {
	Engine string // "embedded", "redis", "redis-cluster", "redis-sentinel", "memory"; pages translate it
	Place  string // directory or address, without secrets
	Bytes  int64  // that it takes on disk, or in memory if that is all; 0: not known

	Durability wording.Message // what an acknowledged write survives
	Advice     []Advice        // what an operator should change, as it was when that was last looked at
}

// Advice is something about an engine that an operator should change.
type Advice struct {
	Text   wording.Message // what is so, and what comes of it
	Remedy wording.Message
	Grave  bool // it can lose what was acknowledged
}

var (
	// ErrUnavailable: the engine does not answer or does not accept writes.
	// Nothing was changed; the call may be repeated later.
	ErrUnavailable = errors.New("store unavailable")
	// ErrUnknown: the answer to a write was lost. The write may have been made.
	ErrUnknown = errors.New("outcome of the write is unknown")
	// ErrRefused: the call breaks a rule or a limit of the port, whatever the
	// state of the store; repeating it is useless.
	ErrRefused = errors.New("refused")
	// ErrMoving: the store is being moved to another, or was: nothing is written to it, reads
	// go on. Always with ErrUnavailable or ErrUnknown.
	ErrMoving = errors.New("store is being moved to another")
	// ErrFull: the space reserved for the store is used up; reads go on.
	ErrFull = errors.New("store is full")
	// ErrClosed: the engine has been closed.
	ErrClosed = errors.New("store is closed")
)

// Trouble is an error that an operator can end. Reason says what is wrong and what
// to do, in words that anybody may read: they hold no address and no secret.
type Trouble struct {
	Reason wording.Message
	Err    error
}

func (t *Trouble) Error() string { return t.Reason.String() + " (" + t.Err.Error() + ")" }

// Message is the error for operators, of whatever language.
func (t *Trouble) Message() wording.Message {
	return wording.Messagef("%s (%s)", t.Reason, t.Err)
}

// Unwrap is the error as the port has it.
func (t *Trouble) Unwrap() error { return t.Err }

// Tracker is an engine shared with other processes that can tell what they
// change, so that what was read may be kept for a while. An engine that one
// process has to itself need not be one.
type Tracker interface {
	// Track calls f with keys of the given kinds that anybody has changed, this
	// process included, soon after the change. f is called with alive false when
	// changes may go unheard from now on, and with alive true (and no keys) when
	// all are heard again; it begins with the latter, before Track returns. It
	// goes on until ctx ends. Calls of f do not overlap.
	Track(ctx context.Context, kinds []string, f func(changed []Key, alive bool)) error
}

// Late is an engine whose writes may be made behind the back of their callers: a call
// that fails with ErrUnknown, or an Apply with any error, may be carried out after it has
// returned. Who keeps what was read must hear of it then. An engine that is a Tracker tells
// it by that.
type Late interface {
	// Late calls f with the keys of what has become visible after its call had returned,
	// whoever made it. f is to be quick and safe for concurrent use, must not write, and is
	// called for as long as the engine lives.
	Late(f func(changed []Key))
}

// Spread is an engine whose shards may lie at several servers. If they do, one question
// about sets of many shards (AnyMember) costs as much as one about each. An engine that
// has all in one place need not be one.
type Spread interface {
	// Spread says whether the shards lie at several servers.
	Spread() bool
}
