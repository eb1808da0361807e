package redistest

import (
	"bytes"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy forwards connections to a server, counts the bytes and fails on request. It is safe for
// concurrent use.
type Proxy struct {
	addr   string
	target string
	mode   atomic.Int32
	drops  atomic.Bool
	up     atomic.Int64
	down   atomic.Int64
	cuts   atomic.Int64

	mu     sync.Mutex
	conns  map[net.Conn]bool
	closed bool
}

// link is a connection through a proxy.
type link struct {
	replica atomic.Bool // the client is a replica of the server
	torn    atomic.Bool // data was dropped, so nothing more is forwarded
}

const (
	passing int32 = iota
	cutting
	stalling
)

// NewProxy starts a proxy on a socket for the server at target, a path or host:port. It ends with
// the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	addr := filepath.Join(tempDir(t), "proxy.sock")
	l, err := net.Listen("unix", addr)
	if err != nil {
		t.Fatal(err)
	}
	return startProxy(t, l, addr, target)
}

// NewTCPProxy starts a proxy on a free port of 127.0.0.1, for replicas and the nodes of a Cluster.
func NewTCPProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l := listen(t)
	return startProxy(t, l, l.Addr().String(), target)
}

func startProxy(t testing.TB, l net.Listener, addr, target string) *Proxy {
	p := &Proxy{addr: addr, target: target, conns: map[net.Conn]bool{}}
	var loops sync.WaitGroup
	loops.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			loops.Go(func() { p.serve(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.end()
		loops.Wait()
	})
	return p
}

// Addr returns the path of the proxy's socket, or its host:port.
func (p *Proxy) Addr() string { return p.addr }

// URL returns the URL of the proxy for rediskv.Open.
func (p *Proxy) URL() string {
	if strings.HasPrefix(p.addr, "/") {
		return "unix://" + p.addr
	}
	return "redis://" + p.addr
}

// Pass forwards everything, which is the initial mode.
func (p *Proxy) Pass() { p.mode.Store(passing) }

// DropReplicas drops the data between the server and its replicas in both directions, like a
// network that loses packets. Unlike data for a stopped process, it never arrives later. Clients
// are not affected.
func (p *Proxy) DropReplicas() { p.drops.Store(true) }

// PassReplicas ends DropReplicas. Connections that lost data are closed. Replicas reconnect and
// fetch the missing data if the server still has it.
func (p *Proxy) PassReplicas() { p.drops.Store(false) }

// CutAnswers forwards commands and closes the connection instead of forwarding the reply.
func (p *Proxy) CutAnswers() { p.mode.Store(cutting) }

// StallAnswers forwards commands and holds back the replies.
func (p *Proxy) StallAnswers() { p.mode.Store(stalling) }

// Cuts returns the number of replies that were cut.
func (p *Proxy) Cuts() int64 { return p.cuts.Load() }

// Passed returns the bytes sent to the server and received from it.
func (p *Proxy) Passed() (up, down int64) { return p.up.Load(), p.down.Load() }

// Break closes all connections. Clients can connect again.
func (p *Proxy) Break() {
	defer p.mu.Unlock()
	p.mu.Lock()
	for c := range p.conns {
		c.Close()
	}
}

func (p *Proxy) end() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Break()
}

// register registers a connection, or closes it if the proxy has ended.
func (p *Proxy) register(c net.Conn) {
	defer p.mu.Unlock()
	p.mu.Lock()
	p.conns[c] = true
	if p.closed {
		c.Close()
	}
}

func (p *Proxy) serve(client net.Conn) {
	network := "tcp"
	if strings.HasPrefix(p.target, "/") {
		network = "unix"
	}
	server, err := net.Dial(network, p.target)
	if err != nil {
		client.Close()
		return
	}
	p.register(client)
	p.register(server)
	var both sync.WaitGroup
	l := &link{}
	both.Go(func() { p.copy(l, server, client, &p.up, false) })
	both.Go(func() { p.copy(l, client, server, &p.down, true) })
	both.Wait()
	p.mu.Lock()
	delete(p.conns, client)
	delete(p.conns, server)
	p.mu.Unlock()
}

// copy copies data until an error and then closes both sides.
func (p *Proxy) copy(l *link, to, from net.Conn, count *atomic.Int64, answers bool) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if !answers && bytes.Contains(buf[:n], []byte("\r\nREPLCONF\r\n")) {
			l.replica.Store(true)
		}
		if l.replica.Load() && p.drops.Load() {
			l.torn.Store(true)
			continue
		}
		if l.torn.Load() {
			return
		}
		if mode := p.mode.Load(); answers && mode != passing {
			if mode == stalling {
				continue
			}
			p.cuts.Add(1)
			return
		}
		count.Add(int64(n))
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}
