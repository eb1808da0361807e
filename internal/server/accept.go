package server

import (
	"errors"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"
)

// acceptPause is the pause between attempts to accept while there is no free descriptor. net/http
// would wait for up to a second and log nothing.
const acceptPause = 10 * time.Millisecond

// retryListener is a listener that retries while the process or the machine has no free file
// descriptors. It logs the beginning and the end of such a time.
type retryListener struct {
	net.Listener
	log    *slog.Logger
	closed chan struct{}
	once   sync.Once
}

func newRetryListener(l net.Listener, log *slog.Logger) *retryListener {
	return &retryListener{Listener: l, log: log, closed: make(chan struct{})}
}

// Accept implements net.Listener. Only one goroutine calls it.
func (p *retryListener) Accept() (net.Conn, error) {
	var since time.Time // when descriptors ran out
	for {
		c, err := p.Listener.Accept()
		switch {
		case !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE):
			if !since.IsZero() {
				p.log.Info("accepting connections again", "listen", p.Addr().String(), "after", time.Since(since).Round(time.Millisecond))
			}
			return c, err
		case since.IsZero():
			since = time.Now()
			p.log.Error("cannot accept connections: no free file descriptors; raise the limit (ulimit -n, or LimitNOFILE= in systemd), or limit connections at the proxy",
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
func (p *retryListener) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}
