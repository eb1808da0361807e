package kv

import (
	"context"
	"time"
)

// Copier reads all records of an engine as of one point in time while the engine is in use. It
// serves backups, digests and migrations, and never requests.
type Copier interface {
	// Copy starts a copy. Its time is between the call and its return, and is the same for all
	// shards. The copy contains everything acknowledged before the call. If a transaction began
	// after another one was acknowledged, the copy never contains it alone.
	//
	// An engine without snapshots reads everything before it returns, and delays writes for at most
	// half a second at a time. It returns ErrUnavailable if that fails. The call can be repeated.
	// Close the copy before its engine.
	Copy(ctx context.Context, opt CopyOptions) (Copy, error)
	// Records calls each with every current entry of some keys, in the order of the keys and,
	// within a key, of a copy. Each key is read at a different time. A set of more than a thousand
	// members may change meanwhile, so callers that need its exact contents read it again when
	// writes have stopped. Entries are valid only during the call. An error from each ends Records
	// and is returned.
	Records(ctx context.Context, kinds map[string]Shape, keys []Key, each func(*Entry) error) error
}

// CopyOptions select the contents of a copy.
type CopyOptions struct {
	// Kinds are the kinds of key to copy, with their shapes. A copy has no feeds and no meters.
	Kinds map[string]Shape
	// Dir is an existing directory for data that does not fit into memory while the copy is open.
	// The default is the system's directory for temporary files. The files in it are unnamed or
	// removed by Close.
	Dir string
	// Read is called from time to time with the number of further keys that were read before Copy
	// returns. It can be nil.
	Read func(keys int)
}

// Copy is the store as of one point in time. Use it from one goroutine.
type Copy interface {
	// Moment returns the time of the copy by the clock of the engine.
	Moment() time.Time
	// Shard calls each with every entry of a shard by kind, then id, compared bytewise. Within a
	// key, counters are in the order of their names and members in the order of (score, member).
	// Counters that are 0 and values that have expired are left out. Entries are valid only during
	// the call. An error from each ends Shard and is returned.
	Shard(ctx context.Context, shard uint16, each func(*Entry) error) error
	// Close releases the resources of the copy.
	Close() error
}

// Shape is the data type of a record.
type Shape uint8

// The shapes that a copy can have.
const (
	ValueShape   Shape = 1
	CounterShape Shape = 2
	SetShape     Shape = 3
)

// Entry is the smallest part of a copy: a value, a counter, or a member of a set.
type Entry struct {
	Key   Key
	Shape Shape

	Data    []byte    // of a value
	Version uint64    // of a value, at least 1
	Until   time.Time // expiry of a value; zero: never

	Name   string // name of a counter, or a member
	Number int64  // value of a counter, or the score
}
