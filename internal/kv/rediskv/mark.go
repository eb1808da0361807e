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

// guard knows the mark of the opened store, a random text that Redis stores next to the records. A
// server that was emptied has no mark, and another Redis has a different one.
//
// Every script that writes checks the mark first. Plain commands do not. For them the heartbeat of
// the tracking connections checks it (see tracker), and at once when a server reports a flush or
// the connection breaks. From then on the engine sends nothing, until the mark is present again. A
// nil guard allows everything.
type guard struct {
	id    string
	keys  []string // by shard in a Cluster, where scripts reach only their slot
	isNew bool     // this engine made the mark
	log   *slog.Logger
	found atomic.Pointer[kv.Trouble] // the current problem; nil if none

	origins origins
}

// ErrStrange means that Redis does not contain the opened store.
var ErrStrange = fmt.Errorf("%w: Redis does not contain the store that was opened", kv.ErrUnavailable)

// ErrUnmarked means that Redis has no mark, and so no store.
var ErrUnmarked = fmt.Errorf("%w: the marker of the store is missing", ErrStrange)

// strange is the first word of the scripts' error in that case.
const strange = "STRANGE"

// luaGuard is a prefix for scripts. Their last key is the mark, and their last argument its
// expected value.
const luaGuard = `
local markIs = ARGV[#ARGV]
ARGV[#ARGV] = nil
local markAt = KEYS[#KEYS]
KEYS[#KEYS] = nil
if redis.call('GET', markAt) ~= markIs then return redis.error_reply('` + strange + ` the marker of the store is missing') end
`

func strangeTrouble(err error) *kv.Trouble {
	return &kv.Trouble{
		Reason: wording.Messagef("Redis is empty or a different instance: its data isn't from the store that this server started with. " +
			"Connect the server to the right Redis, or stop all servers and restore a backup. To continue with the current data, restart all servers"),
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

// refuse returns the reason why no command can be sent at the moment, or nil.
func (g *guard) refuse() error {
	if g == nil {
		return nil
	}
	if t := g.found.Load(); t != nil {
		return t
	}
	return nil
}

// judge evaluates the answer to a GET of a mark. Only ErrStrange is a statement about the store.
func (g *guard) judge(answer rueidis.RedisResult) error {
	is, err := answer.ToString()
	switch {
	case rueidis.IsRedisNil(err):
		return strangeTrouble(ErrUnmarked)
	case err != nil:
		return err
	case is != g.id:
		return strangeTrouble(fmt.Errorf("%w: Redis contains the marker of another store", ErrStrange))
	}
	return nil
}

// note records the result of a check of all masters.
func (g *guard) note(err error) {
	var t *kv.Trouble
	switch {
	case g == nil:
	case err == nil:
		if g.found.Swap(nil) != nil {
			g.log.Info("found the store in Redis again; serving requests")
		}
	case errors.Is(err, ErrStrange) && errors.As(err, &t):
		if g.found.Swap(t) == nil {
			g.log.Error("stopped using the store", "reason", t.Reason, "err", t.Err)
		}
	}
}

// alive checks that a master responds. It also checks that the master has the store, unless shard,
// one of the master's shards, is negative.
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

// newGuard returns a guard that does not know the mark yet, or nil without Options.Guard.
func newGuard(opts Options, cluster bool) *guard {
	if !opts.Guard {
		return nil
	}
	g := &guard{log: opts.Logger, keys: make([]string, 1), origins: origins{marks: map[string]int64{}}}
	if cluster {
		g.keys = make([]string, kv.Shards)
	}
	for i := range g.keys {
		g.keys[i] = opts.Prefix + "mark:{" + strconv.Itoa(i) + "}" // no key of a record has this form
	}
	return g
}

// mark finds the mark of the store, or makes one, if the store is guarded. It waits until the
// replicas have it. It can be repeated if they do not.
func (e *Engine) mark() error {
	g := e.guard
	if g == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*e.opts.Timeout)
	defer cancel()
	if e.opts.Observe {
		return g.find(ctx, e.front)
	}
	err := g.findOrMake(ctx, e.front)
	if err == nil {
		err = g.markShards(ctx, e.front)
	}
	if err == nil {
		err = e.confirm(ctx, g)
	}
	if err != nil {
		return fmt.Errorf("write the store's marker: %w", classify(ctx, err, reading))
	}
	return nil
}

// find finds the mark without writing.
func (g *guard) find(ctx context.Context, front rueidis.Client) (err error) {
	g.id, err = front.Do(ctx, front.B().Get().Key(g.keys[0]).Build()).ToString()
	if rueidis.IsRedisNil(err) {
		return strangeTrouble(ErrUnmarked)
	}
	if err != nil {
		return fmt.Errorf("read the store's marker: %w", classify(ctx, err, reading))
	}
	return nil
}

// findOrMake finds the mark or makes one. It reads first, because a full Redis refuses to set a
// mark even if it exists. If other shards of a Cluster have a mark, the first master was emptied
// and the store is not new. It keeps the mark that running servers know.
func (g *guard) findOrMake(ctx context.Context, front rueidis.Client) (err error) {
	b := front.B
	if g.id, err = front.Do(ctx, b().Get().Key(g.keys[0]).Build()).ToString(); err == nil || !rueidis.IsRedisNil(err) {
		return err
	}
	left, err := g.left(ctx, front)
	if err != nil {
		return err
	}
	answers := front.DoMulti(ctx,
		b().Set().Key(g.keys[0]).Value(cmp.Or(left, rand.Text())).Nx().Build(), b().Get().Key(g.keys[0]).Build())
	if err = answers[0].Error(); err == nil {
		g.isNew = left == ""
	}
	if err == nil || rueidis.IsRedisNil(err) {
		g.id, err = answers[1].ToString()
	}
	return err
}

// others reads the marks of the shards other than the first. A single Redis has none.
func (g *guard) others(ctx context.Context, front rueidis.Client) []rueidis.RedisResult {
	var gets []rueidis.Completed
	for _, key := range g.keys[1:] {
		gets = append(gets, front.B().Get().Key(key).Build())
	}
	if len(gets) == 0 {
		return nil
	}
	return front.DoMulti(ctx, gets...)
}

// left returns the most frequent mark of the shards other than the first, or "".
func (g *guard) left(ctx context.Context, front rueidis.Client) (most string, err error) {
	found := map[string]int{}
	for _, answer := range g.others(ctx, front) {
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

// markShards sets the mark of the other shards without one.
func (g *guard) markShards(ctx context.Context, front rueidis.Client) error {
	var sets []rueidis.Completed
	answers := g.others(ctx, front)
	for i, answer := range answers {
		switch err := g.judge(answer); {
		case errors.Is(err, ErrStrange):
			sets = append(sets, front.B().Set().Key(g.keys[i+1]).Value(g.id).Build())
		case err != nil:
			return err
		}
	}
	if len(sets) == 0 {
		return nil
	}
	if !g.isNew && len(sets) < len(answers) {
		g.log.Warn("some shards lack the marker of the store, so a Cluster node may have been emptied; run linnet check", "shards", len(sets))
	}
	return failure(front.DoMulti(ctx, sets...))
}

// holds checks the mark on all masters.
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
