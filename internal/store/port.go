package store

import (
	"context"
	"errors"
	"math/rand/v2"

	"linnet/internal/kv"
)

// What the acts need of the port they have under the store's names, and do not
// import the port themselves.
type (
	Key          = kv.Key    // names a set or a feed
	Position     = kv.Member // where a walk over a set stands
	Change       = kv.Op     // goes into a transaction
	Cond         = kv.Cond   // has to hold for it
	Subscription = kv.Subscription
)

const (
	FeedKeep = kv.FeedKeep // ids that a feed keeps
	MostRead = kv.MaxRange // entries that one read of a set returns
	Shards   = kv.Shards   // parts that records are spread over
)

// RandomShard draws the shard of a new user or app.
func RandomShard() uint16 { return uint16(rand.N(kv.Shards)) }

// Full reports whether an error says that the store takes no more.
func Full(err error) bool { return errors.Is(err, kv.ErrFull) }

// Unknown reports whether the answer to a write was lost: it may have been made.
func Unknown(err error) bool { return errors.Is(err, kv.ErrUnknown) }

// Unavailable reports whether an error says that the store did not answer, or
// not in time: the act may be tried again.
func Unavailable(err error) bool {
	return errors.Is(err, kv.ErrUnavailable) || errors.Is(err, kv.ErrUnknown) || errors.Is(err, kv.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded)
}
