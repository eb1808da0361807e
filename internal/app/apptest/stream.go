package apptest

import (
	"iter"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/live"
)

// Listener is a listener that records its events.
type Listener struct {
	*live.Listener
	w  *World
	Mu sync.Mutex
	// heard contains the events in words. ended is closed when the connection has ended.
	heard []string
	All   []linnet.StreamEvent
	ended chan struct{}
}

// Listen opens streams and collects their events until the test ends.
func (w *World) Listen(who linnet.Session, streams ...linnet.Stream) *Listener {
	w.Helper()
	woken, wake := live.Signal()
	e := &Listener{Listener: Must(w.Live.Listen(w.Ctx, who, wake))(w), w: w, ended: make(chan struct{})}
	for _, st := range streams {
		if err := e.Subscribe(w.Ctx, st); err != nil {
			w.Fatal(err)
		}
	}
	go func() {
		defer close(e.ended)
		for ev := range EventsOf(e.Listener, woken) {
			e.Mu.Lock()
			e.heard, e.All = append(e.heard, EventText(*ev)), append(e.All, *ev)
			e.Mu.Unlock()
		}
	}()
	w.Cleanup(e.Close)
	return e
}

// EventsOf returns the events of a listener until it ends.
func EventsOf(l *live.Listener, woken <-chan struct{}) iter.Seq[*linnet.StreamEvent] {
	return func(yield func(*linnet.StreamEvent) bool) {
		for range woken {
			ev, open := l.Next()
			for ; ev != nil && yield(ev); ev, open = l.Next() {
			}
			if ev != nil || !open {
				return
			}
		}
	}
}

// Ended waits until a listener without events ends.
func Ended(t testing.TB, what string, l *live.Listener, woken <-chan struct{}) {
	t.Helper()
	select {
	case <-woken:
		if ev, open := l.Next(); ev != nil || open {
			t.Errorf("%s: unexpected event %+v", what, ev)
		}
	case <-time.After(time.Minute):
		t.Errorf("%s: the stream is still open after a minute", what)
	}
}

// EventText describes an event of a stream.
func EventText(ev linnet.StreamEvent) string {
	s := string(ev.Stream.Kind) + " " + string(ev.Type)
	switch {
	case ev.Announcement != nil:
		s += " " + ev.Announcement.Text
	case ev.Reaction != nil:
		s += " " + ev.Reaction.Name + strconv.FormatInt(ev.Reaction.Count, 10)
	case ev.Conversation != nil:
		s += " " + ConversationText(*ev.Conversation)
	case ev.Notification != nil:
		s += " " + string(ev.Notification.Type)
	case ev.Status != nil && ev.Status.Repost != nil:
		s += " RT " + ev.Status.Repost.Text
	case ev.Status != nil:
		s += " " + ev.Status.Text
	}
	return s
}

// Words returns the descriptions of all events so far.
func (e *Listener) Words() []string {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return slices.Clone(e.heard)
}

// WaitFor waits for an event. Events that have not arrived by then were not sent before it.
func (e *Listener) WaitFor(what string) {
	e.w.Helper()
	for end := time.Now().Add(time.Minute); !slices.Contains(e.Words(), what); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			e.w.Fatalf("%q was not heard: %q", what, e.Words())
		}
	}
}

// WaitForEnd fails the test unless the connection ends.
func (e *Listener) WaitForEnd() {
	e.w.Helper()
	select {
	case <-e.ended:
	case <-time.After(time.Minute):
		e.w.Fatal("the connection does not end")
	}
}

// Session returns a session of a user with all rights.
func Session(id linnet.ID) linnet.Session { return linnet.Session{User: id} }

// Stream returns a stream without a list or tag.
func Stream(k linnet.StreamKind) linnet.Stream { return linnet.Stream{Kind: k} }
