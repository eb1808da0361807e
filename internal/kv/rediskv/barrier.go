package rediskv

import (
	"context"
	"fmt"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// barrier makes an Apply wait for replicas as a Txn does. What a pass of a
// fan-out has written would else be lost with a master, and nobody would make
// it again: the task that made the pass is done.
//
// A WAIT covers all that its node had written before the command in front of
// it, whatever connection that came on. In a Cluster it must be asked of the
// nodes that took the changes: a node that has taken over since knows nothing
// of what was lost, so the caller is told to repeat if one has.
type barrier struct {
	engine *Engine
	nodes  map[string]uint16 // address of a node: one of its shards
}

// newBarrier finds out which nodes own the shards of changes, before they are
// made.
func (e *Engine) newBarrier(ctx context.Context, changes []kv.Op) (*barrier, error) {
	b := &barrier{engine: e, nodes: map[string]uint16{}}
	if !e.cluster {
		return b, nil
	}
	var seen [kv.Shards]bool
	for _, c := range changes {
		shard := kv.KeyOfOp(c).Shard
		if seen[shard] {
			continue
		}
		seen[shard] = true
		if e.homes.get(shard) == "" {
			if err := e.settled(ctx, shard); err != nil {
				return nil, err
			}
		}
		b.nodes[e.homes.get(shard)] = shard
	}
	return b, nil
}

// wait returns when enough replicas have what was written.
func (b *barrier) wait(ctx context.Context) error {
	if !b.engine.cluster {
		return b.engine.settled(ctx, 0)
	}
	for addr, shard := range b.nodes {
		if err := b.engine.settled(ctx, shard); err != nil {
			return err
		}
		if now := b.engine.homes.get(shard); now != addr {
			b.engine.homes.forget(addr)
			return fmt.Errorf("%w: shard %d went from %s to %s meanwhile", kv.ErrUnavailable, shard, addr, now)
		}
	}
	return nil
}

// settled waits until the node of a shard has nothing that its replicas lack.
func (e *Engine) settled(ctx context.Context, shard uint16) error {
	ctx, cancel := e.limit(ctx)
	defer cancel()
	t := &texts{prefix: e.opts.Prefix}
	key := t.key(kv.Key{Kind: "none", Shard: shard})
	build := func(b rueidis.Builder) rueidis.Completed {
		return b.Eval().Script("return -1").Numkeys(1).Key(key).Build()
	}
	var err error
	if e.cluster {
		_, err = e.sendHome(ctx, shard, build)
	} else {
		_, err = e.acknowledged(e.front.DoMulti(ctx, build(e.front.B()), e.waitCommand(e.front.B())))
	}
	return err
}
