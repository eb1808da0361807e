package rediskv

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/redis/rueidis"
)

// origins remembers the masters on which a mark was made here: how far each had
// written, by the id of what it replicates.
//
// A mark may be lost like everything that replicas were not waited for: a master dies
// before its replica has heard of the mark, and the replica takes over. It holds the
// store as it was before the mark, and whoever would refuse it would refuse its own. It
// can be told from a server that was emptied for certain: it names the master that it
// followed, and the place up to which it had heard that master (INFO replication,
// master_replid2 and second_repl_offset), and that place lies before the mark. That is
// believed once: who is emptied later says it too.
type origins struct {
	sync.Mutex
	marks map[string]int64 // offsets behind the mark, by replication id
}

// made notes the INFO of a master that has just been given a mark; it is locked.
func (o *origins) made(info string) {
	offset, err := strconv.ParseInt(infoField(info, "master_repl_offset"), 10, 64)
	id := infoField(info, "master_replid")
	if err != nil || id == "" {
		return // it does not tell: then nothing that descends from it is recognised
	}
	o.marks[id] = offset
}

// before reports whether the server of an INFO took over from a master that was given
// a mark, without having heard of it, and which master that was; it is locked.
func (o *origins) before(info string) (id string, ok bool) {
	id = infoField(info, "master_replid2")
	next, err := strconv.ParseInt(infoField(info, "second_repl_offset"), 10, 64) // the first byte that it has not heard
	offset, known := o.marks[id]
	if err != nil || !known || next <= 0 || next > offset || infoField(info, "role") != "master" {
		return "", false
	}
	return id, true
}

// recognise looks again at a server that holds no mark for a shard of its own, and
// gives it those of its shards if it took over before it had them.
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

// markAgain gives a server the marks of its shards. What it answers about the shards
// of others is that they are elsewhere, and is passed over.
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
	g.log.Warn("a replica that took over had not heard of the mark of the store, and was given it: " +
		"what was written in the moments before may be lost, unless replicas are waited for (redis.wait_replicas)")
	return nil
}

func infoReplication(node rueidis.Client) rueidis.Completed {
	return node.B().Info().Section("replication").Build()
}

// confirm waits until the replicas of every master have the mark, if replicas are
// waited for, and remembers where a mark was made.
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
			return e.fewReplicas(short)
		}
	}
	return nil
}
