package server

import (
	"errors"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"
)

// acceptPause is how long a listener waits for a free descriptor before it looks
// again. Left to itself, net/http tells nobody and waits for up to a second.
const acceptPause = 10 * time.Millisecond

// patient is a listener that goes on accepting as soon as the process or the machine
// has free descriptors again, and logs when they run out and when that is over.
type patient struct {
	net.Listener
	log    *slog.Logger
	closed chan struct{}
	once   sync.Once
}

func newPatient(l net.Listener, log *slog.Logger) *patient {
	return &patient{Listener: l, log: log, closed: make(chan struct{})}
}

// Accept is called by one goroutine.
func (p *patient) Accept() (net.Conn, error) {
	var since time.Time // when descriptors ran out
	for {
		c, err := p.Listener.Accept()
		switch {
		case !noDescriptors(err):
			if !since.IsZero() {
				p.log.Info("accepting connections again", "listen", p.Addr().String(), "after", time.Since(since).Round(time.Millisecond))
			}
			return c, err
		case since.IsZero():
			since = time.Now()
			p.log.Error("cannot accept connections: no free file descriptors; raise the limit (ulimit -n, or LimitNOFILE= in systemd) or limit the connections at the proxy",
				"listen", p.Addr().String(), "err", err)
		}
		select {
		case <-p.closed:
			return nil, net.ErrClosed
		case <-time.After(acceptPause):
		}
	}
}

// Close implements net.Listener.
func (p *patient) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

// noDescriptors reports whether an error says that the process, or the machine, has as
// many files open as it may.
func noDescriptors(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
