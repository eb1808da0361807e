package rediskv_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

func subscribe(t *testing.T, e kv.Bus, topics ...string) kv.Subscription {
	t.Helper()
	s, err := e.Subscribe(t.Context(), topics...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func wantMessage(t *testing.T, s kv.Subscription, want string) {
	t.Helper()
	select {
	case m := <-s.Messages():
		if string(m.Payload) != want {
			t.Fatalf("got %q, want %q", m.Payload, want)
		}
	case <-time.After(time.Minute):
		t.Fatalf("no message, want %q", want)
	}
}

// TestBusBreaks checks that a broken connection ends all subscriptions, and that new ones work at
// once.
func TestBusBreaks(t *testing.T) {
	s := redistest.Start(t)
	p := redistest.NewProxy(t, s.Addr())
	e := open(t, p.URL(), rediskv.Options{})
	for round := range 5 {
		a, b := subscribe(t, e, "a", "b"), subscribe(t, e, "b")
		if err := e.Publish(t.Context(), "b", []byte(fmt.Sprint(round))); err != nil {
			t.Fatal(err)
		}
		wantMessage(t, a, fmt.Sprint(round))
		wantMessage(t, b, fmt.Sprint(round))
		p.Break()
		for _, s := range []kv.Subscription{a, b} {
			select {
			case m, ok := <-s.Messages():
				if ok {
					t.Errorf("message %q of a broken connection", m.Payload)
				}
			case <-time.After(time.Minute):
				t.Fatal("a subscription outlived its connection")
			}
			s.Close()
		}
		// The connections for requests broke too.
		until(t, "requests go on", func() bool { return e.Ping(t.Context()) == nil })
	}
}

// TestBusSharesConnection checks that many subscriptions use one connection and unsubscribe from
// all channels.
func TestBusSharesConnection(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{Prefix: "p:"})
	before := strings.Count(s.Do("CLIENT", "LIST"), "\n")
	var subs []kv.Subscription
	for i := range 100 {
		subs = append(subs, subscribe(t, e, "all", fmt.Sprint(i%10)))
	}
	if got := strings.Count(s.Do("CLIENT", "LIST"), "\n") - before; got > 1 {
		t.Errorf("100 subscriptions opened %d connections", got)
	}
	if got := s.Do("PUBSUB", "NUMSUB", "p:bus:all"); got != "*2" {
		t.Errorf("PUBSUB NUMSUB: %q", got)
	}
	if got := s.Do("PUBSUB", "CHANNELS", "*"); got != "*11" {
		t.Errorf("channels: %s, want 11", got)
	}
	for i, sub := range subs {
		if i%2 == 0 {
			sub.Close()
		}
	}
	if got := s.Do("PUBSUB", "CHANNELS", "*"); got != "*6" {
		t.Errorf("channels after half of the subscriptions ended: %s, want 6", got)
	}
	for _, sub := range subs {
		sub.Close()
	}
	if got := s.Do("PUBSUB", "CHANNELS", "*"); got != "*0" {
		t.Errorf("channels after all subscriptions ended: %s", got)
	}
	wide := subscribe(t, e, "x")
	if err := e.Publish(t.Context(), "x", []byte("again")); err != nil {
		t.Fatal(err)
	}
	wantMessage(t, wide, "again")
}

// TestBusOutlivesItsNode checks that the subscriptions end when the node of the bus dies, and that
// new ones find another node before the failover is complete.
func TestBusOutlivesItsNode(t *testing.T) {
	t.Parallel()
	n := redistest.Cluster(t, 3, 0, "--cluster-require-full-coverage", "no")
	e := open(t, n.URL(), rediskv.Options{})
	sub := subscribe(t, e, "t")
	var home *redistest.Server
	for _, s := range n.Masters {
		if s.Do("PUBSUB", "CHANNELS", "*") == "*1" {
			home = s
		}
	}
	if home == nil {
		t.Fatal("no node has the channel")
	}
	home.Kill()
	select {
	case <-sub.Messages():
	case <-time.After(time.Minute):
		t.Fatal("a subscription outlived its node")
	}
	// The first attempts may still reach the dead node, so subscribers repeat them.
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		again, err := e.Subscribe(t.Context(), "t")
		if err == nil {
			sub = again
			t.Cleanup(func() { again.Close() })
			break
		}
		if time.Now().After(end) {
			t.Fatalf("subscribe: %v", err)
		}
	}
	// Nodes forward each message once, to the nodes that they know.
	until(t, "a message by way of another node", func() bool {
		if e.Publish(t.Context(), "t", []byte("x")) != nil {
			return false
		}
		select {
		case m := <-sub.Messages():
			return string(m.Payload) == "x"
		case <-time.After(100 * time.Millisecond):
			return false
		}
	})
}
