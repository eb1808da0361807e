package rediskv

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// homes records which node of a Cluster has a shard. The client knows that too, but resends a
// redirected command without its WAIT, and a WAIT on the wrong node succeeds at once.
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

// redirects reports whether the engine follows redirections instead of the client.
func (e *Engine) redirects() bool { return e.cluster && e.opts.WaitReplicas > 0 }

// redirections limits how often commands are redirected.
const redirections = 10

// sendHome sends commands and their WAIT to the node of the shard, and follows redirections.
func (e *Engine) sendHome(ctx context.Context, shard uint16, commands []rueidis.Completed) ([]rueidis.RedisResult, error) {
	for i := range commands {
		commands[i] = commands[i].Pin() // it may be sent again
	}
	addr, asking := e.homes.get(shard), false
	for range redirections {
		node, at := e.node(ctx, addr, shard)
		if node == nil {
			break
		}
		answers, short := e.sendTo(ctx, node, asking, commands)
		moved, asked, unsent := redirected(answers)
		switch {
		case moved != "":
			addr, asking = moved, false
			e.homes.set(shard, addr)
		case asked != "" && len(commands) > 1:
			return e.sendEach(ctx, shard, commands, answers, short)
		case asked != "":
			addr, asking = asked, true
		case unsent: // use any other node
			addr, asking = "", false
			e.homes.set(shard, "")
		default:
			if !asking && answers[0].NonRedisError() == nil {
				e.homes.set(shard, at)
			}
			return answers, short
		}
	}
	return nil, &unsentError{rueidis.ErrNoSlot}
}

// sendEach resends commands one by one, from the first redirected one. Their shard is moving, each
// node has some of the keys, and reports the others as missing. The commands must be repeatable.
func (e *Engine) sendEach(ctx context.Context, shard uint16, commands []rueidis.Completed, answers []rueidis.RedisResult, short error) ([]rueidis.RedisResult, error) {
	first := slices.IndexFunc(answers, func(a rueidis.RedisResult) bool { return isAsk(a.Error()) })
	for i, c := range commands[first:] {
		if short != nil {
			return nil, short
		}
		var got []rueidis.RedisResult
		if got, short = e.sendHome(ctx, shard, []rueidis.Completed{c}); len(got) == 0 {
			return nil, short
		}
		answers[first+i] = got[0]
	}
	return answers, short
}

// sendHomes sends commands of many shards to their nodes over the connections of a client, with a
// WAIT for each node. Redirected commands return an error, and reach their node when they are sent
// again.
func (e *Engine) sendHomes(ctx context.Context, client rueidis.Client, commands []rueidis.Completed, shard func(int) uint16) ([]rueidis.RedisResult, error) {
	at := map[string][]int{} // indexes of commands by address
	for i := range commands {
		addr := e.homes.get(shard(i))
		at[addr] = append(at[addr], i)
	}
	answers, known := make([]rueidis.RedisResult, len(commands)), client.Nodes()
	short := make(chan error, len(at))
	for addr, is := range at {
		node := known[addr]
		if node == nil { // any node will redirect
			node, addr = e.node(ctx, addr, shard(is[0]))
		}
		if node == nil {
			return nil, &unsentError{rueidis.ErrNoSlot}
		}
		go func() {
			some := make([]rueidis.Completed, len(is))
			for i, n := range is {
				some[i] = commands[n]
			}
			got, err := e.sendWait(ctx, node, some)
			for i, n := range is {
				answers[n] = got[i]
				answer := got[i].Error()
				moved, _, unsent := redirection(answer)
				switch {
				case moved != "":
					e.homes.set(shard(n), moved)
				case unsent:
					e.homes.set(shard(n), "")
				case !isLost(answer) && !isAsk(answer):
					e.homes.set(shard(n), addr)
				}
			}
			short <- err
		}()
	}
	var err error
	for range at {
		err = cmp.Or(<-short, err)
	}
	return answers, err
}

// sendTo sends commands with their WAIT. If asking is set, each has a prefix that lets a node
// answer for a shard that it is importing.
func (e *Engine) sendTo(ctx context.Context, node rueidis.Client, asking bool, commands []rueidis.Completed) ([]rueidis.RedisResult, error) {
	if !asking {
		return e.sendWait(ctx, node, commands)
	}
	both := make([]rueidis.Completed, 0, 2*len(commands))
	for _, c := range commands {
		both = append(both, e.front.B().Asking().Build(), c)
	}
	answers, short := e.sendWait(ctx, node, both)
	for i := range commands {
		answers[i] = answers[2*i+1]
	}
	return answers[:len(commands)], short
}

// redirected returns the target of a redirected command, if any, and whether a command was
// certainly not sent.
func redirected(answers []rueidis.RedisResult) (moved, asked string, unsent bool) {
	for _, a := range answers {
		m, k, u := redirection(a.Error())
		moved, asked, unsent = cmp.Or(m, moved), cmp.Or(k, asked), unsent || u
	}
	return moved, asked, unsent
}

func redirection(err error) (moved, asked string, unsent bool) {
	if err == nil {
		return "", "", false
	}
	reply := replyOf(err)
	if reply == nil {
		return "", "", notSent(err)
	}
	moved, _ = reply.IsMoved()
	asked, _ = reply.IsAsk()
	return moved, asked, false
}

// node returns the client of the node at addr, or of any node if addr is "", and its address. For
// unknown nodes, the client connects when a command about the shard is redirected there.
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
