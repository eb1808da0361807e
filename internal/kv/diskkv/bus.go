package diskkv

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"linnet/internal/kv"
)

// bus delivers within the process: it has no other servers to reach.
type bus struct {
	queue int

	mu     sync.Mutex
	closed bool
	topics map[string]map[*subscription]bool
}

type subscription struct {
	bus    *bus
	topics []string
	ch     chan kv.Message
	ended  bool // guarded by bus.mu
}

// Publish implements kv.Bus. A subscription whose queue is full is closed.
func (e *Engine) Publish(ctx context.Context, topic string, payload []byte) error {
	if err := kv.CheckMessage(topic, payload); err != nil {
		return err
	}
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	e.bus.publish(topic, payload)
	return nil
}

// Subscribe implements kv.Bus.
func (e *Engine) Subscribe(ctx context.Context, topics ...string) (kv.Subscription, error) {
	if err := kv.CheckTopics(topics); err != nil {
		return nil, err
	}
	if err := e.usable(ctx); err != nil {
		return nil, fmt.Errorf("subscribe: %w", err)
	}
	return e.bus.subscribe(topics)
}

func (b *bus) publish(topic string, payload []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	subs := b.topics[topic]
	if len(subs) == 0 {
		return
	}
	m := kv.Message{Topic: topic, Payload: slices.Clone(payload)} // the caller may use its own again
	for s := range subs {
		select {
		case s.ch <- m:
		default:
			b.end(s)
		}
	}
}

func (b *bus) subscribe(topics []string) (kv.Subscription, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, fmt.Errorf("subscribe: %w", kv.ErrClosed)
	}
	s := &subscription{bus: b, topics: slices.Clone(topics), ch: make(chan kv.Message, b.queue)}
	for _, t := range topics {
		if b.topics[t] == nil {
			b.topics[t] = map[*subscription]bool{}
		}
		b.topics[t][s] = true
	}
	return s, nil
}

// end is called with the lock held.
func (b *bus) end(s *subscription) {
	if s.ended {
		return
	}
	s.ended = true
	for _, t := range s.topics {
		delete(b.topics[t], s)
		if len(b.topics[t]) == 0 {
			delete(b.topics, t)
		}
	}
	close(s.ch)
}

func (b *bus) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, subs := range b.topics {
		for s := range subs {
			b.end(s)
		}
	}
}

// Messages implements kv.Subscription.
func (s *subscription) Messages() <-chan kv.Message { return s.ch }

// Close implements kv.Subscription.
func (s *subscription) Close() error {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	s.bus.end(s)
	return nil
}
