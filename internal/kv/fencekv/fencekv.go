// Package fencekv wraps an engine and blocks writes according to a fence record, so that a store
// can be moved to another host. It knows the record, but not its meaning.
//
// With several processes, none may begin or acknowledge a write later than Lease after it last
// checked the record. So after Quiet no write is acknowledged, even by processes that missed the
// record, lost their connection, were paused or started later. The only process of an engine sees
// the record when it is written, and waits for writes in progress.
package fencekv

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
)

const (
	// Lease is the time for which a check of the record is valid.
	Lease = 3 * time.Second
	// LookEvery is the interval at which a server should check the record, so that writes need not.
	LookEvery = time.Second
	// briefLease replaces Lease while WriteRule.Brief is set.
	briefLease = 250 * time.Millisecond
	// again is the time for which a check that forbids writes is valid.
	again = 200 * time.Millisecond
	// grace is added to Lease when waiting, because clocks run at slightly different speeds.
	grace = 300 * time.Millisecond
	// briefGrace is added to briefLease.
	briefGrace = 25 * time.Millisecond
	// maxQueue limits how long a write waits for its turn while WriteRule.Gap is set.
	maxQueue = time.Second
)

// Options describe the record.
type Options struct {
	Key kv.Key
	// Judge returns the rule that the record sets. Version 0 means that there is no record.
	Judge func(*kv.Get) kv.WriteRule
	// Free reports whether keys of a kind are written regardless of the record. The kind of Key
	// must be one of them.
	Free func(kind string) bool
	// Alone is set if no other process uses the engine.
	Alone bool
	// Now is the local clock, nil for time.Now. It must not go back.
	Now func() time.Time
}

// Engine is an engine with a fence. If the fence is closed during a write, a Txn fails with
// ErrUnknown and an Apply with ErrUnavailable. Later writes fail with Judge's error.
type Engine struct {
	kv.Engine
	opt Options

	fence sync.RWMutex // read-locked by writes, locked by writes to the record
	seen  atomic.Pointer[look]
	looks atomic.Uint64 // checks begun

	mu        sync.Mutex
	listeners map[*listener]struct{}
	listening atomic.Bool // set if there are listeners, which is rare, so that other writes need not lock mu

	turn struct { // time of the next write while WriteRule.Gap is set
		sync.Mutex
		at time.Time
	}
}

// look is the result of a check of the record.
type look struct {
	n  uint64    // later checks have greater numbers
	at time.Time // before the read
	kv.WriteRule
}

// New returns an engine with a fence.
func New(e kv.Engine, opt Options) *Engine {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	f := &Engine{Engine: e, opt: opt, listeners: map[*listener]struct{}{}}
	f.Late(f.madeLate)
	return f
}

// Quiet returns the time for which other processes can still acknowledge writes after the record
// was written through this engine.
func (e *Engine) Quiet() time.Duration {
	if e.opt.Alone {
		return 0
	}
	return Lease + grace
}

// BriefQuiet returns the time for which other processes can still acknowledge writes after the
// fence was closed. WriteRule.Brief must have been set for at least Quiet before.
func (e *Engine) BriefQuiet() time.Duration {
	if e.opt.Alone {
		return 0
	}
	return briefLease + briefGrace
}

// Look checks the record and returns the error of writes.
func (e *Engine) Look(ctx context.Context) error {
	l, err := e.look(ctx)
	if err != nil {
		return err
	}
	return l.Err
}

func (e *Engine) look(ctx context.Context) (*look, error) {
	l, get := &look{n: e.looks.Add(1), at: e.opt.Now()}, &kv.Get{Key: e.opt.Key}
	if err := e.Engine.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("check whether the store accepts writes: %w", err)
	}
	l.WriteRule = e.opt.Judge(get)
	return e.storeLatest(l), nil
}

// storeLatest stores a check if it is the latest, and returns the latest one.
func (e *Engine) storeLatest(l *look) *look {
	for {
		old := e.seen.Load()
		if old != nil && old.n > l.n {
			return old
		}
		if e.seen.CompareAndSwap(old, l) {
			return l
		}
	}
}

// may returns a valid check that allows writes, or an error.
func (e *Engine) may(ctx context.Context) (*look, error) {
	l := e.seen.Load()
	if l == nil || !e.holds(l) {
		var err error
		if l, err = e.look(ctx); err != nil {
			return nil, err
		}
	}
	return l, l.Err
}

// holds reports whether a check is still valid.
func (e *Engine) holds(l *look) bool {
	age := e.opt.Now().Sub(l.at)
	switch {
	case l.Err != nil:
		return age < again
	case l.Brief:
		return e.opt.Alone || age < briefLease
	}
	return e.opt.Alone || age < Lease
}

