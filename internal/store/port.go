package store

import (
	"context"
	"errors"
	"math/rand/v2"

	"linnet/internal/kv"
)

// RandomShard returns a random shard for a new user or app.
func RandomShard() uint16 { return uint16(rand.N(kv.Shards)) }

// Durable returns a context for reads that decide a response about a write: their results survive a
// crash like an acknowledged write. It is for finding out the result of a write whose response was
// lost, and for confirming that nothing is left to do, because a concurrent write may not be
// durable yet.
func Durable(ctx context.Context) context.Context { return kv.Durable(ctx) }

// IsDurable reports whether reads with a context must be durable.
func IsDurable(ctx context.Context) bool { return kv.IsDurable(ctx) }

// Full reports whether an error means that the store is full.
func Full(err error) bool { return errors.Is(err, kv.ErrFull) }

// Moving reports whether an error means that the store is being moved and refuses writes, for
// seconds or permanently.
func Moving(err error) bool { return errors.Is(err, kv.ErrMoving) }

// Unknown reports whether the response of a write was lost, so that it may have been made.
func Unknown(err error) bool { return errors.Is(err, kv.ErrUnknown) }

// Unavailable reports whether the store didn't respond in time, so that the operation can be tried
// again.
func Unavailable(err error) bool {
	return errors.Is(err, kv.ErrUnavailable) || errors.Is(err, kv.ErrUnknown) || errors.Is(err, kv.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded)
}
