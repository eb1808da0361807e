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

// Proxy stands between clients and a server, counts what passes and fails on
// demand. Its methods are safe for concurrent use.
type Proxy struct {
	addr   string
	target string
	mode   atomic.Int32
	drops  atomic.Bool
	up     atomic.Int64
	down   atomic.Int64
	cuts   atomic.Int64

	mu    sync.Mutex
	conns map[net.Conn]bool
	gone  bool
}

// link is a connection through a proxy.
type link struct {
	replica atomic.Bool // the client is a replica of the server
	torn    atomic.Bool // something was dropped: nothing more may pass
}

const (
	passing int32 = iota
	cutting
	stalling
)

// NewProxy starts a proxy on a socket before the server at target, a path or
// host:port. It ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	addr := filepath.Join(tempDir(t), "proxy.sock")
	l, err := net.Listen("unix", addr)
	if err != nil {
		t.Fatal(err)
	}
	return startProxy(t, l, addr, target)
}

// NewTCPProxy starts a proxy on a free port of 127.0.0.1, where replicas and the
// nodes of a Cluster find it.
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

// Addr is the path of the proxy's socket, or its host:port.
func (p *Proxy) Addr() string { return p.addr }

// URL names the proxy for rediskv.Open.
func (p *Proxy) URL() string {
	if strings.HasPrefix(p.addr, "/") {
		return "unix://" + p.addr
	}
	return "redis://" + p.addr
}

// Pass lets everything through; it is how a proxy begins.
func (p *Proxy) Pass() { p.mode.Store(passing) }

// DropReplicas throws away, from now on, whatever passes between the server and
// its replicas, in both directions, as a network does that loses packets: it never
// arrives later, unlike what waits for a process that is stopped. Clients are served
// as before.
func (p *Proxy) DropReplicas() { p.drops.Store(true) }

// PassReplicas ends that. The links that lost something are closed; replicas come
// back over new ones and fetch what they miss, if the server still has it.
func (p *Proxy) PassReplicas() { p.drops.Store(false) }

// CutAnswers lets commands through and breaks the connection instead of
// answering: what a client does not learn has been done.
func (p *Proxy) CutAnswers() { p.mode.Store(cutting) }

// StallAnswers lets commands through and holds the answers back for ever.
func (p *Proxy) StallAnswers() { p.mode.Store(stalling) }

// Cuts is how many answers were cut.
func (p *Proxy) Cuts() int64 { return p.cuts.Load() }

// Passed returns the bytes that went to the server and that came back.
func (p *Proxy) Passed() (up, down int64) { return p.up.Load(), p.down.Load() }

// Break closes all connections. Clients may connect anew.
func (p *Proxy) Break() {
	defer p.mu.Unlock()
	p.mu.Lock()
	for c := range p.conns {
		c.Close()
	}
}

func (p *Proxy) end() {
	p.mu.Lock()
	p.gone = true
	p.mu.Unlock()
	p.Break()
}

// keep registers a connection, or closes it if the proxy has ended.
func (p *Proxy) keep(c net.Conn) {
	defer p.mu.Unlock()
	p.mu.Lock()
	p.conns[c] = true
	if p.gone {
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
	p.keep(client)
	p.keep(server)
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

// copy ends by closing both sides.
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
