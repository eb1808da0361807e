package main

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
	"time"
)

// crowded is a listener without a free descriptor until room is closed.
type crowded struct {
	net.Listener
	room chan struct{}
	met  chan struct{} // receives each refusal
}

func (c *crowded) Accept() (net.Conn, error) {
	select {
	case <-c.room:
		return c.Listener.Accept()
	default:
		c.met <- struct{}{}
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
}

// TestNoDescriptors: a listener without free descriptors says so once, accepts as soon
// as there are some, however long there were none, and can be closed meanwhile.
func TestNoDescriptors(t *testing.T) {
	for _, closed := range []bool{false, true} {
		inner, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer inner.Close()
		var said bytes.Buffer
		l := &crowded{inner, make(chan struct{}), make(chan struct{})}
		p := newPatient(l, slog.New(slog.NewTextHandler(&said, nil)))
		if closed {
			var all sync.WaitGroup
			all.Go(func() {
				if _, err := p.Accept(); !errors.Is(err, net.ErrClosed) {
					t.Errorf("closed: %v", err)
				}
			})
			<-l.met
			p.Close()
			close(l.room)
			all.Wait()
			continue
		}
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
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for range 20 {
			<-l.met
		}
		begin := time.Now()
		close(l.room)
		if took := (<-accepted).Sub(begin); took > 500*time.Millisecond { // net/http alone waits for a second by now
			t.Errorf("accepted after %v", took)
		}
		text := said.String()
		if strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text, "too many open files") ||
			!strings.Contains(text, "LimitNOFILE") || strings.Count(text, "accepted again") != 1 {
			t.Errorf("said: %s", text)
		}
	}
}
