package kv

import (
	"context"
	"time"
)

// Copier reads all that an engine holds as it was at one moment, while the engine is
// used: for backups, digests and moving to another engine, never for a request.
type Copier interface {
	// Copy begins a copy. Its moment lies between the call and its return, and is one for
	// all shards: what was acknowledged before the call is in it, and of two transactions,
	// of which one was begun when the other had been acknowledged, never the second alone.
	// An engine that has no such view of its own reads everything before it returns, and
	// holds writes back for at most half a second at a time. It fails with ErrUnavailable if that
	// does not come about, and may be called again.
	// It is closed before its engine is.
	Copy(ctx context.Context, opt CopyOptions) (Copy, error)
	// Records calls each with every entry that lies under some keys now, key by key in their
	// order, and within a key as a copy has them. Each is read at a moment of its own; a set of
	// more than a thousand members may change meanwhile, so whoever wants to know what it holds
	// reads it again when nobody writes. What is given is valid only during the call. An error
	// of each ends it and is returned.
	Records(ctx context.Context, kinds map[string]Shape, keys []Key, each func(*Entry) error) error
}

// CopyOptions say what is copied.
type CopyOptions struct {
	// Kinds are the kinds of key that are copied, with what lies under them. There are no
	// feeds in a copy, nor meters.
	Kinds map[string]Shape
	// Dir is an existing directory for what does not fit into memory while the copy is
	// open; the system's for temporary files if empty. Files in it have no names that
	// outlive a crash, or are removed by Close.
	Dir string
	// Read is told now and then of how many more keys were read before Copy returns; nil:
	// nobody is.
	Read func(keys int)
}

// Copy is the store as it was at a moment. It is of one goroutine.
type Copy interface {
	// Moment is when, by the clock of the engine.
	Moment() time.Time
	// Shard calls each with every entry of a shard, by kind, then id, compared bytewise;
	// within a key counters come by name, without those that are 0, and members by
	// (score, member). Values whose life has ended by the moment are left out. What each
	// is given is valid only during the call. An error of each ends it and is returned.
	Shard(ctx context.Context, shard uint16, each func(*Entry) error) error
	// Close gives up what the copy holds.
	Close() error
}

// Shape is what lies under a key.
type Shape uint8

// The shapes that a copy can have.
const (
	ValueShape   Shape = 1
	CounterShape Shape = 2
	SetShape     Shape = 3
)

// Entry is the least that a copy consists of: a value, a counter, or a member of a set.
type Entry struct {
	Key   Key
	Shape Shape

	Data    []byte    // of a value
	Version uint64    // of a value, at least 1
	Until   time.Time // when a value ends; zero: never

	Name   string // of a counter; or the member
	Number int64  // of a counter; or the score
}
