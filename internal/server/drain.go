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
	// quietTime is how long nothing may come over kept connections before they are
	// closed. HTTP/1.1 has no way to tell a client that is about to send a request that
	// the connection goes: what comes is answered, with the word that it is the last.
	quietTime = 500 * time.Millisecond
	// drainMost bounds that, against clients that open connection after connection.
	drainMost = 5 * time.Second
	// backlogTime is how long no connection may come before the listener is closed: the
	// system resets those that it has taken and the server has not.
	backlogTime = 20 * time.Millisecond
)

// drainable is a listener with the connections that came from it, which can be
// stopped without breaking off a request.
type drainable struct {
	net.Listener

	mu      sync.Mutex
	open    map[net.Conn]struct{} // over which a request may come, or is under way
	stirred time.Time             // when something last came or went
	until   time.Time             // when leaving ends at the latest; zero: not leaving
	empty   chan struct{}         // signalled when open becomes empty
}

func newDrainable(l net.Listener) *drainable {
	return &drainable{Listener: l, open: map[net.Conn]struct{}{}, empty: make(chan struct{}, 1)}
}

// note is the ConnState of a server.
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

// Accept goes on after leave until nobody waits to be accepted.
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

// setDeadline ends accepting when nobody comes for a moment. It reports false if the
// listener knows no deadlines.
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

// leave stops accepting, and returns when nothing has come over the connections that
// are left for quietTime, or none is left.
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
