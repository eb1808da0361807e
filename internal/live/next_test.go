package live

import (
	"sync"
	"testing"

	"linnet/internal/linnet"
)

// TestListenerIsWokenOnce checks that a listener is woken once for all waiting events, which arrive
// in order. It is woken again only for later ones. The end arrives last and once.
func TestListenerIsWokenOnce(t *testing.T) {
	woken := 0
	l := &Listener{wake: func() { woken++ }}
	next := func(wantWoken int, want linnet.EventType, wantOpen bool) {
		t.Helper()
		ev, open := l.Next()
		got := linnet.EventType("")
		if ev != nil {
			got = ev.Type
		}
		if got != want || open != wantOpen || woken != wantWoken {
			t.Errorf("%q, open %t, woken %d times, want %q, %t and %d", got, open, woken, want, wantOpen, wantWoken)
		}
	}
	next(0, "", true)
	l.queue(&linnet.StreamEvent{Type: "1"})
	l.queue(&linnet.StreamEvent{Type: "2"})
	next(1, "1", true)
	l.queue(&linnet.StreamEvent{Type: "3"})
	next(1, "2", true)
	next(1, "3", true)
	next(1, "", true)
	l.queue(&linnet.StreamEvent{Type: "4"})
	l.queue(nil)
	l.queue(nil)
	next(2, "4", true)
	next(2, "", false)
	next(2, "", false)
	for i := range streamQueue + 1 {
		if took := l.queue(&linnet.StreamEvent{}); took != (i < streamQueue) {
			t.Errorf("event %d is taken: %t", i, took)
		}
	}
}

// TestListenerLosesNoWake checks that a listener receives every event if it empties the queue each
// time it is woken, while another goroutine sends events.
func TestListenerLosesNoWake(t *testing.T) {
	const events = 20_000
	woken, wake := Signal()
	l := &Listener{wake: wake}
	var telling sync.WaitGroup
	telling.Go(func() {
		for n := 0; n < events; {
			if l.queue(&linnet.StreamEvent{Type: "x"}) {
				n++
			}
		}
		l.queue(nil)
	})
	got := 0
	for open := true; open; {
		<-woken
		for {
			var ev *linnet.StreamEvent
			if ev, open = l.Next(); ev == nil {
				break
			}
			got++
		}
	}
	telling.Wait()
	if got != events {
		t.Errorf("%d events of %d", got, events)
	}
}
