package rediskv

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
	"linnet/internal/wording"
)

// guard knows the mark that the store had when it was opened: a random text which
// stands in Redis beside the records and says whose they are. A server that was
// emptied has none, and another Redis another one.
//
// Every transaction, and every other change made by its script, looks for the mark
// before it writes. Plain commands do not; so the heartbeat of the tracking
// connections looks too (see tracker), at once when a server says that it was emptied
// or the connection breaks, and from then on nothing is sent there at all. It goes on
// as soon as the mark is there again. A nil guard lets everything pass.
type guard struct {
	id    string
	keys  []string // by shard in a Cluster, where a script reaches its own slot only
	isNew bool     // the mark was made here
	log   *slog.Logger
	found atomic.Pointer[kv.Trouble] // what is wrong; nil: nothing

	origins origins
}

// ErrStrange: the Redis does not hold the store that was opened.
var ErrStrange = fmt.Errorf("%w: it is not the store that was opened", kv.ErrUnavailable)

// ErrUnmarked: the Redis holds no mark, and so no store.
var ErrUnmarked = fmt.Errorf("%w: its mark is missing", ErrStrange)

// strange is the first word of what the scripts answer then.
const strange = "STRANGE"

// luaGuard stands before a script whose last key is the mark and whose last argument
// says what it was.
const luaGuard = `
local markIs = ARGV[#ARGV]
ARGV[#ARGV] = nil
local markAt = KEYS[#KEYS]
KEYS[#KEYS] = nil
if redis.call('GET', markAt) ~= markIs then return redis.error_reply('` + strange + ` the mark of the store is not there') end
`

func strangeTrouble(err error) *kv.Trouble {
	return &kv.Trouble{
		Reason: wording.Messagef("Redis is empty or a different instance: its data isn't from the store that this server started with. " +
			"Connect to the right Redis. Or stop all servers, restore a backup and start them again. Or restart all servers to continue with the current data"),
		Err: err,
	}
}

// call adds the mark of a shard to the keys and arguments of a script.
func (g *guard) call(shard uint16, keys, args []string) ([]string, []string) {
	if g == nil {
		return keys, args
	}
	return append(keys, g.key(shard)), append(args, g.id)
}

func (g *guard) key(shard uint16) string { return g.keys[int(shard)%len(g.keys)] }

// refuse is why nothing may be sent now, if so.
func (g *guard) refuse() error {
	if g == nil {
		return nil
	}
	if t := g.found.Load(); t != nil {
		return t
	}
	return nil
}

// judge takes the answer of a GET of a mark. An error that is not ErrStrange says
// nothing about the store.
func (g *guard) judge(answer rueidis.RedisResult) error {
	is, err := answer.ToString()
	switch {
	case rueidis.IsRedisNil(err):
		return strangeTrouble(ErrUnmarked)
	case err != nil:
		return err
	case is != g.id:
		return strangeTrouble(fmt.Errorf("%w: it has the mark of another", ErrStrange))
	}
	return nil
}

// note takes what a look at all masters came to.
func (g *guard) note(err error) {
	var t *kv.Trouble
	switch {
	case g == nil:
	case err == nil:
		if g.found.Swap(nil) != nil {
			g.log.Info("the store is back in Redis; serving requests")
		}
	case errors.Is(err, ErrStrange) && errors.As(err, &t):
		if g.found.Swap(t) == nil {
			g.log.Error("store closed", "because", t.Reason, "err", t.Err)
		}
	}
}

// alive asks a master whether it lives, and whether it holds the store if shard, one
// of its own, is not negative.
func (g *guard) alive(ctx context.Context, node rueidis.Client, shard int) error {
	if g != nil && shard >= 0 {
		err := g.judge(node.Do(ctx, node.B().Get().Key(g.key(uint16(shard))).Build()))
		if errors.Is(err, ErrUnmarked) {
			err = g.recognise(ctx, node, shard)
		}
		if !isElsewhere(err) {
			return err
		}
	}
	return node.Do(ctx, node.B().Ping().Build()).Error()
}

// newGuard returns a guard that does not know the mark yet; nil if there is none.
func (e *Engine) newGuard() *guard {
	if !e.opts.Guard {
		return nil
	}
	g := &guard{log: e.log, keys: make([]string, 1), origins: origins{marks: map[string]int64{}}}
	if e.cluster {
		g.keys = make([]string, kv.Shards)
	}
	for i := range g.keys {
		g.keys[i] = e.opts.Prefix + "mark:{" + strconv.Itoa(i) + "}" // no key of a record has this form
	}
	return g
}

