// Package fencekv wraps an engine and blocks writes while a fence record says so, so that a store
// can be moved to another host. It knows the record, but not its meaning.
//
// With several processes, none may begin or acknowledge a write later than Lease after it last
// checked the record. So after Quiet nothing is acknowledged any more, even by processes that
// missed the record, lost their connection, were paused or start only then. The only process of an
// engine sees the record when it is written, and waits for writes in progress.
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
	// Lease is how long a look at the record lasts.
	Lease = 3 * time.Second
	// LookEvery is how often a server should look, so that no write has to.
	LookEvery = time.Second
	// briefLease replaces Lease while WriteRule.Brief is set.
	briefLease = 250 * time.Millisecond
	// again is how long what forbids writes is believed.
	again = 200 * time.Millisecond
	// grace is added to Lease by whoever waits: clocks do not run equally fast.
	grace = 300 * time.Millisecond
	// briefGrace is added to briefLease.
	briefGrace = 25 * time.Millisecond
	// maxQueue limits how long a write waits for its turn while WriteRule.Gap is set.
	maxQueue = time.Second
)

// Options say what the record is.
type Options struct {
	Key kv.Key
	// Judge returns the rule that the record sets. Version 0 means that there is no record.
	Judge func(*kv.Get) kv.WriteRule
	// Free tells kinds of key that are written all the same; Key's own must be one.
	Free func(kind string) bool
	// Alone says that no other process has the engine.
	Alone bool
	// Now is the local clock; nil: time.Now. It must not go back.
	Now func() time.Time
}

// Engine is an engine with a fence. A Txn under which the fence was closed fails with
// ErrUnknown, an Apply with ErrUnavailable, what begins later with Judge's error.
type Engine struct {
	kv.Engine
	opt Options

	fence sync.RWMutex // held by writes, and alone by what writes the record
	seen  atomic.Pointer[look]
	looks atomic.Uint64 // that were begun

	mu        sync.Mutex
	listeners map[*listener]struct{}
	listening atomic.Bool // somebody does: nearly always nobody, and writes need not wait for each other

	turn struct { // of the next write while WriteRule.Gap is set
		sync.Mutex
		at time.Time
	}
}

// look is what was seen of the record.
type look struct {
	n  uint64    // later looks have greater numbers
	at time.Time // before it was asked for
	kv.WriteRule
}

// New puts a fence around an engine.
func New(e kv.Engine, opt Options) *Engine {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	f := &Engine{Engine: e, opt: opt, listeners: map[*listener]struct{}{}}
	f.Late(f.madeLate)
	return f
}

// Quiet is how long after the record was written, through this engine, others may still
// acknowledge writes.
func (e *Engine) Quiet() time.Duration {
	if e.opt.Alone {
		return 0
	}
	return Lease + grace
}

// BriefQuiet is how long others may still acknowledge writes after the fence was closed, if
// WriteRule.Brief was set for at least Quiet before.
func (e *Engine) BriefQuiet() time.Duration {
	if e.opt.Alone {
		return 0
	}
	return briefLease + briefGrace
}

// Look reads the record, and returns what it makes of writes.
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
		return nil, fmt.Errorf("look whether the store may be written to: %w", err)
	}
	l.WriteRule = e.opt.Judge(get)
	return e.keep(l), nil
}

// keep keeps the latest look, which it returns.
func (e *Engine) keep(l *look) *look {
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

// may returns the look by which writes may be made, or the reason why not.
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

// holds says whether a look is still good.
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

// still fails if a write that has just ended may not be acknowledged.
func (e *Engine) still(ctx context.Context, by *look) error {
	if e.holds(by) {
		return nil
	}
	_, err := e.may(ctx)
	return err
}

// pace waits until it is the turn of a write, while WriteRule.Gap is set. It fails if too many
// writes wait already.
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
		return fmt.Errorf("%w: %w: too many writes wait while the store is moved", kv.ErrUnavailable, kv.ErrMoving)
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
		return e.freeTxn(ctx, conds, changes)
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
	e.tell(changes)
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

// freeTxn makes what no fence holds up; the record itself while nothing else is written.
func (e *Engine) freeTxn(ctx context.Context, conds []kv.Cond, changes []kv.Op) (int, error) {
	if !slices.ContainsFunc(changes, func(c kv.Op) bool { return kv.KeyOfOp(c) == e.opt.Key }) {
		failed, err := e.Engine.Txn(ctx, conds, changes...)
		e.tell(changes)
		return failed, err
	}
	e.fence.Lock()
	defer e.fence.Unlock()
	failed, err := e.Engine.Txn(ctx, conds, changes...)
	if _, unseen := e.look(ctx); unseen != nil { // whoever writes next looks again
		e.keep(&look{n: e.looks.Add(1), at: e.opt.Now(), WriteRule: kv.WriteRule{Err: unseen}})
	}
	return failed, err
}

// Apply implements kv.Store.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if e.free(changes) {
		err := e.Engine.Apply(ctx, changes...)
		e.tell(changes)
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
	e.tell(changes)
	if err != nil {
		return err
	}
	return e.still(ctx, by)
}

// free says whether changes are made whatever the record says.
func (e *Engine) free(changes []kv.Op) bool {
	for _, c := range changes {
		if !e.opt.Free(kv.KeyOfOp(c).Kind) {
			return false
		}
	}
	return true
}

// Spread implements kv.Spread as the engine below does.
func (e *Engine) Spread() bool {
	s, ok := e.Engine.(kv.Spread)
	return ok && s.Spread()
}

// Track implements kv.Tracker if the engine below does; otherwise it refuses.
func (e *Engine) Track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	if t, ok := e.Engine.(kv.Tracker); ok {
		return t.Track(ctx, kinds, f)
	}
	return kv.ErrRefused
}

// Late implements kv.Late if the engine below does.
func (e *Engine) Late(f func([]kv.Key)) {
	if l, ok := e.Engine.(kv.Late); ok {
		l.Late(f)
	}
}

// madeLate hears of writes whose callers have gone, the record among them.
func (e *Engine) madeLate(changed []kv.Key) {
	if slices.Contains(changed, e.opt.Key) {
		e.keep(&look{n: e.looks.Add(1), WriteRule: kv.WriteRule{Err: kv.ErrUnavailable}}) // long ago: whoever writes next looks again
	}
	e.notify(changed)
}

// listener is told of changes.
type listener struct {
	kinds []string
	f     func([]kv.Key, bool)
}

// Changes tells what is changed as a kv.Tracker does, also of an engine that is none, if it
// is of this process alone: then of what is changed through this one, late or not.
func (e *Engine) Changes(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	if !e.opt.Alone {
		return e.Track(ctx, kinds, f)
	}
	l := &listener{kinds, f}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[l] = struct{}{}
	e.listening.Store(true) // before f says that all is heard
	f(nil, true)
	context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.listeners, l)
		e.listening.Store(len(e.listeners) > 0)
	})
	return nil
}

// tell tells of changes that were made, or perhaps were.
func (e *Engine) tell(changes []kv.Op) {
	if !e.listening.Load() { // who begins to listen later reads what is there by then
		return
	}
	keys := make([]kv.Key, len(changes))
	for i, c := range changes {
		keys[i] = kv.KeyOfOp(c)
	}
	e.notify(keys)
}

// notify passes on what was changed to those who listen for its kind.
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
