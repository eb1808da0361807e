package rediskv

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const busPrefix = "bus:"

// busHome determines the node of a Cluster that publishers and subscribers prefer. All nodes
// forward messages to each other, but forwarded messages are unordered, and may reach a subscriber
// that subscribed later.
const busHome = "bus"

// Publish implements kv.Bus.
func (e *Engine) Publish(ctx context.Context, topic string, payload []byte) error {
	if err := kv.CheckMessage(topic, payload); err != nil {
		return err
	}
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("publish an event: %w", err)
	}
	defer e.leave()
	channel, message := e.bus.prefix+topic, string(payload)
	err := e.tryNodes(ctx, func(ctx context.Context, home bool) error {
		command := e.front.B().Publish().Channel(channel).Message(message).Build()
		if home {
			command = command.SetSlot(busHome)
		}
		return e.front.Do(ctx, command).Error()
	})
	if err = classify(ctx, err, writing); err != nil {
		return fmt.Errorf("publish to %q: %w", topic, err)
	}
	return nil
}

// Subscribe implements kv.Bus.
func (e *Engine) Subscribe(ctx context.Context, topics ...string) (kv.Subscription, error) {
	if err := kv.CheckTopics(topics); err != nil {
		return nil, err
	}
	if err := e.enter(ctx); err != nil {
		return nil, fmt.Errorf("subscribe to events: %w", err)
	}
	defer e.leave()
	var s *subscription
	err := e.tryNodes(ctx, func(ctx context.Context, home bool) (err error) {
		s, err = e.bus.subscribe(ctx, topics, home)
		return err
	})
	if err = classify(ctx, err, reading); err != nil {
		return nil, fmt.Errorf("subscribe to events: %w", err)
	}
	return s, nil
}

// bus shares one connection among all subscriptions of a process. Lock turn before mu. No answer is
// awaited while mu is held.
type bus struct {
	client rueidis.Client
	prefix string
	queue  int
	opts   Options

	// turn is held while the subscriptions of the connection change. So a topic in topics is active
	// when turn is not held.
	turn chan struct{}

	mu     sync.Mutex
	closed bool
	wire   *wire // nil before the first subscription and after a break
}

// wire is one connection with its subscribers.
type wire struct {
	client rueidis.DedicatedClient
	free   func()
	topics map[string]map[*subscription]bool // by channel
	used   bool                              // guarded by bus.turn
	broken bool
}

func (b *bus) take(ctx context.Context) error {
	select {
	case b.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// subscribe registers the subscription before it sends the command, so that no message is missed in
// between.
func (b *bus) subscribe(ctx context.Context, topics []string, home bool) (*subscription, error) {
	if err := b.take(ctx); err != nil {
		return nil, err
	}
	defer func() { <-b.turn }()
	w := b.current()
	s := &subscription{bus: b, wire: w, ch: make(chan kv.Message, b.queue)}
	fresh, err := b.register(s, topics)
	if err != nil || len(fresh) == 0 {
		return s, err
	}
	command := w.client.B().Subscribe().Channel(fresh...).Build()
	if home && !w.used { // the first command chooses the node
		command = command.SetSlot(busHome)
	}
	w.used = true
	err = w.client.Do(ctx, command).Error()
	if err != nil { // the active topics of this connection are unknown
		b.fail(w)
		return nil, err
	}
	return s, nil
}

// current returns the connection, or a new one if there is none. The caller holds turn.
func (b *bus) current() *wire {
	b.mu.Lock()
	w := b.wire
	b.mu.Unlock()
	if w != nil {
		return w
	}
	w = &wire{topics: map[string]map[*subscription]bool{}}
	w.client, w.free = b.client.Dedicate()
	closed := w.client.SetPubSubHooks(rueidis.PubSubHooks{
		OnMessage: func(m rueidis.PubSubMessage) { b.deliver(w, m) },
	})
	go func() {
		<-closed
		b.fail(w)
	}()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !w.broken {
		b.wire = w
	}
	return w
}

// register adds s to the subscribers and returns the channels that had no subscribers.
func (b *bus) register(s *subscription, topics []string) ([]string, error) {
	defer b.mu.Unlock()
	b.mu.Lock()
	if b.closed {
		return nil, kv.ErrClosed
	}
	if s.wire.broken {
		return nil, &unsentError{errors.New("the connection for events was lost")}
	}
	var fresh []string
	for _, topic := range topics {
		channel := b.prefix + topic
		if s.wire.topics[channel] == nil {
			s.wire.topics[channel] = map[*subscription]bool{}
			fresh = append(fresh, channel)
		}
		if !s.wire.topics[channel][s] {
			s.wire.topics[channel][s] = true
			s.channels = append(s.channels, channel)
		}
	}
	return fresh, nil
}

// deliver is called by the reader of the connection and never blocks.
func (b *bus) deliver(w *wire, m rueidis.PubSubMessage) {
	defer b.mu.Unlock()
	b.mu.Lock()
	message := kv.Message{Topic: m.Channel[min(len(b.prefix), len(m.Channel)):], Payload: []byte(m.Message)}
	for s := range w.topics[m.Channel] {
		select {
		case s.ch <- message:
		default:
			s.end()
		}
	}
}

// fail ends all subscriptions of a connection and drops it.
func (b *bus) fail(w *wire) {
	b.mu.Lock()
	first := !w.broken
	w.broken = true
	if b.wire == w {
		b.wire = nil
	}
	for _, subs := range w.topics {
		for s := range subs {
			s.end()
		}
	}
	b.mu.Unlock()
	if first {
		w.client.Close()
		w.free()
	}
}

func (b *bus) close() {
	b.mu.Lock()
	b.closed = true
	w := b.wire
	b.mu.Unlock()
	if w != nil {
		b.fail(w)
	}
	b.client.Close()
}
