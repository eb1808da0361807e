package rediskv

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// bulkPipeline limits the commands of an Apply that are sent to a node before their answers are
	// awaited.
	bulkPipeline = 100
	// bulkBytes limits the values in a pipeline.
	bulkBytes = 1 << 20
	// bulkLanes is the number of concurrent pipelines of plain pushes. While the server executes
	// one, the next is built and sent.
	bulkLanes = 2
	// bulkAtOnce limits all pipelines on the fan-out connection. Concurrent reads wait for that
	// many.
	bulkAtOnce = 4
)

// Apply implements kv.Store with pipelines that keep the order of changes in a shard. Changes of
// feeds alone, as in a fan-out, use their own connection. With WaitReplicas each pipeline also
// waits for the replicas of its servers.
func (e *Engine) Apply(ctx context.Context, changes ...kv.Op) error {
	if err := kv.CheckApply(changes); err != nil {
		return err
	}
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("apply changes: %w", err)
	}
	defer e.leave()
	client := e.front
	if onlyFeeds(changes) {
		client = e.bulk
	}
	return e.applyInLanes(ctx, client, changes)
}

// applyInLanes makes the changes in sequence, or concurrently if they are plain pushes for several
// pipelines, because the order of pushes does not matter.
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

// applyAll makes the changes, several at a time, and then tidies the feeds that the last pushes
// made due.
func (e *Engine) applyAll(ctx context.Context, client rueidis.Client, changes []kv.Op, plain bool) error {
	a := applying{e: e, client: client, plain: plain, few: fewIDs(changes)}
	for len(changes) > 0 || len(a.due) > 0 {
		if client == e.bulk {
			sleep(ctx, e.pace.pause(time.Now()))
		}
		n, err := a.some(ctx, changes)
		changes = changes[n:]
		if n > 0 {
			a.moves = 0 // each pipeline may be the first one to reach its shards
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
				return fmt.Errorf("apply changes: %w", classify(ctx, err, writing))
			}
			changes, a.due = changes[1:], nil
		default:
			return fmt.Errorf("apply changes: %w", classify(ctx, err, writing))
		}
	}
	return nil
}

// applying is the state of an Apply.
type applying struct {
	e      *Engine
	client rueidis.Client
	plain  bool     // pushes are plain commands
	few    bool     // the merge is a plain command
	whole  bool     // scripts are sent with their text, because a server lacks them
	moves  int      // consecutive redirections without a change made
	due    []string // feeds to be tidied
}

// one makes a single change whose shard is moving to another node. It sends the change to the node
// that currently has the shard.
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

// some makes as many changes as fit into a pipeline, and returns how many succeeded before the
// first failure. With too few replicas it returns 0. Later changes may have been made too.
// Repeating them is harmless and keeps the order. It also tidies due feeds.
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
			k, _ := kv.ParseKey(strings.TrimPrefix(a.due[i], a.e.opts.Prefix)) // this is the text of a valid key
			return k.Shard                                                     // in a Cluster each feed has its own script
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
			// The answer to a push is the length of the feed, which shows whether it is due for
			// tidying.
			length, err := answer.AsInt64()
			if err == nil && length > 0 && (length/feedTail != (length-int64(p.many))/feedTail || length > kv.FeedMax+1) {
				a.due = append(a.due, p.feeds[i])
			}
		}
	}
	if failed == nil && short != nil {
		return 0, fmt.Errorf("%w: %w", kv.ErrUnavailable, short)
	}
	return n, failed
}

// send sends a pipeline when it is its turn. shard returns the shard of a command. short is set if
// too few replicas have the changes.
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
	feeds    []string // keys of the changes that are plain pushes
	many     int      // number of ids that each of them pushes
	id       string   // ids of the plain pushes
}

// addSome adds one command for each change, as long as they fit into one pipeline to that many
// nodes. It returns how many it added.
func (p *writes) addSome(changes []kv.Op, nodes int) int {
	i, size := 0, 0
	for i < len(changes) && i < bulkPipeline*nodes && size < bulkBytes {
		switch c := changes[i].(type) {
		case kv.Put:
			size += len(c.Data)
		case kv.Merge:
			if p.few {
				ids := rising(c.IDs)
				p.feeds, p.many = make([]string, min(len(changes), bulkPipeline*nodes)), len(ids)
				p.feeds[i] = p.key(c.Key)
				texts := make([]string, len(ids))
				for j, id := range ids {
					texts[j] = p.uint(id)
				}
				p.commands = append(p.commands, p.b.Rpushx().Key(p.feeds[i]).Element(texts...).Build())
				i++
				continue
			}
		case *kv.Push:
			// RPUSHX does nothing if the feed is cold. Otherwise it appends the id behind the
			// feed's mark, even if the id belongs elsewhere.
			if p.plain {
				if p.feeds == nil {
					p.feeds = make([]string, min(len(changes), bulkPipeline*nodes))
				}
				p.feeds[i] = p.key(c.Key)
				if p.id == "" {
					p.id = p.uint(c.ID)
				}
				p.commands = append(p.commands, p.b.Rpushx().Key(p.feeds[i]).Element(p.id).Build())
				i++
				continue
			}
		}
		p.commands = append(p.commands, p.command(changes[i]))
		i++
	}
	return i
}

// command returns the plain command for a change, or the transaction script for a change that
// depends on the feed.
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
