package rediskv

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// copyPipeline is how many records are read in one go, and copyPage how many members
	// of each set; of larger sets the rest comes by itself, copyPages at a time.
	copyPipeline = 100
	copyPage     = 1000
	copyPages    = 10_000
)

// readPart reads some records into the spool, each as it is at some moment; what changes
// meanwhile is heard.
func (c *copying) readPart(ctx context.Context, keys []kv.Key) error {
	if err := c.e.admit(ctx); err != nil {
		return err
	}
	defer c.e.leave()
	short, cancel := c.e.limit(ctx)
	defer cancel()
	commands, of := c.e.copyCommands(keys, c.opt.Kinds)
	answers := c.tracker.client.DoMulti(short, commands...)
	for i, k := range keys {
		r := copyRecord{key: k}
		err := r.decode(c.opt.Kinds[k.Kind], answers[of[i]:of[i+1]])
		if err == nil && len(r.entries) == copyPage && c.opt.Kinds[k.Kind] == kv.SetShape {
			err = c.readRest(ctx, &r)
		}
		if err == nil {
			err = c.spool.put(k, r.sorted())
		}
		if err != nil {
			return fmt.Errorf("read %v: %w", k, classify(ctx, err, reading))
		}
	}
	return nil
}

// copyCommands asks for records; of says where the answers about each begin.
func (e *Engine) copyCommands(keys []kv.Key, kinds map[string]kv.Shape) (commands []rueidis.Completed, of []int) {
	texts, b := e.newTexts(), e.front.B
	for _, k := range keys {
		of = append(of, len(commands))
		key := texts.key(k)
		switch kinds[k.Kind] {
		case kv.ValueShape:
			commands = append(commands, b().Get().Key(key).Build(), b().Pexpiretime().Key(key).Build())
		case kv.CounterShape:
			commands = append(commands, b().Hgetall().Key(key).Build())
		case kv.SetShape:
			commands = append(commands, b().Arbitrary("ZRANGE").Keys(key).Args("0", fmt.Sprint(copyPage-1), "WITHSCORES").Build())
		}
	}
	return commands, append(of, len(commands))
}

// copyRecord is what lies under a key.
type copyRecord struct {
	key     kv.Key
	entries []kv.Entry
}

func (r *copyRecord) decode(shape kv.Shape, answers []rueidis.RedisResult) error {
	switch shape {
	case kv.ValueShape:
		return r.value(answers)
	case kv.CounterShape:
		return r.counters(answers[0])
	}
	var q kv.Range
	if err := decodeRange(&q, answers[0]); err != nil {
		return err
	}
	r.members(q.Members)
	return nil
}

func (r *copyRecord) value(answers []rueidis.RedisResult) error {
	var q kv.Get
	if err := decodeGet(&q, answers[0]); err != nil || q.Version == 0 {
		return err
	}
	end, err := answers[1].AsInt64() // below 0: there is none
	if err != nil {
		return err
	}
	x := kv.Entry{Key: r.key, Shape: kv.ValueShape, Data: q.Data, Version: q.Version}
	if end > 0 {
		x.Until = time.UnixMilli(end)
	}
	r.entries = append(r.entries, x)
	return nil
}

func (r *copyRecord) counters(answer rueidis.RedisResult) error {
	fields, err := answer.AsIntMap()
	if err != nil {
		return err
	}
	for name, n := range fields {
		if n != 0 {
			r.entries = append(r.entries, kv.Entry{Key: r.key, Shape: kv.CounterShape, Name: name, Number: n})
		}
	}
	return nil
}

func (r *copyRecord) members(ms []kv.Member) {
	for _, m := range ms {
		r.entries = append(r.entries, kv.Entry{Key: r.key, Shape: kv.SetShape, Name: m.Member, Number: m.Score})
	}
}

// readRest reads what a set has beyond its first page. If it changes meanwhile, members may
// be missed or come twice: it is read again then.
func (c *copying) readRest(ctx context.Context, r *copyRecord) error {
	text := c.e.newTexts()
	key := text.key(r.key)
	for {
		short, cancel := c.e.limit(ctx)
		from := len(r.entries)
		answer := c.tracker.client.Do(short, c.tracker.client.B().Arbitrary("ZRANGE").Keys(key).
			Args(fmt.Sprint(from), fmt.Sprint(from+copyPages-1), "WITHSCORES").Build())
		cancel()
		var q kv.Range
		if err := decodeRange(&q, answer); err != nil {
			return err
		}
		if r.members(q.Members); len(q.Members) < copyPages {
			return nil
		}
	}
}

// sorted are the entries in the order of a copy. Redis orders members of a score bytewise,
// as the port does; but pages of a set that changed may overlap.
func (r *copyRecord) sorted() []kv.Entry {
	slices.SortFunc(r.entries, func(a, b kv.Entry) int {
		if a.Shape == kv.SetShape {
			return kv.Member{Score: a.Number, Member: a.Name}.Compare(kv.Member{Score: b.Number, Member: b.Name})
		}
		return kv.Member{Member: a.Name}.Compare(kv.Member{Member: b.Name})
	})
	return r.entries
}
