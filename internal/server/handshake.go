package server

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// tlsListener is a TLS listener. It performs the handshakes itself, because they decide whether a
// connection uses HTTP/1.x and needs framing. HTTP/2 has no Transfer-Encoding, and net/http
// supports it only over a *tls.Conn.
type tlsListener struct {
	net.Listener
	config  *tls.Config
	onState func(net.Conn, http.ConnState) // is called for a connection before the server knows it
	ready   chan accepted
	ctx     context.Context // Close cancels it
	end     context.CancelFunc
}

// accepted is a result of Accept.
type accepted struct {
	conn net.Conn
	err  error
}

// run accepts connections until the listener is closed, and finishes handshakes in progress.
func (h *tlsListener) run() {
	var under sync.WaitGroup
	for {
		c, err := h.Listener.Accept()
		if err == nil {
			under.Go(func() { h.handshake(tls.Server(c, h.config)) })
			continue
		}
		passing, ok := err.(interface{ Temporary() bool }) // net/http checks the same
		again := ok && passing.Temporary()
		if !again {
			under.Wait()
		}
		h.deliver(accepted{err: err})
		if !again {
			return
		}
	}
}

// handshake performs a handshake and passes the connection on. It also passes failed connections
// on, so that the server logs the error and answers.
func (h *tlsListener) handshake(c *tls.Conn) {
	h.onState(c, http.StateNew)
	c.SetDeadline(time.Now().Add(readHeaderTimeout))
	err := c.HandshakeContext(h.ctx)
	c.SetDeadline(time.Time{})
	out := net.Conn(c)
	if err == nil && needsFraming(c.ConnectionState().NegotiatedProtocol) {
		out = &framedTLS{framedConn{Conn: c}, c}
		h.onState(out, http.StateNew)
		h.onState(c, http.StateClosed)
	}
	if !h.deliver(accepted{conn: out}) {
		h.onState(out, http.StateClosed)
		c.Close()
	}
}

// needsFraming reports whether an ALPN protocol is HTTP/1.x.
func needsFraming(protocol string) bool {
	return protocol == "" || protocol == "http/1.1" || protocol == "http/1.0"
}

// deliver passes a result to Accept. It returns false if the listener was closed.
func (h *tlsListener) deliver(a accepted) bool {
	select {
	case h.ready <- a:
		return true
	case <-h.ctx.Done():
		return false
	}
}

// Accept implements net.Listener.
func (h *tlsListener) Accept() (net.Conn, error) {
	select {
	case a := <-h.ready:
		return a.conn, a.err
	case <-h.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *tlsListener) Close() error {
	h.end()
	return h.Listener.Close()
}
