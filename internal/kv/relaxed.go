package kv

import "context"

type relaxedKey struct{}

// Relaxed marks work that is repeated if it is lost, such as a batch of a task whose record is
// removed afterwards. An engine with one log may acknowledge such a change before it is durable,
// because no later write in that engine can be durable without it. An engine whose parts can fail
// separately, such as a Cluster, ignores the mark.
func Relaxed(ctx context.Context) context.Context { return context.WithValue(ctx, relaxedKey{}, true) }

// IsRelaxed reports whether a context was made by Relaxed.
func IsRelaxed(ctx context.Context) bool { return ctx.Value(relaxedKey{}) != nil }
