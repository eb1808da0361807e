package rediskv

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync"
)

// unsentError marks an error of a connection that has sent no command, so the command did not reach
// a server.
type unsentError struct{ err error }

func (e *unsentError) Error() string { return e.err.Error() }
func (e *unsentError) Unwrap() error { return e.err }

// notSent reports whether the command that failed with err was certainly not executed.
func notSent(err error) bool {
	var unsent *unsentError
	return errors.As(err, &unsent)
}

// dial connects to host:port or to the path of a socket.
func dial(ctx context.Context, addr string, dialer *net.Dialer, config *tls.Config) (net.Conn, error) {
	network := "tcp"
	if strings.HasPrefix(addr, "/") {
		network, config = "unix", nil
	}
	var c net.Conn
	var err error
	if config != nil {
		c, err = (&tls.Dialer{NetDialer: dialer, Config: config}).DialContext(ctx, network, addr)
	} else {
		c, err = dialer.DialContext(ctx, network, addr)
	}
	if err != nil {
		return nil, &unsentError{err}
	}
	return &conn{Conn: c}, nil
}

// conn distinguishes failures of a new connection from failures of a used one. The client sends its
// greeting in one write and commands from the second write on. So a connection that breaks before
// its second write has sent no command.
type conn struct {
	net.Conn
	mu     sync.Mutex
	writes int
	broken error // set by the first failed read; nothing is written after it
}

func (c *conn) Write(b []byte) (int, error) {
	c.mu.Lock()
	broken := c.broken
	c.writes++
	c.mu.Unlock()
	if broken != nil {
		return 0, broken
	}
	return c.Conn.Write(b)
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil {
		return n, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writes <= 1 {
		err = &unsentError{err}
	}
	c.broken = err
	return n, err
}
