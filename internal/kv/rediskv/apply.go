package rediskv

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// bulkPipeline is how many commands of an Apply a node is sent before the
	// answers are awaited.
	bulkPipeline = 100
	// bulkBytes of values end a pipeline early.
	bulkBytes = 1 << 20
	// bulkLanes is how many pipelines of plain pushes are under way at once: while
	// the server carries one out, the next is built and on its way.
	bulkLanes = 2
	// bulkAtOnce is how many pipelines there are in all on the connection of a
	// fan-out, whose number is what others wait for who read meanwhile.
	bulkAtOnce = 4
)

// Apply implements kv.Store by pipelines in which the changes of a shard keep
// their order. Changes that concern feeds only, which is what a fan-out is, go
// over a connection of their own. With WaitReplicas each pipeline also waits for
// the replicas of the servers that took it.
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
	return e.applyInLanes(ctx, client, changes)
}

// applyInLanes makes the changes one after the other, unless they are plain pushes
// that fill several pipelines: whose order makes no difference.
func (e *Engine) applyInLanes(ctx context.Context, client rueidis.Client, changes []kv.Op) error {
	plain := oneID(changes)
	if !plain || len(changes) <= bulkPipeline*e.masters() || !onlyPushes(changes) {
		return e.applyAll(ctx, client, changes, plain)
	}
	var all sync.WaitGroup
	var errs [bulkLanes]error
	each := (len(changes) + bulkLanes - 1) / bulkLanes
	for i := range errs {
		all.Go(func() { errs[i] = e.applyAll(ctx, client, changes[i*each:min((i+1)*each, len(changes))], plain) })
	}
	all.Wait()
	return cmp.Or(errs[:]...)
}

// applyAll makes the changes, some at a time, and in the end tidies the feeds
// that need it after the last pushes.
func (e *Engine) applyAll(ctx context.Context, client rueidis.Client, changes []kv.Op, plain bool) error {
	a := applying{e: e, client: client, plain: plain, few: fewIDs(changes)}
	for len(changes) > 0 || len(a.due) > 0 {
		if client == e.bulk {
			sleep(ctx, e.pace.pause(time.Now()))
		}
		n, err := a.some(ctx, changes)
		changes = changes[n:]
		if n > 0 {
			a.moves = 0 // each pipeline may be the first to meet its shards
		}
		switch {
		case err == nil:
			a.whole, a.moves = false, 0
		case isNoScript(err) && !a.whole:
			a.whole = true
		case isTryAgain(err) && sleep(ctx, 5*time.Millisecond):
		case a.e.redirects() && isMoved(err) && a.moves < redirections/2:
			a.moves++
		case a.e.redirects() && isAsk(err) && len(changes) > 0:
			if err := a.one(ctx, changes[0]); err != nil {
				return fmt.Errorf("apply: %w", classify(ctx, err, writing))
			}
			changes, a.due = changes[1:], nil
		default:
			return fmt.Errorf("apply: %w", classify(ctx, err, writing))
		}
	}
	return nil
}

// applying is an Apply under way.
type applying struct {
	e      *Engine
	client rueidis.Client
	plain  bool     // pushes are plain commands
	few    bool     // so is the merge
	whole  bool     // scripts are sent with their text, for a server that lacks them
	moves  int      // how often in a row a shard was found to be elsewhere and no change was made
	due    []string // feeds to be tidied
}

// one makes a single change, whose shard is on its way to another node: it goes to
// whichever of the two has it.
func (a *applying) one(ctx context.Context, c kv.Op) error {
	ctx, cancel := a.e.limit(ctx)
	defer cancel()
	p := &writes{texts: a.e.newTexts(), scripts: &a.e.scripts, guard: a.e.guard, b: a.client.B(), whole: true}
	answers, short := a.e.acknowledged(ctx, kv.KeyOfOp(c).Shard, p.command(c))
	if err := failure(answers); err != nil {
		return err
	}
	if short != nil {
		return fmt.Errorf("%w: %w", kv.ErrUnavailable, short)
	}
	return nil
}

