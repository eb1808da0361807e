package rediskv

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/redis/rueidis"
)

// origins records the replication offset of each master at the moment it received a mark from this
// engine, by replication id.
//
// Like any write without replicas, a mark may be lost: a master dies before its replica has the
// mark, and the replica takes over. It holds the store as it was before the mark, and must not be
// refused. It differs from an emptied server: its INFO replication names the former master and the
// offset up to which it had received that master's writes (master_replid2 and second_repl_offset),
// and that offset is before the mark. This is accepted once, because a server that is emptied later
// reports the same.
type origins struct {
	sync.Mutex
	marks map[string]int64 // offsets after the mark, by replication id
}

// made records the INFO of a master that has just received a mark. The caller holds the lock.
func (o *origins) made(info string) {
	offset, err := strconv.ParseInt(infoField(info, "master_repl_offset"), 10, 64)
	id := infoField(info, "master_replid")
	if err != nil || id == "" {
		return // unknown: its successors are not recognized
	}
	o.marks[id] = offset
}

// before reports whether the server of an INFO took over from a marked master before it received
// the mark, and from which one. The caller holds the lock.
func (o *origins) before(info string) (id string, ok bool) {
	id = infoField(info, "master_replid2")
	next, err := strconv.ParseInt(infoField(info, "second_repl_offset"), 10, 64) // the first byte that it has not received
	offset, known := o.marks[id]
	if err != nil || !known || next <= 0 || next > offset || infoField(info, "role") != "master" {
		return "", false
	}
	return id, true
}

// recognise checks a server without a mark again. If it took over before it received the marks, it
// sets the marks of its shards.
func (g *guard) recognise(ctx context.Context, node rueidis.Client, shard int) error {
	g.origins.Lock()
	defer g.origins.Unlock()
	answers := node.DoMulti(ctx, node.B().Get().Key(g.key(uint16(shard))).Build(), infoReplication(node))
	err := g.judge(answers[0])
	info, failed := answers[1].ToString()
	if !errors.Is(err, ErrUnmarked) || failed != nil {
		return err
	}
	id, ok := g.origins.before(info)
	if !ok {
		return err
	}
	if err := g.markAgain(ctx, node); err != nil {
		return err
	}
	delete(g.origins.marks, id)
	return nil
}

// markAgain sets the marks of a server's shards. It ignores redirections for other shards.
func (g *guard) markAgain(ctx context.Context, node rueidis.Client) error {
	var commands []rueidis.Completed
	for _, key := range g.keys {
		commands = append(commands, node.B().Set().Key(key).Value(g.id).Nx().Build())
	}
	answers := node.DoMulti(ctx, append(commands, infoReplication(node))...)
	for _, answer := range answers {
		if err := answer.Error(); err != nil && !rueidis.IsRedisNil(err) && !isElsewhere(err) {
			return err
		}
	}
	info, err := answers[len(commands)].ToString()
	if err != nil {
		return err
	}
	g.origins.made(info)
	g.log.Warn("a replica that lacked recent writes became master: " +
		"the last writes before the failover may be lost, unless redis.wait_replicas is set")
	return nil
}

func infoReplication(node rueidis.Client) rueidis.Completed {
	return node.B().Info().Section("replication").Build()
}

// confirm waits until the replicas of every master have the mark, if replicas are configured, and
// records where a mark was made.
func (e *Engine) confirm(ctx context.Context, g *guard) error {
	nodes := []rueidis.Client{e.front}
	var err error
	if e.cluster {
		if _, nodes, err = e.masterNodes(ctx); err != nil {
			return err
		}
	}
	for _, node := range nodes {
		answers, short := e.sendWaiting(ctx, node, infoReplication(node))
		info, err := answers[0].ToString()
		switch {
		case err != nil:
			return err
		case g.isNew:
			g.origins.Lock()
			g.origins.made(info)
			g.origins.Unlock()
		}
		if short != nil {
			return fewReplicas(e.opts.WaitReplicas, short)
		}
	}
	return nil
}
