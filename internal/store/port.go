package store

import (
	"context"
	"errors"
	"math/rand/v2"

	"linnet/internal/kv"
)

// RandomShard draws the shard of a new user or app.
func RandomShard() uint16 { return uint16(rand.N(kv.Shards)) }

// Durable marks reads that decide an answer about a write: what they find, or do not
// find, survives as an acknowledged write does. Whoever finds out what became of a
// write whose answer was lost reads so, and whoever answers yes because nothing is
// left to do: what others have just written is not yet theirs to promise.
func Durable(ctx context.Context) context.Context { return kv.Durable(ctx) }

// IsDurable reports whether a context is so marked.
func IsDurable(ctx context.Context) bool { return kv.IsDurable(ctx) }

// Full reports whether an error says that the store takes no more.
func Full(err error) bool { return errors.Is(err, kv.ErrFull) }

// Moving reports whether an error says that the store is being moved: nothing is written to
// it for seconds, or for ever.
func Moving(err error) bool { return errors.Is(err, kv.ErrMoving) }

// Unknown reports whether the answer to a write was lost: it may have been made.
func Unknown(err error) bool { return errors.Is(err, kv.ErrUnknown) }

// Unavailable reports whether an error says that the store did not answer, or
// not in time: the act may be tried again.
func Unavailable(err error) bool {
	return errors.Is(err, kv.ErrUnavailable) || errors.Is(err, kv.ErrUnknown) || errors.Is(err, kv.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded)
}
