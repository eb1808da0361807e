package streaming

import (
	"context"
	"sync"

	"linnet/internal/linnet"
)

// gate limits open connections by user, or by address for clients without a token.
type gate struct {
	perUser, perAddress int

	mu    sync.Mutex
	users map[linnet.ID]int
	addrs map[string]int
	idle  chan struct{} // closed while no connection is open
}

func newGate(perUser, perAddress int) *gate {
	g := &gate{perUser: perUser, perAddress: perAddress,
		users: map[linnet.ID]int{}, addrs: map[string]int{}, idle: make(chan struct{})}
	close(g.idle)
	return g
}

// enter counts a connection, or returns TooMany. leave must be called once.
func (g *gate) enter(user linnet.ID, addr string) (leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if user != 0 && g.users[user] >= g.perUser {
		return nil, linnet.Errorf(linnet.TooMany,
			"Too many open streams (maximum is %d connections per user). Close one of them.", g.perUser)
	}
	if user == 0 && g.addrs[addr] >= g.perAddress {
		return nil, linnet.Errorf(linnet.TooMany,
			"Too many open streams. Without a token, at most %d connections are allowed per IP address. Close one of them or log in.", g.perAddress)
	}
	if len(g.users)+len(g.addrs) == 0 {
		g.idle = make(chan struct{})
	}
	if user != 0 {
		g.users[user]++
	} else {
		g.addrs[addr]++
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if user != 0 {
			take(g.users, user)
		} else {
			take(g.addrs, addr)
		}
		if len(g.users)+len(g.addrs) == 0 {
			close(g.idle)
		}
	}, nil
}

// take decrements a count and removes it at 0, so that the map does not grow.
func take[K comparable](m map[K]int, k K) {
	if m[k]--; m[k] <= 0 {
		delete(m, k)
	}
}

// wait returns when no connection is open, or with the error of ctx.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
