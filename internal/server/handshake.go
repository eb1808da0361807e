package server

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// handshaking is a listener over TLS. It makes the handshakes itself, since only they
// tell which connections speak HTTP/1.x and are followed (see framing): HTTP/2 knows no
// Transfer-Encoding, and net/http speaks it over a *tls.Conn alone.
type handshaking struct {
	net.Listener
	config *tls.Config
	note   func(net.Conn, http.ConnState) // hears of connections before the server does
	ready  chan accepted
	ctx    context.Context // ends with Close
	end    context.CancelFunc
}

// accepted is an answer of Accept.
type accepted struct {
	conn net.Conn
	err  error
}

func newHandshaking(l net.Listener, config *tls.Config, note func(net.Conn, http.ConnState)) *handshaking {
	h := &handshaking{Listener: l, config: config, note: note, ready: make(chan accepted)}
	h.ctx, h.end = context.WithCancel(context.Background())
	go h.run()
	return h
}

// run accepts until the listener is closed; what is under way then comes before the error.
func (h *handshaking) run() {
	var under sync.WaitGroup
	for {
		c, err := h.Listener.Accept()
		if err == nil {
			under.Go(func() { h.greet(tls.Server(c, h.config)) })
			continue
		}
		passing, ok := err.(interface{ Temporary() bool }) // as net/http asks
		again := ok && passing.Temporary()
		if !again {
			under.Wait()
		}
		h.hand(accepted{err: err})
		if !again {
			return
		}
	}
}

// greet makes a handshake and hands the connection on. One whose handshake failed is
// handed on too: the server meets the same error, logs it and answers what it can.
func (h *handshaking) greet(c *tls.Conn) {
	h.note(c, http.StateNew)
	c.SetDeadline(time.Now().Add(readHeaderTime))
	err := c.HandshakeContext(h.ctx)
	c.SetDeadline(time.Time{})
	out := net.Conn(c)
	if err == nil && followed(c.ConnectionState().NegotiatedProtocol) {
		out = &framedTLS{framedConn{Conn: c}, c}
		h.note(out, http.StateNew)
		h.note(c, http.StateClosed)
	}
	if !h.hand(accepted{conn: out}) {
		h.note(out, http.StateClosed)
		c.Close()
	}
}

// followed says whether a protocol, by its name in ALPN, is HTTP/1.x.
func followed(protocol string) bool {
	return protocol == "" || protocol == "http/1.1" || protocol == "http/1.0"
}

// hand reports false if nobody accepts any more.
func (h *handshaking) hand(a accepted) bool {
	select {
	case h.ready <- a:
		return true
	case <-h.ctx.Done():
		return false
	}
}

// Accept implements net.Listener.
func (h *handshaking) Accept() (net.Conn, error) {
	select {
	case a := <-h.ready:
		return a.conn, a.err
	case <-h.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *handshaking) Close() error {
	h.end()
	return h.Listener.Close()
}
