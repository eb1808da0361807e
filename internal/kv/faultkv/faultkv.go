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

// When says at which point a write fails.
type When uint8

const (
	// Before: nothing was changed, and the error is ErrUnavailable.
	Before When = iota + 1
	// After: the write was carried out (a Txn whose condition failed has
	// changed nothing, of course). The error of a Txn is ErrUnknown, that of
	// an Apply ErrUnavailable.
	After
	// Half: the first half of the changes of an Apply was made, and the error
	// is ErrUnavailable. A Txn is never made in part: it fails as by Before.
	Half
)

// Stats counts calls since New or Reset, those that failed included and those
// that were refused (kv.ErrRefused) not.
type Stats struct {
	Reads, Txns, Applies int // calls
	Queries, Changes     int // in all of these calls
	Publishes, Counts    int // calls of the bus and of the meter
}

// RoundTrips returns how often the store was asked: calls of Read, Txn and
// Apply.
func (s Stats) RoundTrips() int { return s.Reads + s.Txns + s.Applies }

// Writes returns the number of the last write: calls of Txn and Apply.
func (s Stats) Writes() int { return s.Txns + s.Applies }

// Engine is a kv.Engine that fails as it is told. Its methods are safe for
// concurrent use; so that a number means a certain write, though, writes have
// to follow one another.
type Engine struct {
	inner kv.Engine

	mu    sync.Mutex
	stats Stats
	fails map[int]When
	alone int // number of the first write that no replica gets; 0: none
	clone func() kv.Engine
	spare kv.Engine // what the replicas have; nil until that write comes
	away  bool
	until time.Time // end of FailFor by the engine's clock; zero if none
	subs  map[kv.Subscription]bool
}

var _ kv.Engine = (*Engine)(nil)

// New wraps an engine. Nothing fails until it is asked for.
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

// Alone takes the engine's replicas away, from the write with this number on, as
// FailAt counts them. Everything is made and can be read, and nothing of it is
// acknowledged: a Txn answers ErrUnknown, or ErrUnavailable if a condition failed,
// an Apply ErrUnavailable, and so does a Read that asks for what is durable. Whoever
// answers yes to an act all the same took what FailOver takes away for the truth.
// Clone returns an engine with what the one within holds at the time.
func (e *Engine) Alone(from int, clone func() kv.Engine) {
	defer e.mu.Unlock()
	e.mu.Lock()
	e.alone, e.clone, e.spare = from, clone, nil
}

// FailOver replaces the engine by its replica, which has nothing of what was written
// since it was cut off, and heals the two.
func (e *Engine) FailOver() {
	defer e.mu.Unlock()
	e.mu.Lock()
	if e.spare != nil {
		e.inner = e.spare
	}
	e.alone, e.clone, e.spare = 0, nil, nil
	e.endSubscriptions()
}

// cutOff keeps what the replicas have before the first write that they do not get;
// mu is held.
func (e *Engine) cutOff() {
	if e.alone > 0 && e.spare == nil && e.stats.Writes() >= e.alone {
		e.spare = e.clone()
	}
}

// unheard says whether no replica hears of a call that is made now.
func (e *Engine) unheard(write bool) bool {
	defer e.mu.Unlock()
	e.mu.Lock()
	n := e.stats.Writes()
	if !write {
		n++
	}
	return e.alone > 0 && n >= e.alone
}

// within is the engine that is at work now.
func (e *Engine) within() kv.Engine {
	defer e.mu.Unlock()
	e.mu.Lock()
	return e.inner
}

// Away takes the engine away or brings it back. While it is away every call
// fails with ErrUnavailable and changes nothing; going away ends all
// subscriptions.
func (e *Engine) Away(away bool) {
	defer e.mu.Unlock()
	e.mu.Lock()
	e.away, e.until = away, time.Time{}
	if away {
		e.endSubscriptions()
	}
}

// FailFor takes the engine away for d of its own clock.
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

// Reset brings the engine back, forgets all faults and sets the counts, and so
// the numbers of writes, to 0.
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

// begin counts a call with add and returns ErrUnavailable if the engine is away.
// Of a write it returns whether and how it fails.
func (e *Engine) begin(ctx context.Context, add func(s *Stats)) (When, error) {
	e.mu.Lock()
	before := e.stats.Writes()
	add(&e.stats)
	n, away, until := e.stats.Writes(), e.away, e.until
	when := e.fails[n]
	if n > before {
		e.cutOff()
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

// endSubscriptions is called with the lock held.
func (e *Engine) endSubscriptions() {
	for s := range e.subs {
		s.Close() // ends the channel; there is nobody to tell of an error
	}
	clear(e.subs)
}
