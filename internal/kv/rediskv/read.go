package rediskv

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

// maxPipeline limits the commands that are sent before their answers are awaited. Longer pipelines
// are not faster and delay other callers.
const maxPipeline = 1000

// readRetries is how often a read is repeated after its connection broke, because several broken
// connections to a node may have to be found first.
const readRetries = 4

// Read implements kv.Store with pipelines.
func (e *Engine) Read(ctx context.Context, qs ...kv.Query) error {
	if err := kv.CheckRead(qs); err != nil {
		return err
	}
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	defer e.leave()
	qs, join := e.part(qs)
	defer join()
	if kv.IsDurable(ctx) {
		return e.readProven(ctx, qs)
	}
	return e.readNow(ctx, qs)
}

// readNow reads without waiting for replicas.
func (e *Engine) readNow(ctx context.Context, qs []kv.Query) error {
	return e.readAll(ctx, func(ctx context.Context, commands []rueidis.Completed) ([]rueidis.RedisResult, error) {
		return e.front.DoMulti(ctx, commands...), nil
	}, qs)
}

// Spread implements kv.Spread.
func (e *Engine) Spread() bool { return e.cluster }

// part splits queries about sets of many shards into one per set for a Cluster, where a command
// cannot use keys of two slots. join combines their answers.
func (e *Engine) part(qs []kv.Query) (parts []kv.Query, join func()) {
	wide := func(q kv.Query) bool { a, ok := q.(*kv.AnyMember); return ok && len(a.Keys) > 1 }
	if !e.cluster || !slices.ContainsFunc(qs, wide) {
		return qs, func() {}
	}
	of := map[*kv.AnyMember][]*kv.AnyMember{}
	for _, q := range qs {
		if !wide(q) {
			parts = append(parts, q)
			continue
		}
		whole := q.(*kv.AnyMember)
		for i := range whole.Keys {
			one := &kv.AnyMember{Keys: whole.Keys[i : i+1]}
			of[whole], parts = append(of[whole], one), append(parts, one)
		}
	}
	return parts, func() {
		for whole, ones := range of {
			whole.Found = slices.ContainsFunc(ones, func(one *kv.AnyMember) bool { return one.Found })
		}
	}
}

func (e *Engine) readAll(ctx context.Context, send sender, qs []kv.Query) error {
	for len(qs) > 0 {
		n := pipelined(qs)
		if err := e.readSome(ctx, send, qs[:n]); err != nil {
			return fmt.Errorf("read: %w", classify(ctx, err, reading))
		}
		qs = qs[n:]
	}
	return nil
}

// pipelined returns how many of the queries fit into one pipeline.
func pipelined(qs []kv.Query) int {
	commands := 0
	for i, q := range qs {
		if commands += commandsOf(q); commands > maxPipeline {
			return i
		}
	}
	return len(qs)
}

func (e *Engine) readSome(ctx context.Context, send sender, qs []kv.Query) error {
	ctx, cancel := e.limit(ctx)
	defer cancel()
	again, err := e.readOnce(ctx, send, qs, manner{})
	for i := 0; i < readRetries && isLost(err) && sleep(ctx, time.Duration(i)*time.Millisecond); i++ {
		again, err = e.readOnce(ctx, send, qs, manner{})
	}
	for _, how := range []manner{{scripts: true}, {scripts: true, whole: true}} {
		if err != nil || len(again) == 0 {
			return err
		}
		again, err = e.readOnce(ctx, send, again, how)
	}
	if err == nil && len(again) > 0 {
		err = fmt.Errorf("%w: Redis did not store the scripts", kv.ErrUnavailable)
	}
	return err
}

// manner determines the commands for queries when the usual ones were not enough.
type manner struct {
	scripts bool // scripts for all pages of feeds, and for pages of sets among equal scores
	whole   bool // scripts with their text, because a server lacks them
}

// readOnce sends queries. It returns those that need another manner, and the later ones of the same
// shard: an earlier query must not see more than a later one.
func (e *Engine) readOnce(ctx context.Context, send sender, qs []kv.Query, how manner) (again []kv.Query, err error) {
	p := &reads{texts: e.newTexts(), e: e, b: e.front.B(), how: how, commands: make([]rueidis.Completed, 0, len(qs)+1)}
	for _, q := range qs {
		p.add(q)
	}
	if len(p.commands) == 0 {
		return nil, nil
	}
	asked := len(p.commands)
	p.renew()
	start := time.Now()
	answers, err := send(ctx, p.commands)
	if err != nil {
		return nil, err
	}
	if asked <= paceReads {
		now := time.Now()
		e.pace.note(now.Sub(start), now)
	}
	if len(p.renewing) > 0 {
		t := e.newTexts()
		life := []string{t.millis(t.life)}
		for i, answer := range answers[asked:] {
			err := answer.Error()
			if isNoScript(err) { // the server lacks the script, so it gets the text
				err = e.front.Do(ctx, e.scripts.renew.call(e.front.B(), true, p.renewing[i:i+1], life)).Error()
			}
			if err == nil { // otherwise the next read tries again
				e.renewals.note(p.renewing[i])
			}
		}
	}
	var repeated [kv.Shards]bool
	for _, q := range qs {
		n := commandsOf(q)
		err := decode(q, answers[:n], how)
		behind := func(k kv.Key) bool { return repeated[k.Shard] }
		switch {
		case isNoScript(err) || err == errPartly:
			again = append(again, q)
			repeated[kv.KeyOf(q).Shard] = true
		case err != nil:
			return nil, fmt.Errorf("%v: %w", kv.KeyOf(q), err)
		case len(again) > 0 && slices.ContainsFunc(kv.KeysOf(q), behind):
			again = append(again, q)
		}
		answers = answers[n:]
	}
	return again, nil
}

