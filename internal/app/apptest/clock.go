package apptest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/store"
)

// Clock is a clock that tests move.
type Clock struct{ ahead atomic.Int64 }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }

// Set sets how far the clock is ahead of the machine's.
func (c *Clock) Set(d time.Duration) { c.ahead.Store(int64(d)) }

// WithClock returns an app over memory with a clock that the test moves. It starts at a full hour.
func WithClock(t *testing.T) (*World, *Clock) {
	c := &Clock{}
	c.Set(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour)))
	return NewWith(t, memkv.New(memkv.Options{Now: c.Now}), store.Options{Now: c.Now}), c
}

// OnClockedEngines runs a test with a clock over the engines of EachEngine.
func OnClockedEngines(t *testing.T, f func(t *testing.T, clock *Clock, e kv.Engine)) {
	EachEngine(t, func(t *testing.T, e kv.Engine) {
		clock := &Clock{}
		f(t, clock, onClock{e, clock})
	})
}

// onClock is an engine with the clock of a test, which servers follow.
type onClock struct {
	kv.Engine
	clock *Clock
}

// Now returns the time of the clock.
func (e onClock) Now(context.Context) (time.Time, error) { return e.clock.Now(), nil }
