package server

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// crowded is a listener that has no free descriptors until room is closed.
type crowded struct {
	room chan struct{}
	met  chan struct{} // receives a value for each failed Accept
}

func (c *crowded) Accept() (net.Conn, error) {
	select {
	case <-c.room:
		conn, _ := net.Pipe()
		return conn, nil
	default:
		c.met <- struct{}{}
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
}

func (c *crowded) Close() error   { return nil }
func (c *crowded) Addr() net.Addr { return &net.TCPAddr{} }

// TestNoDescriptors expects one log line while there are no free descriptors, and an accepted
// connection as soon as there are. net/http alone would wait for a second.
func TestNoDescriptors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		l := &crowded{make(chan struct{}), make(chan struct{})}
		p := newRetryListener(l, slog.New(slog.NewTextHandler(&said, nil)))
		accepted := make(chan time.Time, 1)
		go func() {
			c, err := p.Accept()
			accepted <- time.Now()
			if err != nil {
				t.Error(err)
				return
			}
			c.Close()
		}()
		for range 20 {
			<-l.met
		}
		begin := time.Now()
		close(l.room)
		if took := (<-accepted).Sub(begin); took > acceptPause {
			t.Errorf("accepted after %v", took)
		}
		text := said.String()
		if strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text, "too many open files") ||
			!strings.Contains(text, "LimitNOFILE") || strings.Count(text, "accepting connections again") != 1 {
			t.Errorf("said: %s", text)
		}
	})
}

// TestCloseWithoutDescriptors closes the listener while there are no free descriptors.
func TestCloseWithoutDescriptors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &crowded{make(chan struct{}), make(chan struct{})}
		p := newRetryListener(l, slog.New(slog.DiscardHandler))
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := p.Accept(); !errors.Is(err, net.ErrClosed) {
				t.Errorf("closed: %v", err)
			}
		})
		<-l.met
		p.Close()
		all.Wait()
	})
}
