package kv

import "context"

type durableKey struct{}

// Durable marks reads that decide an answer about a write: whether one whose
// outcome is unknown was made, or that nothing is left to do since an earlier call
// did it. A Read under such a context answers only what would survive as an
// acknowledged Txn does, whoever wrote it, and fails with ErrUnavailable if that
// cannot be said in time. It also fails if a value is missing because the engine is not, or no
// longer, the store that was opened. Other reads may show what is not durable yet. Writes
// need no mark: they, and the conditions on which they fail, are always so.
//
// A write whose answer was lost on the way may still be made after a Durable Read;
// what may race with it has to guard what it writes, as with any other writer.
func Durable(ctx context.Context) context.Context { return context.WithValue(ctx, durableKey{}, true) }

// IsDurable reports whether a context is so marked.
func IsDurable(ctx context.Context) bool { return ctx.Value(durableKey{}) != nil }
