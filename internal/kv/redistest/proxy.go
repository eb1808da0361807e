package redistest

import (
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
	up     atomic.Int64
	down   atomic.Int64
	cuts   atomic.Int64

	mu    sync.Mutex
	conns map[net.Conn]bool
	gone  bool
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
	p := &Proxy{addr: filepath.Join(tempDir(t), "proxy.sock"), target: target, conns: map[net.Conn]bool{}}
	l, err := net.Listen("unix", p.addr)
	if err != nil {
		t.Fatal(err)
	}
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

// URL names the proxy for rediskv.Open.
func (p *Proxy) URL() string { return "unix://" + p.addr }

// Pass lets everything through; it is how a proxy begins.
func (p *Proxy) Pass() { p.mode.Store(passing) }

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
	both.Go(func() { p.copy(server, client, &p.up, false) })
	both.Go(func() { p.copy(client, server, &p.down, true) })
	both.Wait()
	p.mu.Lock()
	delete(p.conns, client)
	delete(p.conns, server)
	p.mu.Unlock()
}

// copy ends by closing both sides.
func (p *Proxy) copy(to, from net.Conn, count *atomic.Int64, answers bool) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
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
