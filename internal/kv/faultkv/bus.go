package faultkv

import (
	"context"
	"time"

	"linnet/internal/kv"
)

// Publish implements kv.Bus.
func (e *Engine) Publish(ctx context.Context, topic string, payload []byte) error {
	if err := kv.CheckMessage(topic, payload); err != nil {
		return err
	}
	if _, err := e.begin(ctx, func(s *Stats) { s.Publishes++ }); err != nil {
		return err
	}
	return e.within().Publish(ctx, topic, payload)
}

// Subscribe implements kv.Bus.
func (e *Engine) Subscribe(ctx context.Context, topics ...string) (kv.Subscription, error) {
	if err := kv.CheckTopics(topics); err != nil {
		return nil, err
	}
	if err := e.there(ctx); err != nil {
		return nil, err
	}
	inner, err := e.within().Subscribe(ctx, topics...)
	if err != nil {
		return nil, err
	}
	s := &subscription{Subscription: inner, engine: e}
	defer e.mu.Unlock()
	e.mu.Lock()
	e.subs[inner] = true
	if e.away {
		e.endSubscriptions() // it became unavailable meanwhile
	}
	return s, nil
}

// subscription removes itself from its engine when it is closed.
type subscription struct {
	kv.Subscription
	engine *Engine
}

// Close implements kv.Subscription.
func (s *subscription) Close() error {
	defer s.engine.mu.Unlock()
	s.engine.mu.Lock()
	delete(s.engine.subs, s.Subscription)
	return s.Subscription.Close()
}

// Count implements kv.Meter.
func (e *Engine) Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error) {
	if err := kv.CheckCount(key, ttl); err != nil {
		return 0, err
	}
	if _, err := e.begin(ctx, func(s *Stats) { s.Counts++ }); err != nil {
		return 0, err
	}
	return e.within().Count(ctx, key, n, ttl)
}

// Now implements kv.Clock.
func (e *Engine) Now(ctx context.Context) (time.Time, error) {
	if err := e.there(ctx); err != nil {
		return time.Time{}, err
	}
	return e.within().Now(ctx)
}

// Keys implements kv.Keyspace.
func (e *Engine) Keys(ctx context.Context, cursor string) ([]kv.Key, string, error) {
	if err := e.there(ctx); err != nil {
		return nil, "", err
	}
	return e.within().Keys(ctx, cursor)
}

// Copy implements kv.Copier.
func (e *Engine) Copy(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	if err := e.there(ctx); err != nil {
		return nil, err
	}
	return e.within().Copy(ctx, opt)
}

// Records implements kv.Copier.
func (e *Engine) Records(ctx context.Context, kinds map[string]kv.Shape, keys []kv.Key, each func(*kv.Entry) error) error {
	if err := e.there(ctx); err != nil {
		return err
	}
	return e.within().Records(ctx, kinds, keys, each)
}

// Info implements kv.Engine.
func (e *Engine) Info() kv.Info { return e.within().Info() }

// Ping implements kv.Engine.
func (e *Engine) Ping(ctx context.Context) error {
	if err := e.there(ctx); err != nil {
		return err
	}
	return e.within().Ping(ctx)
}

// there returns ErrUnavailable while the engine is unavailable.
func (e *Engine) there(ctx context.Context) error {
	_, err := e.begin(ctx, func(*Stats) {})
	return err
}