// commandsOf returns the number of commands of a query.
func commandsOf(q kv.Query) int {
	switch q := q.(type) {
	case *kv.Counters:
		return min(1, len(q.Names))
	case *kv.Scores:
		return min(1, len(q.Members))
	}
	return 1
}

// reads builds a pipeline of queries.
type reads struct {
	texts
	e        *Engine
	b        rueidis.Builder
	how      manner
	commands []rueidis.Completed
	renewing []string // feeds to renew with this read
}

func (p *reads) add(q kv.Query) {
	if commandsOf(q) == 0 {
		return
	}
	key := p.key(kv.KeyOf(q))
	switch q := q.(type) {
	case *kv.Get:
		p.commands = append(p.commands, p.b.Get().Key(key).Build())
	case *kv.Counters:
		p.commands = append(p.commands, p.b.Hmget().Key(key).Field(q.Names...).Build())
	case *kv.Scores:
		p.commands = append(p.commands, p.b.Zmscore().Key(key).Member(q.Members...).Build())
	case *kv.Range:
		p.commands = append(p.commands, p.setPage(key, q))
	case *kv.AnyMember:
		p.commands = append(p.commands, p.b.Exists().Key(append([]string{key}, p.keys(q.Keys[1:])...)...).Build())
	case *kv.Feed:
		p.feedPage(key, q)
	default:
		panic(fmt.Sprintf("rediskv: unknown query %T", q))
	}
}

// fewTies is how many additional members are read if a cursor is among equal scores, because a
// plain command cannot exclude some of them. If scores are times, there are rarely more. If there
// are, a script finds the position, which takes twice as long for a long page.
const fewTies = 8

// amongTies reports whether a cursor of a page is among equal scores.
func amongTies(q *kv.Range) bool {
	return q.Above != nil && q.Above.Member != "" || q.Below != nil && q.Below.Member != ""
}

// script reports whether a page with such a cursor is read by a script at once. It is if the whole
// page is among equal scores, as in a set of names, where many members precede it.
func (how manner) script(q *kv.Range) bool {
	return how.scripts || q.Above != nil && q.Below != nil && q.Above.Score == q.Below.Score
}

func (p *reads) setPage(key string, q *kv.Range) rueidis.Completed {
	most := q.Limit
	if amongTies(q) {
		if p.how.script(q) {
			args := append(make([]string, 0, 8), p.uint(uint64(q.Limit)), flag(q.Desc))
			args = p.bound(p.bound(args, q.Above), q.Below)
			return p.e.scripts.rng.call(p.b, p.how.whole, []string{key}, args)
		}
		most += fewTies
	}
	limit := p.uint(uint64(most))
	low, high := "-inf", "+inf"
	if q.Above != nil { // every member with this score is greater than ""
		low = p.int(q.Above.Score)
	}
	if q.Below != nil {
		high = p.int(q.Below.Score)
		if q.Below.Member == "" {
			high = "(" + high
		}
	}
	name := "ZRANGEBYSCORE"
	if q.Desc {
		name, low, high = "ZREVRANGEBYSCORE", high, low
	}
	return p.b.Arbitrary(name).Keys(key).Args(low, high, "WITHSCORES", "LIMIT", "0", limit).Build()
}

func (p *reads) bound(args []string, m *kv.Member) []string {
	if m == nil {
		return append(args, "-")
	}
	return append(args, "m", p.int(m.Score), m.Member)
}

// feedPage adds the command for the end of a list, or the script.
func (p *reads) feedPage(key string, q *kv.Feed) {
	if p.life > 0 && p.e.renewals.due(key, p.life) {
		p.renewing = append(p.renewing, key)
	}
	if newest(q) && !p.how.scripts {
		p.commands = append(p.commands, p.b.Lrange().Key(key).Start(-int64(windowOf(q))).Stop(-1).Build())
		return
	}
	args := []string{p.uint(q.Above), p.uint(q.Below), flag(q.Asc), p.uint(uint64(q.Limit))}
	p.commands = append(p.commands, p.e.scripts.page.call(p.b, p.how.whole, []string{key}, args))
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return "0"
}
