// Package watchkv wraps an engine and reports each finished call, so that callers can measure
// costs. It changes nothing and does not know the meaning of keys.
package watchkv

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// Call is a finished call of an engine.
type Call struct {
	Op   string // "read", "txn", "apply", "publish", "count"
	Took time.Duration
	Size int // number of queries or changes
	Err  error
}

// Engine reports the calls of an engine.
type Engine struct {
	kv.Engine
	report func(context.Context, Call)
}

// New returns an engine that reports each call of e with the context of its caller. report must be
// fast and safe for concurrent use.
func New(e kv.Engine, report func(context.Context, Call)) *Engine { return &Engine{e, report} }

// Read implements kv.Store.
func (e *Engine) Read(ctx context.Context, qs ...kv.Query) error {
	start := time.Now()
	err := e.Engine.Read(ctx, qs...)
	e.report(ctx, Call{"read", time.Since(start), len(qs), err})
	return err
}

// Txn implements kv.Store.
func (e *Engine) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	start := time.Now()
	failed, err := e.Engine.Txn(ctx, conds, changes...)
	e.report(ctx, Call{"txn", time.Since(start), len(changes), err})
	return failed, err
}

// Apply implements kv.Store.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	start := time.Now()
	err := e.Engine.Apply(ctx, changes...)
	e.report(ctx, Call{"apply", time.Since(start), len(changes), err})
	return err
}

// Publish implements kv.Bus.
func (e *Engine) Publish(ctx context.Context, topic string, payload []byte) error {
	start := time.Now()
	err := e.Engine.Publish(ctx, topic, payload)
	e.report(ctx, Call{"publish", time.Since(start), 1, err})
	return err
}

// Count implements kv.Meter.
func (e *Engine) Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error) {
	start := time.Now()
	v, err := e.Engine.Count(ctx, key, n, ttl)
	e.report(ctx, Call{"count", time.Since(start), 1, err})
	return v, err
}

// Spread implements kv.Spread like the wrapped engine.
func (e *Engine) Spread() bool {
	s, ok := e.Engine.(kv.Spread)
	return ok && s.Spread()
}

// Track implements kv.Tracker if the wrapped engine does. Otherwise it returns ErrRefused.
func (e *Engine) Track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	if t, ok := e.Engine.(kv.Tracker); ok {
		return t.Track(ctx, kinds, f)
	}
	return kv.ErrRefused
}

// Late implements kv.Late if the wrapped engine does.
func (e *Engine) Late(f func([]kv.Key)) {
	if l, ok := e.Engine.(kv.Late); ok {
		l.Late(f)
	}
}
