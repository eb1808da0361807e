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
	// quietTime is how long idle connections stay open. HTTP/1.1 cannot announce that a connection
	// closes, so requests that still arrive are answered with "Connection: close".
	quietTime = 500 * time.Millisecond
	// drainMost limits the whole time, because clients can open new connections again and again.
	drainMost = 5 * time.Second
	// backlogTime is how long no connection may arrive before the listener closes. Closing resets
	// connections that were not accepted yet.
	backlogTime = 20 * time.Millisecond
)

// drainable is a listener that can stop without breaking a request. It knows the connections that
// it accepted.
type drainable struct {
	net.Listener

	mu      sync.Mutex
	open    map[net.Conn]struct{} // connections that can send a request, or have one in progress
	stirred time.Time             // time of the last change of a connection
	until   time.Time             // deadline of leave; zero: leave was not called
	empty   chan struct{}         // receives a value when open becomes empty
}

func newDrainable(l net.Listener) *drainable {
	return &drainable{Listener: l, open: map[net.Conn]struct{}{}, empty: make(chan struct{}, 1)}
}

// note implements the ConnState hook of http.Server.
func (d *drainable) note(c net.Conn, state http.ConnState) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stirred = time.Now()
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
func (d *drainable) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.until.IsZero():
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
func (d *drainable) setDeadline() bool {
	l, ok := d.Listener.(interface{ SetDeadline(time.Time) error })
	if !ok {
		return false
	}
	end := time.Now().Add(backlogTime)
	if end.After(d.until) {
		end = d.until
	}
	return l.SetDeadline(end) == nil
}

// leave stops accepting. It returns when no connection is left, or when the remaining ones were
// idle for quietTime.
func (d *drainable) leave(ctx context.Context) {
	d.mu.Lock()
	d.until = time.Now().Add(drainMost)
	d.stirred = time.Now()
	until := d.until
	refuseNew(d.Listener)
	if !d.setDeadline() {
		d.Listener.Close()
	}
	d.mu.Unlock()
	for {
		d.mu.Lock()
		n, end := len(d.open), d.stirred.Add(quietTime)
		d.mu.Unlock()
		if end.After(until) {
			end = until
		}
		left := time.Until(end)
		if n == 0 && left < quietTime-2*backlogTime || left <= 0 {
			return
		}
		if n == 0 {
			left = min(left, 2*backlogTime)
		}
		select {
		case <-ctx.Done():
			return
		case <-d.empty:
		case <-time.After(left):
		}
	}
}
