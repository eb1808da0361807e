package rediskv

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// bulkPipeline is how many commands of an Apply a node is sent before the
	// answers are awaited.
	bulkPipeline = 100
	// pushKeys is how many feeds one push script serves. The server does
	// nothing else meanwhile.
	pushKeys = 100
	// bulkPushes is how many pushes are under way at a time at a node.
	bulkPushes = 300
	// bulkBytes of values end a pipeline early.
	bulkBytes = 1 << 20
)

// Apply implements kv.Store by pipelines in which the changes of a shard keep
// their order. Changes that concern feeds only, which is what a fan-out is, go
// over a connection of their own. With WaitReplicas it also waits for the
// replicas.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if err := kv.CheckApply(changes); err != nil {
		return err
	}
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	defer e.leave()
	client := e.front
	if onlyFeeds(changes) {
		client = e.bulk
	}
	if e.cluster && onlyPushes(changes) {
		changes = slices.Clone(changes)
		slices.SortStableFunc(changes, func(a, b kv.Op) int {
			return int(a.(kv.Push).Key.Shard) - int(b.(kv.Push).Key.Shard)
		})
	}
	if e.opts.WaitReplicas == 0 {
		return e.applyAll(ctx, client, changes)
	}
	b, err := e.newBarrier(ctx, changes)
	if err == nil {
		if err = e.applyAll(ctx, client, changes); err != nil {
			return err
		}
		err = b.wait(ctx)
	}
	if err != nil {
		return fmt.Errorf("apply: %w: %w", kv.ErrUnavailable, err)
	}
	return nil
}

// applyAll makes the changes, some at a time.
func (e *Engine) applyAll(ctx context.Context, client rueidis.Client, changes []kv.Op) error {
	var how manner
	for len(changes) > 0 {
		n, err := e.applySome(ctx, client, changes, how)
		changes = changes[n:]
		switch {
		case err == nil:
			how = manner{}
		case isNoScript(err) && !how.whole:
			how.whole = true
		case isTryAgain(err) && !how.apart:
			how.apart = true
		default:
			return fmt.Errorf("apply: %w", classify(ctx, err, writing))
		}
	}
	return nil
}

// manner is how a pipeline is written once the usual manner has failed.
type manner struct {
	whole bool // scripts with their text, for a server that does not have them
	apart bool // a script a feed, for a slot whose keys lie on two nodes
}

func onlyPushes(changes []kv.Op) bool {
	for _, c := range changes {
		if _, ok := c.(kv.Push); !ok {
			return false
		}
	}
	return true
}

func onlyFeeds(changes []kv.Op) bool {
	for _, c := range changes {
		if s := shapeOf(c); s != feedShape && s != anyShape {
			return false
		}
	}
	return true
}

// applySome makes as many of the changes as fit into a pipeline and returns how
// many, up to the first that failed. Some behind that may have been made too;
// to make them again from there is harmless and keeps the order.
func (e *Engine) applySome(ctx context.Context, client rueidis.Client, changes []kv.Op, how manner) (int, error) {
	ctx, cancel := e.limit(ctx)
	defer cancel()
	p := &writes{
		texts: texts{prefix: e.opts.Prefix}, scripts: &e.scripts, b: client.B(), whole: how.whole,
		oneShard: e.cluster, most: pushKeys,
	}
	if how.apart {
		p.most = 1
	}
	n := p.addSome(changes, e.masters())
	for i, answer := range client.DoMulti(ctx, p.commands...) {
		if err := answer.Error(); err != nil && !rueidis.IsRedisNil(err) {
			return p.first[i], fmt.Errorf("%v: %w", kv.KeyOfOp(changes[p.first[i]]), err)
		}
	}
	return n, nil
}

// writes builds a pipeline of changes.
type writes struct {
	texts
	scripts  *scripts
	b        rueidis.Builder
	whole    bool
	oneShard bool // a script may name keys of one shard only
	most     int  // feeds of one push script
	commands []rueidis.Completed
	first    []int // of each command, the index of the first change in it
}

// addSome makes one command of each change, or of each run of pushes, as long
// as they fit into one pipeline to that many nodes. It returns how many did.
func (p *writes) addSome(changes []kv.Op, nodes int) int {
	i, pushes, size := 0, 0, 0
	for i < len(changes) && len(p.commands) < bulkPipeline*nodes && pushes < bulkPushes*nodes && size < bulkBytes {
		if put, ok := changes[i].(kv.Put); ok {
			size += len(put.Data)
		}
		if _, ok := changes[i].(kv.Push); !ok {
			p.add(i, p.command(changes[i]))
			i++
			continue
		}
		n := p.run(i, changes[i:])
		i, pushes = i+n, pushes+n
	}
	return i
}

// run makes one command of the pushes that changes begin with and returns how
// many they are.
func (p *writes) run(at int, changes []kv.Op) int {
	n, same := p.runLength(changes)
	keys, ids := make([]string, n), make([]string, 1)
	if !same {
		ids = make([]string, n)
	}
	for i, c := range changes[:n] {
		push := c.(kv.Push)
		keys[i] = p.key(push.Key)
		if i < len(ids) {
			ids[i] = p.uint(push.ID)
		}
	}
	p.push(at, keys, ids)
	return n
}

// runLength counts the pushes that changes begin with and that one script may
// make, and says whether they are all of one id.
func (p *writes) runLength(changes []kv.Op) (n int, same bool) {
	first := changes[0].(kv.Push)
	same = true
	for _, c := range changes[:min(len(changes), p.most)] {
		push, ok := c.(kv.Push)
		if !ok || p.oneShard && push.Key.Shard != first.Key.Shard {
			break
		}
		same = same && push.ID == first.ID
		n++
	}
	return n, same
}

func (p *writes) push(at int, keys, ids []string) {
	p.add(at, p.scripts.push.call(p.b, p.whole, keys, ids))
}

func (p *writes) add(at int, c rueidis.Completed) {
	p.commands = append(p.commands, c)
	p.first = append(p.first, at)
}

// command is the plain command that makes a change, or the transaction script
// for those that have to look at the feed first.
func (p *writes) command(c kv.Op) rueidis.Completed {
	key := p.key(kv.KeyOfOp(c))
	switch c := c.(type) {
	case kv.Put:
		set := p.b.Arbitrary("SET").Keys(key).Args(p.value(c))
		if c.TTL > 0 {
			set = set.Args("PX", p.millis(c.TTL))
		}
		return set.Build()
	case kv.Delete:
		return p.b.Unlink().Key(key).Build()
	case kv.Add:
		return p.b.Arbitrary("ZADD").Keys(key).Args(p.int(c.Score), c.Member).Build()
	case kv.Remove:
		return p.b.Zrem().Key(key).Member(c.Member).Build()
	case kv.Trim:
		return p.b.Zremrangebyrank().Key(key).Start(0).Stop(-1 - int64(c.Keep)).Build()
	case kv.Pull:
		return p.b.Lrem().Key(key).Count(-1).Element(p.uint(c.ID)).Build()
	}
	return p.scripts.txn.call(p.b, p.whole, []string{key}, p.change([]string{"0"}, c))
}
