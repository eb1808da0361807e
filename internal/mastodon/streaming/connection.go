package streaming

import (
	"context"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/linnet"
)

// held is a connection that was taken over from the HTTP server. It is open for hours and mostly
// idle, so it only has one goroutine with a shallow stack, which reads. Other goroutines do the
// rest of the work and end.
type held struct {
	*listening
	s    *Server
	over transport
	raw  net.Conn
	open atomic.Bool // until the reader ends
	cut  func()      // ends the connection when the listener was cut off

	alive   *time.Timer // sends the next heartbeat
	writing sync.Mutex  // serializes writes with their deadlines
}

// serve runs read until either side closes the connection. It sends heartbeats with sign, and
// calls goodbye when the server stops.
func (c *held) serve(read func(), sign func() error, every time.Duration, goodbye func()) {
	c.alive = time.AfterFunc(time.Hour, func() {
		defer c.recoverPanic()
		if err := sign(); err != nil {
			_ = c.raw.Close()
			return
		}
		c.alive.Reset(every)
	})
	c.alive.Reset(every)
	stopping := context.AfterFunc(c.s.closing, goodbye)
	defer c.end()
	defer func() {
		stopping()
		c.open.Store(false)
		c.alive.Stop()
		_ = c.raw.Close()
	}()
	defer c.recoverPanic()
	read()
}

// sendEvents waits for ready and writes the queued events. Only one such goroutine runs at a time.
// It closes the connection if the listener was cut off, which ends the reader.
func (c *held) sendEvents(ready <-chan struct{}) {
	<-ready
	defer c.recoverPanic()
	for c.open.Load() {
		ev, open := c.Next()
		switch {
		case !open:
			c.cut()
			return
		case ev == nil:
			return
		}
		if err := c.send(ev); err != nil {
			_ = c.raw.Close()
			return
		}
	}
}

func (c *held) send(ev *linnet.StreamEvent) error {
	if piece := c.s.form(c.who, ev, c.over); piece != nil {
		return c.write(piece)
	}
	return nil
}

// write sends one frame, and fails if the client does not accept it in time. All goroutines of a
// connection may call it, and the WebSocket library may write in between: each frame is a single
// call of Write.
func (c *held) write(piece []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.raw.SetWriteDeadline(time.Now().Add(c.s.opt.Write)); err != nil {
		return fmt.Errorf("set the write deadline: %w", err)
	}
	if _, err := c.raw.Write(piece); err != nil {
		return fmt.Errorf("write a frame or event: %w", err)
	}
	if err := c.raw.SetWriteDeadline(time.Time{}); err != nil { // the library has its own
		return fmt.Errorf("clear the write deadline: %w", err)
	}
	return nil
}

// recoverPanic ends the stream after a panic, without affecting others. All its goroutines defer
// it.
func (c *held) recoverPanic() {
	if v := recover(); v != nil {
		c.s.opt.NoteFault()
		c.s.opt.Log.Error("stream handler panicked", "path", "/api/v1/streaming", "value", v, "stack", string(debug.Stack()))
		if c.raw != nil {
			_ = c.raw.Close() // which ends the reader
		}
	}
}
