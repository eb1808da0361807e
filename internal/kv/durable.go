package kv

import "context"

type durableKey struct{}

// Durable marks reads that decide the result of a write: whether a write with an unknown outcome
// was made, or whether an earlier call has already made it. A Read with such a context returns only
// data that is as durable as an acknowledged Txn, from any writer. It returns ErrUnavailable if it
// cannot determine that in time, or if a value is missing because the engine has lost or replaced
// the store. Other reads may return data that is not durable yet. Writes and their failed
// conditions are always durable and need no mark.
//
// A write whose response was lost may still be made after a Durable Read. A caller that may race
// with it guards its writes, as with any other writer.
func Durable(ctx context.Context) context.Context { return context.WithValue(ctx, durableKey{}, true) }

// IsDurable reports whether a context was made by Durable.
func IsDurable(ctx context.Context) bool { return ctx.Value(durableKey{}) != nil }