// still returns an error if a completed write cannot be acknowledged.
func (e *Engine) still(ctx context.Context, by *look) error {
	if e.holds(by) {
		return nil
	}
	_, err := e.may(ctx)
	return err
}

// pace waits for the turn of a write while WriteRule.Gap is set. It fails if too many writes are
// waiting.
func (e *Engine) pace(ctx context.Context) error {
	l := e.seen.Load()
	if l == nil || l.Gap == 0 {
		return nil
	}
	now := e.opt.Now()
	e.turn.Lock()
	at := e.turn.at
	if at.Before(now) {
		at = now
	}
	wait := at.Sub(now)
	if wait <= maxQueue {
		e.turn.at = at.Add(l.Gap)
	}
	e.turn.Unlock()
	if wait > maxQueue {
		return fmt.Errorf("%w: %w: too many writes are waiting while the store is being moved", kv.ErrUnavailable, kv.ErrMoving)
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Txn implements kv.Store.
func (e *Engine) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	if e.free(changes) {
		if !slices.ContainsFunc(changes, func(c kv.Op) bool { return kv.KeyOfOp(c) == e.opt.Key }) {
			failed, err := e.Engine.Txn(ctx, conds, changes...)
			e.reportChanges(changes)
			return failed, err
		}
		e.fence.Lock()
		defer e.fence.Unlock()
		failed, err := e.Engine.Txn(ctx, conds, changes...)
		if _, unseen := e.look(ctx); unseen != nil { // the next write checks again
			e.storeLatest(&look{n: e.looks.Add(1), at: e.opt.Now(), WriteRule: kv.WriteRule{Err: unseen}})
		}
		return failed, err
	}
	if err := e.pace(ctx); err != nil {
		return -1, err
	}
	e.fence.RLock()
	defer e.fence.RUnlock()
	by, err := e.may(ctx)
	if err != nil {
		return -1, err
	}
	failed, err := e.Engine.Txn(ctx, conds, changes...)
	e.reportChanges(changes)
	if err != nil {
		return failed, err
	}
	if err := e.still(ctx, by); err != nil {
		if failed < 0 {
			err = fmt.Errorf("%w: %w", kv.ErrUnknown, err)
		}
		return -1, err
	}
	return failed, nil
}

// Apply implements kv.Store.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if e.free(changes) {
		err := e.Engine.Apply(ctx, changes...)
		e.reportChanges(changes)
		return err
	}
	if err := e.pace(ctx); err != nil {
		return err
	}
	e.fence.RLock()
	defer e.fence.RUnlock()
	by, err := e.may(ctx)
	if err != nil {
		return err
	}
	err = e.Engine.Apply(ctx, changes...)
	e.reportChanges(changes)
	if err != nil {
		return err
	}
	return e.still(ctx, by)
}

// free reports whether changes are allowed regardless of the record.
func (e *Engine) free(changes []kv.Op) bool {
	for _, c := range changes {
		if !e.opt.Free(kv.KeyOfOp(c).Kind) {
			return false
		}
	}
	return true
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

// madeLate handles writes that were made after their callers had returned, which can include the
// record.
func (e *Engine) madeLate(changed []kv.Key) {
	if slices.Contains(changed, e.opt.Key) {
		e.storeLatest(&look{n: e.looks.Add(1), WriteRule: kv.WriteRule{Err: kv.ErrUnavailable}}) // expired, so that the next write checks again
	}
	e.notify(changed)
}

// listener receives changes.
type listener struct {
	kinds []string
	f     func([]kv.Key, bool)
}

// Changes reports changes like a kv.Tracker. If the engine is used by this process alone, it
// reports the changes made through this Engine, including late ones, and needs no kv.Tracker.
func (e *Engine) Changes(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	if !e.opt.Alone {
		return e.Track(ctx, kinds, f)
	}
	l := &listener{kinds, f}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[l] = struct{}{}
	e.listening.Store(true) // before f is called
	f(nil, true)
	context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.listeners, l)
		e.listening.Store(len(e.listeners) > 0)
	})
	return nil
}

// reportChanges reports changes that were made, or may have been.
func (e *Engine) reportChanges(changes []kv.Op) {
	if !e.listening.Load() { // later listeners read the current state
		return
	}
	keys := make([]kv.Key, len(changes))
	for i, c := range changes {
		keys[i] = kv.KeyOfOp(c)
	}
	e.notify(keys)
}

// notify reports changed keys to the listeners for their kinds.
func (e *Engine) notify(changed []kv.Key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for l := range e.listeners {
		var keys []kv.Key
		for _, k := range changed {
			if slices.Contains(l.kinds, k.Kind) {
				keys = append(keys, k)
			}
		}
		if len(keys) > 0 {
			l.f(keys, true)
		}
	}
}
