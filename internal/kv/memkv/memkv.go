// Package memkv is a kv engine that stores everything in memory and drops it when it is closed. It
// is the reference for other engines and the engine of tests above the port. It has one lock, maps
// and sorted slices.
//
// It knows only the contract of package kv, not the meaning of records. Using a key with the wrong
// shape panics, because that is a bug in the program.
package memkv

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/localbus"
	"linnet/internal/wording"
)

// Options configures an Engine. The zero value is ready to use.
type Options struct {
	// Now is the clock for the expiry of values, fillings and meters, or time.Now if nil. It must
	// be safe for concurrent use.
	Now func() time.Time
	// Queue is the number of messages after which a slow subscription is closed, 1024 if 0.
	Queue int
}

const (
	defaultQueue = 1024
	keysPage     = 100 // keys per call of Keys
)

// Engine is a kv.Engine in memory. Create it with New.
type Engine struct {
	*localbus.Bus
	opts Options
	now  func() time.Time

	mu     sync.Mutex
	closed bool
	recs   map[kv.Key]any // *value, counters, *set or *feed
	meters map[string]meter
}

var _ kv.Engine = (*Engine)(nil)

// New returns an empty engine.
func New(opts Options) *Engine {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Queue == 0 {
		opts.Queue = defaultQueue
	}
	e := &Engine{opts: opts, now: opts.Now, recs: map[kv.Key]any{}, meters: map[string]meter{}}
	e.Bus = localbus.New(opts.Queue, e.Ping)
	return e
}

// Clone returns a separate engine with the current content, like a replica that receives no more
// writes. The two do not receive each other's messages.
func (e *Engine) Clone() *Engine {
	c := New(e.opts)
	defer e.mu.Unlock()
	e.mu.Lock()
	for k, rec := range e.recs {
		switch r := rec.(type) {
		case counters:
			c.recs[k] = maps.Clone(r)
		case *set:
			c.recs[k] = &set{scores: maps.Clone(r.scores), order: slices.Clone(r.order)}
		case *feed:
			f := *r
			f.ids = slices.Clone(r.ids)
			c.recs[k] = &f
		default: // values are never changed in place
			c.recs[k] = rec
		}
	}
	maps.Copy(c.meters, e.meters)
	return c
}

// Read implements kv.Store.
func (e *Engine) Read(ctx context.Context, qs ...kv.Query) error {
	if err := kv.CheckRead(qs); err != nil {
		return err
	}
	defer e.mu.Unlock()
	e.mu.Lock()
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	for _, q := range qs {
		switch q := q.(type) {
		case *kv.Get:
			q.Data, q.Version = nil, 0
			if v, ok := get[*value](e, q.Key); ok {
				q.Data, q.Version = v.data, v.version
			}
		case *kv.Counters:
			c, _ := get[counters](e, q.Key)
			q.Values = make([]int64, len(q.Names))
			for i, n := range q.Names {
				q.Values[i] = c[n]
			}
		case *kv.Range:
			s, _ := get[*set](e, q.Key)
			q.Members = s.page(q)
		case *kv.Scores:
			s, _ := get[*set](e, q.Key)
			q.Values, q.Found = make([]int64, len(q.Members)), make([]bool, len(q.Members))
			for i, m := range q.Members {
				q.Values[i], q.Found[i] = s.score(m)
			}
		case *kv.AnyMember:
			q.Found = slices.ContainsFunc(q.Keys, func(k kv.Key) bool { s, _ := get[*set](e, k); return s != nil && len(s.order) > 0 })
		case *kv.Feed:
			f, _ := get[*feed](e, q.Key)
			f.answer(q)
		}
	}
	return nil
}

// Txn implements kv.Store. It returns the index of the first condition that
// failed.
func (e *Engine) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	if _, err := kv.CheckTxn(conds, changes); err != nil {
		return -1, err
	}
	defer e.mu.Unlock()
	e.mu.Lock()
	if err := e.usable(ctx); err != nil {
		return -1, fmt.Errorf("run a transaction: %w", err)
	}
	for i, c := range conds {
		if !e.holds(c) {
			return i, nil
		}
	}
	for _, c := range changes {
		e.make(c)
	}
	return -1, nil
}

// Apply implements kv.Store.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if err := kv.CheckApply(changes); err != nil {
		return err
	}
	defer e.mu.Unlock()
	e.mu.Lock()
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("apply changes: %w", err)
	}
	for _, c := range changes {
		e.make(c)
	}
	return nil
}

// Close implements kv.Store. It drops all records and ends all subscriptions.
func (e *Engine) Close() error {
	e.End()
	defer e.mu.Unlock()
	e.mu.Lock()
	e.closed = true
	clear(e.recs)
	clear(e.meters)
	return nil
}

// Now implements kv.Clock.
func (e *Engine) Now(ctx context.Context) (time.Time, error) {
	if err := e.Ping(ctx); err != nil {
		return time.Time{}, err
	}
	return e.now(), nil
}

// Keys implements kv.Keyspace. The cursor is the last key returned.
func (e *Engine) Keys(ctx context.Context, cursor string) ([]kv.Key, string, error) {
	defer e.mu.Unlock()
	e.mu.Lock()
	if err := e.usable(ctx); err != nil {
		return nil, "", fmt.Errorf("scan the keys: %w", err)
	}
	var texts []string
	for k, rec := range e.recs {
		if _, ok := rec.(*feed); ok || e.expired(rec) {
			continue
		}
		if s := k.String(); s > cursor {
			texts = append(texts, s)
		}
	}
	slices.Sort(texts)
	next := ""
	if len(texts) > keysPage {
		texts = texts[:keysPage]
		next = texts[keysPage-1]
	}
	keys := make([]kv.Key, len(texts))
	for i, s := range texts {
		k, err := kv.ParseKey(s)
		if err != nil {
			return nil, "", fmt.Errorf("scan the keys: %w", err)
		}
		keys[i] = k
	}
	return keys, next, nil
}

// Info implements kv.Engine.
func (e *Engine) Info() kv.Info {
	return kv.Info{Engine: wording.Store("memory"), Durability: wording.Messagef("in memory: all data is lost when the process ends")}
}

// Ping implements kv.Engine.
func (e *Engine) Ping(ctx context.Context) error {
	defer e.mu.Unlock()
	e.mu.Lock()
	return e.usable(ctx)
}

// usable returns an error if the engine is closed or ctx has ended. The caller holds the lock.
func (e *Engine) usable(ctx context.Context) error {
	if e.closed {
		return kv.ErrClosed
	}
	return ctx.Err()
}
