package rediskv

import (
	"context"
	"errors"
	"sync"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// homes remembers which node of a Cluster answered for a shard. The client
// knows too, but sends a command that was redirected without the WAIT behind
// it, and a WAIT at the wrong node is content at once.
type homes struct {
	mu    sync.Mutex
	addrs [kv.Shards]string
}

func (h *homes) get(shard uint16) string {
	defer h.mu.Unlock()
	h.mu.Lock()
	return h.addrs[shard]
}

func (h *homes) set(shard uint16, addr string) {
	defer h.mu.Unlock()
	h.mu.Lock()
	h.addrs[shard] = addr
}

// forget is called when a node has lost a shard: it may have lost them all.
func (h *homes) forget(addr string) {
	defer h.mu.Unlock()
	h.mu.Lock()
	for i := range h.addrs {
		if h.addrs[i] == addr {
			h.addrs[i] = ""
		}
	}
}

// sendHome sends a transaction and its WAIT to the node of the shard, following
// redirections itself.
func (e *Engine) sendHome(ctx context.Context, shard uint16, build func(rueidis.Builder) rueidis.Completed) (int64, error) {
	asking := false
	addr := e.homes.get(shard)
	err := error(rueidis.ErrNoSlot)
	for range 10 {
		node, at := e.node(ctx, addr, shard)
		if node == nil {
			return 0, err
		}
		var failed int64
		failed, err = e.sendNode(ctx, node, asking, build)
		reply, ok := rueidis.IsRedisErr(err)
		switch {
		case ok && redirect(reply.IsMoved()) != "":
			addr, asking = redirect(reply.IsMoved()), false
			e.homes.set(shard, addr)
		case ok && redirect(reply.IsAsk()) != "":
			addr, asking = redirect(reply.IsAsk()), true
		case notSent(err): // ask any other node
			addr, asking = "", false
			e.homes.set(shard, "")
		case err == nil || errors.Is(err, kv.ErrUnknown):
			if !asking {
				e.homes.set(shard, at)
			}
			return failed, err
		default:
			return failed, err
		}
	}
	return 0, err
}

func redirect(addr string, ok bool) string {
	if ok {
		return addr
	}
	return ""
}

func (e *Engine) sendNode(ctx context.Context, node rueidis.Client, asking bool, build func(rueidis.Builder) rueidis.Completed) (int64, error) {
	commands := []rueidis.Completed{build(e.front.B()), e.waitCommand(e.front.B())}
	if asking {
		commands = append([]rueidis.Completed{e.front.B().Asking().Build()}, commands...)
	}
	answers := node.DoMulti(ctx, commands...)
	return e.acknowledged(answers[len(answers)-2:])
}

// node returns the client of the node at addr, or of any if addr is "", and
// its address. To a node that it does not know the client makes a connection
// when a command is redirected there, as one about the shard will be.
func (e *Engine) node(ctx context.Context, addr string, shard uint16) (rueidis.Client, string) {
	nodes := e.front.Nodes()
	if addr == "" {
		for at, node := range nodes {
			return node, at
		}
		return nil, ""
	}
	if node, ok := nodes[addr]; ok {
		return node, addr
	}
	t := &texts{prefix: e.opts.Prefix}
	absent := t.key(kv.Key{Kind: "none", Shard: shard})
	e.front.Do(ctx, e.front.B().Exists().Key(absent).Build())
	return e.front.Nodes()[addr], addr
}