func onlyPushes(changes []kv.Op) bool {
	for _, c := range changes {
		if _, ok := c.(*kv.Push); !ok {
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

// some makes as many of the changes as fit into a pipeline and returns how
// many, up to the first that failed; with too few replicas none of them counts.
// Some behind that may have been made too; to make them again from there is harmless
// and keeps the order. Feeds that are due go along.
func (a *applying) some(ctx context.Context, changes []kv.Op) (int, error) {
	ctx, cancel := a.e.limit(ctx)
	defer cancel()
	p := &writes{
		texts: a.e.newTexts(), scripts: &a.e.scripts, guard: a.e.guard, b: a.client.B(), plain: a.plain, few: a.few, whole: a.whole,
		many: 1,
	}
	tidying := p.tidy(a.due, a.e.cluster)
	n := p.addSome(changes, a.e.masters())
	answers, short, err := a.send(ctx, p.commands, func(i int) uint16 {
		if i < tidying {
			return a.e.shardOf(a.due[i]) // in a Cluster each feed has a script of its own
		}
		return kv.KeyOfOp(changes[i-tidying]).Shard
	})
	if err != nil {
		return 0, err
	}
	failed := a.tidied(answers[:tidying])
	for i, answer := range answers[tidying:] {
		if err := answer.Error(); err != nil && !rueidis.IsRedisNil(err) {
			if short != nil {
				i = 0
			}
			return i, fmt.Errorf("%v: %w", kv.KeyOfOp(changes[i]), err)
		}
		if p.feeds != nil && p.feeds[i] != "" {
			a.pushed(p.feeds[i], answer, int64(p.many))
		}
	}
	if failed == nil && short != nil {
		return 0, fmt.Errorf("%w: %w", kv.ErrUnavailable, short)
	}
	return n, failed
}

// send sends a pipeline, when it is its turn; shard tells which one a command
// concerns. short says that too few replicas have what was made.
func (a *applying) send(ctx context.Context, commands []rueidis.Completed, shard func(int) uint16) (answers []rueidis.RedisResult, short, err error) {
	if a.client == a.e.bulk {
		select {
		case a.e.turns <- struct{}{}:
			defer func() { <-a.e.turns }()
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	switch {
	case a.e.opts.WaitReplicas == 0:
		return a.client.DoMulti(ctx, commands...), nil, nil
	case a.e.cluster:
		answers, short = a.e.sendHomes(ctx, a.client, commands, shard)
	default:
		answers, short = a.e.sendWait(ctx, a.client, commands)
	}
	return answers, short, nil
}

// writes builds a pipeline of changes.
type writes struct {
	texts
	scripts  *scripts
	guard    *guard
	b        rueidis.Builder
	plain    bool
	few      bool
	whole    bool
	commands []rueidis.Completed
	feeds    []string // of each change that is a plain push, the key
	many     int      // ids that each of them pushes
	id       string   // what plain pushes push
}

// addSome makes one command of each change, as long as they fit into one
// pipeline to that many nodes. It returns how many did.
func (p *writes) addSome(changes []kv.Op, nodes int) int {
	i, size := 0, 0
	for i < len(changes) && i < bulkPipeline*nodes && size < bulkBytes {
		switch c := changes[i].(type) {
		case kv.Put:
			size += len(c.Data)
		case kv.Merge:
			if p.few {
				p.merge(i, c, min(len(changes), bulkPipeline*nodes))
				i++
				continue
			}
		case *kv.Push:
			if p.plain {
				p.push(i, c, min(len(changes), bulkPipeline*nodes))
				i++
				continue
			}
		}
		p.commands = append(p.commands, p.command(changes[i]))
		i++
	}
	return i
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
		return p.b.Lrem().Key(key).Count(0).Element(p.uint(c.ID)).Build()
	}
	keys, args := p.guard.call(kv.KeyOfOp(c).Shard, []string{key}, p.change([]string{"0"}, c))
	return p.scripts.txn.call(p.b, p.whole, keys, args)
}
