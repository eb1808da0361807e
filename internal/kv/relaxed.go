package kv

import "context"

type relaxedKey struct{}

// Relaxed marks work that will be done again if it is lost, such as a pass of a
// task whose record is removed after it. An engine with one log may acknowledge a
// change made under such a context before it is durable, since nothing that is
// written later, anywhere in the engine, can then be durable without it. An engine
// whose parts can be lost apart from each other (servers of a Cluster) must not,
// and ignores the mark.
func Relaxed(ctx context.Context) context.Context { return context.WithValue(ctx, relaxedKey{}, true) }

// IsRelaxed reports whether a context is so marked.
func IsRelaxed(ctx context.Context) bool { return ctx.Value(relaxedKey{}) != nil }
