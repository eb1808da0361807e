package rediskv

import (
	"context"

	"linnet/internal/kv"
)

// subscription implements kv.Subscription.
type subscription struct {
	bus      *bus
	wire     *wire
	channels []string
	ch       chan kv.Message
	ended    bool // guarded by bus.mu, as is the closing of ch
}

func (s *subscription) Messages() <-chan kv.Message { return s.ch }

// end ends the subscription. The caller holds bus.mu. The channels remain subscribed until Close.
func (s *subscription) end() {
	if s.ended {
		return
	}
	s.ended = true
	for _, channel := range s.channels {
		delete(s.wire.topics[channel], s)
	}
	close(s.ch)
}

// Close ends the subscription and unsubscribes from channels without subscribers.
func (s *subscription) Close() error {
	b := s.bus
	b.mu.Lock()
	s.end()
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), b.opts.Timeout)
	defer cancel()
	if b.take(ctx) != nil {
		return nil // the next Close does it
	}
	defer func() { <-b.turn }()
	b.unsubscribe(ctx, s.wire)
	return nil
}

// unsubscribe is called with turn held.
func (b *bus) unsubscribe(ctx context.Context, w *wire) {
	var idle []string
	b.mu.Lock()
	for channel, subs := range w.topics {
		if len(subs) == 0 && !w.broken {
			idle = append(idle, channel)
			delete(w.topics, channel)
		}
	}
	b.mu.Unlock()
	if len(idle) == 0 {
		return
	}
	if err := w.client.Do(ctx, w.client.B().Unsubscribe().Channel(idle...).Build()).Error(); err != nil {
		b.fail(w)
	}
}
