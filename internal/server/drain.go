package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	// idleGrace is how long idle connections stay open. HTTP/1.1 cannot announce that a connection
	// closes, so requests that still arrive are answered with "Connection: close".
	idleGrace = 500 * time.Millisecond
	// drainTimeout limits the whole time, because clients can open new connections again and again.
	drainTimeout = 5 * time.Second
	// backlogGrace is how long no connection may arrive before the listener closes. Closing resets
	// connections that were not accepted yet.
	backlogGrace = 20 * time.Millisecond
)

// drainListener is a listener that can stop without breaking a request. It knows the connections that
// it accepted.
type drainListener struct {
	net.Listener

	mu         sync.Mutex
	open       map[net.Conn]struct{} // connections that can send a request, or have one in progress
	lastActive time.Time             // time of the last change of a connection
	deadline   time.Time             // deadline of leave; zero: leave was not called
	empty      chan struct{}         // receives a value when open becomes empty
}

func newDrainListener(l net.Listener) *drainListener {
	return &drainListener{Listener: l, open: map[net.Conn]struct{}{}, empty: make(chan struct{}, 1)}
}

// setState implements the ConnState hook of http.Server.
func (d *drainListener) setState(c net.Conn, state http.ConnState) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lastActive = time.Now()
	switch state {
	case http.StateHijacked, http.StateClosed:
		delete(d.open, c)
	default:
		d.open[c] = struct{}{}
	}
	if len(d.open) == 0 {
		select {
		case d.empty <- struct{}{}:
		default:
		}
	}
}

// Accept implements net.Listener. After leave it accepts the connections that are waiting.
func (d *drainListener) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.deadline.IsZero():
	case err == nil:
		d.setDeadline()
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = net.ErrClosed
		d.Listener.Close()
	}
	return c, err
}

// setDeadline limits the time that Accept waits for another connection. It returns false if the
// listener does not support deadlines.
func (d *drainListener) setDeadline() bool {
	l, ok := d.Listener.(interface{ SetDeadline(time.Time) error })
	if !ok {
		return false
	}
	end := time.Now().Add(backlogGrace)
	if end.After(d.deadline) {
		end = d.deadline
	}
	return l.SetDeadline(end) == nil
}

// leave stops accepting. It returns when no connection is left, or when the remaining ones were
// idle for idleGrace.
func (d *drainListener) leave(ctx context.Context) {
	d.mu.Lock()
	d.deadline = time.Now().Add(drainTimeout)
	d.lastActive = time.Now()
	until := d.deadline
	rejectNew(d.Listener)
	if !d.setDeadline() {
		d.Listener.Close()
	}
	d.mu.Unlock()
	for {
		d.mu.Lock()
		n, end := len(d.open), d.lastActive.Add(idleGrace)
		d.mu.Unlock()
		if end.After(until) {
			end = until
		}
		left := time.Until(end)
		if n == 0 && left < idleGrace-2*backlogGrace || left <= 0 {
			return
		}
		if n == 0 {
			left = min(left, 2*backlogGrace)
		}
		select {
		case <-ctx.Done():
			return
		case <-d.empty:
		case <-time.After(left):
		}
	}
}