// mark finds the mark of the store, or makes one, if it is to be guarded, and waits
// for the replicas to have it. It may be called again when they do not.
func (e *Engine) mark() error {
	g := e.guard
	if g == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*e.opts.Timeout)
	defer cancel()
	if e.opts.Observe {
		return e.findMark(ctx, g)
	}
	err := e.ownMark(ctx, g)
	if err == nil {
		err = e.markShards(ctx, g)
	}
	if err == nil {
		err = e.confirm(ctx, g)
	}
	if err != nil {
		return fmt.Errorf("mark the store: %w", classify(ctx, err, reading))
	}
	return nil
}

// findMark finds the mark and writes nothing.
func (e *Engine) findMark(ctx context.Context, g *guard) (err error) {
	g.id, err = e.front.Do(ctx, e.front.B().Get().Key(g.keys[0]).Build()).ToString()
	if rueidis.IsRedisNil(err) {
		return strangeTrouble(ErrUnmarked)
	}
	if err != nil {
		return fmt.Errorf("look for the mark of the store: %w", classify(ctx, err, reading))
	}
	return nil
}

// ownMark finds the mark, or makes one. It is looked for first: a Redis that is full refuses to
// set it, though it is there. Where the other shards of a Cluster bear one, the master of the first was
// emptied, and the store is no new one: it keeps its mark, by which running servers know it.
func (e *Engine) ownMark(ctx context.Context, g *guard) (err error) {
	b := e.front.B
	if g.id, err = e.front.Do(ctx, b().Get().Key(g.keys[0]).Build()).ToString(); err == nil || !rueidis.IsRedisNil(err) {
		return err
	}
	left, err := e.marksLeft(ctx, g)
	if err != nil {
		return err
	}
	answers := e.front.DoMulti(ctx,
		b().Set().Key(g.keys[0]).Value(cmp.Or(left, rand.Text())).Nx().Build(), b().Get().Key(g.keys[0]).Build())
	if err = answers[0].Error(); err == nil {
		g.isNew = left == ""
	}
	if err == nil || rueidis.IsRedisNil(err) {
		g.id, err = answers[1].ToString()
	}
	return err
}

// otherMarks asks for the marks of the shards but the first; a single Redis has no others.
func (e *Engine) otherMarks(ctx context.Context, g *guard) []rueidis.RedisResult {
	var gets []rueidis.Completed
	for _, key := range g.keys[1:] {
		gets = append(gets, e.front.B().Get().Key(key).Build())
	}
	if len(gets) == 0 {
		return nil
	}
	return e.front.DoMulti(ctx, gets...)
}

// marksLeft is the mark that most of the shards bear but the first; "" if none does.
func (e *Engine) marksLeft(ctx context.Context, g *guard) (most string, err error) {
	found := map[string]int{}
	for _, answer := range e.otherMarks(ctx, g) {
		mark, err := answer.ToString()
		switch {
		case rueidis.IsRedisNil(err):
			continue
		case err != nil:
			return "", err
		}
		if found[mark]++; found[mark] > found[most] {
			most = mark
		}
	}
	return most, nil
}

// markShards sets the marks of the other shards that lack it.
func (e *Engine) markShards(ctx context.Context, g *guard) error {
	var sets []rueidis.Completed
	answers := e.otherMarks(ctx, g)
	for i, answer := range answers {
		switch err := g.judge(answer); {
		case errors.Is(err, ErrStrange):
			sets = append(sets, e.front.B().Set().Key(g.keys[i+1]).Value(g.id).Build())
		case err != nil:
			return err
		}
	}
	if len(sets) == 0 {
		return nil
	}
	if !g.isNew && len(sets) < len(answers) {
		e.log.Warn("some Cluster nodes lack the mark of the store and may have been emptied; run linnet check", "shards", len(sets))
	}
	return failure(e.front.DoMulti(ctx, sets...))
}

// holds asks all masters for the mark.
func (e *Engine) holds(ctx context.Context) error {
	if e.guard == nil {
		return nil
	}
	if !e.cluster {
		err := e.guard.alive(ctx, e.front, 0)
		e.guard.note(err)
		return err
	}
	l, nodes, err := e.masterNodes(ctx)
	for i := 0; err == nil && i < len(nodes); i++ {
		err = e.guard.alive(ctx, nodes[i], l.shards[i])
	}
	e.guard.note(err)
	return err
}
