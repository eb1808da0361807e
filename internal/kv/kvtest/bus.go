package kvtest

import (
	"bytes"
	"fmt"
	"time"

	"linnet/internal/kv"
)

func busTests() []subtest {
	return []subtest{
		{"DeliversAfterSubscribe", delivers},
		{"Topics", topics},
		{"AnyBytes", busBytes},
		{"ManySubscribers", manySubscribers},
		{"CloseEnds", subscriptionClose},
		{"SlowListenerIsClosed", slowListener},
		{"ConcurrentComingAndGoing", comingAndGoing},
	}
}

func (e *env) subscribe(topics ...string) kv.Subscription {
	e.Helper()
	s, err := e.Subscribe(e.ctx, topics...)
	if err != nil {
		e.Fatalf("Subscribe: %v", err)
	}
	e.Cleanup(func() { s.Close() })
	return s
}

func (e *env) publish(topic, payload string) {
	e.Helper()
	if err := e.Publish(e.ctx, topic, []byte(payload)); err != nil {
		e.Fatalf("Publish: %v", err)
	}
}

// next returns the next message. ok is false if the channel was closed.
func (e *env) next(s kv.Subscription) (msg kv.Message, ok bool) {
	e.Helper()
	select {
	case msg, ok := <-s.Messages():
		return msg, ok
	case <-time.After(time.Minute):
		e.Fatal("no message within a minute")
		return kv.Message{}, false
	}
}

func (e *env) wantNext(s kv.Subscription, topic, payload string) {
	e.Helper()
	msg, ok := e.next(s)
	if !ok {
		e.Fatalf("the subscription ended, want %q on %q", payload, topic)
	}
	if msg.Topic != topic || string(msg.Payload) != payload {
		e.Errorf("got %.40q on %q, want %.40q on %q", msg.Payload, msg.Topic, payload, topic)
	}
}

func delivers(e *env) {
	e.publish("t", "to nobody")
	for i := range 20 { // messages published right after Subscribe arrive
		s := e.subscribe("t")
		e.publish("t", fmt.Sprint(i))
		e.wantNext(s, "t", fmt.Sprint(i))
	}
	s := e.subscribe("order")
	for i := range 100 {
		e.publish("order", fmt.Sprint(i))
	}
	for i := range 100 {
		e.wantNext(s, "order", fmt.Sprint(i))
	}
}

func topics(e *env) {
	ab, b, star := e.subscribe("a", "b"), e.subscribe("b"), e.subscribe("*")
	for _, topic := range []string{"c", "a", "b", "a:b", "A", "*"} {
		e.publish(topic, "on "+topic)
	}
	e.publish("b", "end")
	e.publish("*", "end")
	e.wantNext(ab, "a", "on a")
	e.wantNext(ab, "b", "on b")
	e.wantNext(ab, "b", "end")
	e.wantNext(b, "b", "on b")
	e.wantNext(b, "b", "end")
	e.wantNext(star, "*", "on *")
	e.wantNext(star, "*", "end")
}

func busBytes(e *env) {
	s := e.subscribe("t ü")
	long := string(bytes.Repeat([]byte{0, 255, '\n', '\r'}, kv.MaxPayload/4))
	for _, payload := range []string{"", "\x00", "\r\n", long} {
		buf := []byte(payload)
		if err := e.Publish(e.ctx, "t ü", buf); err != nil {
			e.Fatal(err)
		}
		clear(buf) // callers may reuse their buffers
		e.wantNext(s, "t ü", payload)
	}
}

func manySubscribers(e *env) {
	subs := make([]kv.Subscription, 50)
	for i := range subs {
		subs[i] = e.subscribe("all", fmt.Sprint("own", i))
	}
	e.publish("all", "x")
	for i := range subs {
		e.publish(fmt.Sprint("own", i), fmt.Sprint(i))
	}
	for i, s := range subs {
		e.wantNext(s, "all", "x")
		e.wantNext(s, fmt.Sprint("own", i), fmt.Sprint(i))
	}
}

func subscriptionClose(e *env) {
	s, other := e.subscribe("t"), e.subscribe("t")
	for range 3 {
		if err := s.Close(); err != nil {
			e.Errorf("Close: %v", err)
		}
	}
	e.publish("t", "x")
	for {
		msg, ok := e.next(s)
		if !ok {
			break
		}
		e.Errorf("a closed subscription got %q", msg.Payload)
	}
	e.wantNext(other, "t", "x")
	e.subscribe("t")
}

// slowListener checks that a listener that does not read is closed, instead of missing messages,
// and delays neither publishers nor other listeners.
func slowListener(e *env) {
	slow, quick := e.subscribe("t"), e.subscribe("t")
	n := e.caps.Queue + 500
	for i := range n {
		e.publish("t", fmt.Sprint(i))
		e.wantNext(quick, "t", fmt.Sprint(i))
	}
	got := 0
	for {
		msg, ok := e.next(slow)
		if !ok {
			break
		}
		if string(msg.Payload) != fmt.Sprint(got) {
			e.Fatalf("message %d follows message %d without an end between them", msg.Payload, got-1)
		}
		if got++; got == n {
			e.Fatalf("all %d messages were kept for a listener that did not read", n)
		}
	}
	again := e.subscribe("t")
	e.publish("t", "again")
	e.wantNext(again, "t", "again")
}

func comingAndGoing(e *env) {
	steady := e.subscribe("t")
	e.together(6, func(i int) error {
		for n := range 40 {
			if i == 0 {
				if err := e.Publish(e.ctx, "t", fmt.Append(nil, n)); err != nil {
					return err
				}
				continue
			}
			s, err := e.Subscribe(e.ctx, "t", fmt.Sprint("t", i))
			if err != nil {
				return err
			}
			if err := s.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	for n := range 40 {
		e.wantNext(steady, "t", fmt.Sprint(n))
	}
}
