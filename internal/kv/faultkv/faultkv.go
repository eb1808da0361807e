// Package faultkv wraps a kv engine and makes writes fail on request: before the write, after it
// (only the response is missing), or halfway through an Apply. It can also make the engine or its
// replicas unavailable, and it counts calls.
//
// Tests above the port use it. An action must end correctly whichever of its writes fails, and has
// a budget of round trips.
//
// The package knows only the port and keeps the contract of the engine it wraps.
package faultkv

import (
	"context"
	"fmt"
	"sync"
	"time"

	"linnet/internal/kv"
)

// When is the point at which a write fails.
type When uint8

const (
	// Before makes a write fail with ErrUnavailable without a change.
	Before When = iota + 1
	// After makes a write fail after its changes, unless a condition of a Txn has failed. A Txn
	// returns ErrUnknown, and an Apply ErrUnavailable.
	After
	// Half makes an Apply fail with ErrUnavailable after half of its changes. A Txn fails like
	// Before, because it is atomic.
	Half
)

// Stats counts calls since New or Reset, including failed ones, but not refused ones
// (kv.ErrRefused).
type Stats struct {
	Reads, Txns, Applies int // calls
	Queries, Changes     int // in all calls
	Publishes, Counts    int // calls of the bus and of the meter
}

// RoundTrips returns the number of calls of Read, Txn and Apply.
func (s Stats) RoundTrips() int { return s.Reads + s.Txns + s.Applies }

// Writes returns the number of the last write: calls of Txn and Apply.
func (s Stats) Writes() int { return s.Txns + s.Applies }

// Engine is a kv.Engine that fails on request. It is safe for concurrent use, but write numbers are
// only meaningful for sequential writes.
type Engine struct {
	inner kv.Engine

	mu    sync.Mutex
	stats Stats
	fails map[int]When
	alone int // number of the first write that the replicas do not receive, 0 for none
	clone func() kv.Engine
	spare kv.Engine // state of the replicas, nil until that write
	away  bool
	until time.Time // end of FailFor by the engine's clock, or zero
	subs  map[kv.Subscription]bool
}

var _ kv.Engine = (*Engine)(nil)

// New wraps an engine. Calls fail only on request.
func New(inner kv.Engine) *Engine {
	return &Engine{inner: inner, fails: map[int]When{}, subs: map[kv.Subscription]bool{}}
}

// FailAt makes the write with this number fail. The first Txn or Apply after
// New or Reset has number 1, and refused calls have none.
func (e *Engine) FailAt(n int, when When) {
	defer e.mu.Unlock()
	e.mu.Lock()
	e.fails[n] = when
}

// Alone disconnects the engine's replicas from a write on, counted like in FailAt. Calls still have
// their effect, but nothing is acknowledged.
//
// A Txn returns ErrUnknown, or ErrUnavailable if a condition failed. An Apply and a durable Read
// return ErrUnavailable. An action that succeeds nevertheless relies on data that FailOver removes.
// clone returns a copy of the wrapped engine.
func (e *Engine) Alone(from int, clone func() kv.Engine) {
	defer e.mu.Unlock()
	e.mu.Lock()
	e.alone, e.clone, e.spare = from, clone, nil
}

// FailOver replaces the engine with its disconnected replica and ends the disconnection.
func (e *Engine) FailOver() {
	defer e.mu.Unlock()
	e.mu.Lock()
	if e.spare != nil {
		e.inner = e.spare
	}
	e.alone, e.clone, e.spare = 0, nil, nil
	e.endSubscriptions()
}

// replicasMiss reports whether the replicas do not receive a call that is made now.
func (e *Engine) replicasMiss(write bool) bool {
	defer e.mu.Unlock()
	e.mu.Lock()
	n := e.stats.Writes()
	if !write {
		n++
	}
	return e.alone > 0 && n >= e.alone
}

// within returns the current wrapped engine.
func (e *Engine) within() kv.Engine {
	defer e.mu.Unlock()
	e.mu.Lock()
	return e.inner
}

// Away makes the engine unavailable or available. While it is unavailable, each call fails with
// ErrUnavailable and changes nothing. All subscriptions end.
func (e *Engine) Away(away bool) {
	defer e.mu.Unlock()
	e.mu.Lock()
	e.away, e.until = away, time.Time{}
	if away {
		e.endSubscriptions()
	}
}

// FailFor makes the engine unavailable for d by its own clock.
func (e *Engine) FailFor(ctx context.Context, d time.Duration) error {
	now, err := e.within().Now(ctx)
	if err != nil {
		return fmt.Errorf("take the engine away: %w", err)
	}
	defer e.mu.Unlock()
	e.mu.Lock()
	e.until = now.Add(d)
	e.endSubscriptions()
	return nil
}

// Reset makes the engine available, removes all faults and resets the counts, including the numbers
// of writes.
func (e *Engine) Reset() {
	defer e.mu.Unlock()
	e.mu.Lock()
	e.stats, e.away, e.until = Stats{}, false, time.Time{}
	e.alone, e.clone, e.spare = 0, nil, nil
	clear(e.fails)
}

// Stats returns the counts so far.
func (e *Engine) Stats() Stats {
	defer e.mu.Unlock()
	e.mu.Lock()
	return e.stats
}

// begin counts a call with add. It returns ErrUnavailable while the engine is unavailable. For a
// write it returns whether and how the write fails.
func (e *Engine) begin(ctx context.Context, add func(s *Stats)) (When, error) {
	e.mu.Lock()
	before := e.stats.Writes()
	add(&e.stats)
	n, away, until := e.stats.Writes(), e.away, e.until
	when := e.fails[n]
	if n > before && e.alone > 0 && e.spare == nil && n >= e.alone {
		e.spare = e.clone() // copies the replicas before the first write that they do not receive
	}
	e.mu.Unlock()
	if !away && !until.IsZero() {
		now, err := e.within().Now(ctx)
		away = err != nil || now.Before(until)
	}
	switch {
	case away:
		return 0, fmt.Errorf("%w: taken away", kv.ErrUnavailable)
	case n > before:
		return when, nil
	}
	return 0, nil
}

// endSubscriptions ends all subscriptions. The caller holds mu.
func (e *Engine) endSubscriptions() {
	for s := range e.subs {
		s.Close() // ends the channel, which can't carry an error
	}
	clear(e.subs)
}
