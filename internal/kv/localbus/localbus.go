// Package localbus is the bus of engines with a single process, which have no other servers to
// reach.
package localbus

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"linnet/internal/kv"
)

// Bus is a kv.Bus within the process. Its lock is never held during calls of other code.
type Bus struct {
	queue  int
	usable func(context.Context) error

	mu     sync.Mutex
	closed bool
	topics map[string]map[*subscription]bool
}

var _ kv.Bus = (*Bus)(nil)

// New returns a Bus. A subscription has a queue of messages, and is closed if it is full. Every
// call first calls usable, unless it is nil, and returns its error. An engine reports there that it
// is closed.
func New(queue int, usable func(context.Context) error) *Bus {
	return &Bus{queue: queue, usable: usable, topics: map[string]map[*subscription]bool{}}
}

type subscription struct {
	bus    *Bus
	topics []string
	ch     chan kv.Message
	ended  bool // guarded by bus.mu
}

// Publish implements kv.Bus. A subscription whose queue is full is closed.
func (b *Bus) Publish(ctx context.Context, topic string, payload []byte) error {
	if err := kv.CheckMessage(topic, payload); err != nil {
		return err
	}
	if err := b.usable(ctx); err != nil {
		return fmt.Errorf("publish an event: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	subs := b.topics[topic]
	if len(subs) == 0 {
		return nil
	}
	m := kv.Message{Topic: topic, Payload: slices.Clone(payload)} // the caller may reuse its own payload
	for s := range subs {
		select {
		case s.ch <- m:
		default:
			b.end(s)
		}
	}
	return nil
}

// Subscribe implements kv.Bus.
func (b *Bus) Subscribe(ctx context.Context, topics ...string) (kv.Subscription, error) {
	if err := kv.CheckTopics(topics); err != nil {
		return nil, err
	}
	if err := b.usable(ctx); err != nil {
		return nil, fmt.Errorf("subscribe to events: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, fmt.Errorf("subscribe to events: %w", kv.ErrClosed)
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
func (b *Bus) end(s *subscription) {
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

// End closes all subscriptions, and refuses others.
func (b *Bus) End() {
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
