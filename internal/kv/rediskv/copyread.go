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
	// copyPipeline is the number of records in one pipeline, and copyPage the number of members
	// read of each set. The rest of larger sets is read separately, copyPages at a time.
	copyPipeline = 100
	copyPage     = 1000
	copyPages    = 10_000
)

// Records implements kv.Copier.
func (e *Engine) Records(ctx context.Context, kinds map[string]kv.Shape, keys []kv.Key, each func(*kv.Entry) error) error {
	var err error
	for part := range slices.Chunk(keys, copyPipeline) {
		part = slices.DeleteFunc(slices.Clone(part), func(k kv.Key) bool { _, wanted := kinds[k.Kind]; return !wanted })
		now := time.Now()
		err = e.readRecords(ctx, e.front, kinds, part, func(_ kv.Key, entries []kv.Entry) error {
			for i := range entries {
				if x := &entries[i]; x.Until.IsZero() || x.Until.After(now) {
					if err := each(x); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readPart reads some records into the temporary file, each in a consistent state. The tracker
// reports changes in the meantime.
func (c *copying) readPart(ctx context.Context, keys []kv.Key) error {
	return c.e.readRecords(ctx, c.tracker.client, c.opt.Kinds, keys, c.temp.put)
}

// readRecords reads some records over a connection, each in a consistent state.
func (e *Engine) readRecords(ctx context.Context, client rueidis.Client, kinds map[string]kv.Shape, keys []kv.Key, put func(kv.Key, []kv.Entry) error) error {
	if err := e.admit(ctx); err != nil {
		return err
	}
	defer e.leave()
	short, cancel := e.limit(ctx)
	defer cancel()
	texts, b := e.newTexts(), e.front.B
	var commands []rueidis.Completed
	var of []int // the index of the first answer about each key
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
	of = append(of, len(commands))
	answers := client.DoMulti(short, commands...)
	for i, k := range keys {
		r := copyRecord{key: k}
		err := r.decode(kinds[k.Kind], answers[of[i]:of[i+1]])
		if err == nil && len(r.entries) == copyPage && kinds[k.Kind] == kv.SetShape {
			err = e.readRest(ctx, client, &r)
		}
		if err != nil {
			return fmt.Errorf("read %v: %w", k, classify(ctx, err, reading))
		}
		if err := put(k, r.sorted()); err != nil {
			return err
		}
	}
	return nil
}

// copyRecord is the record of a key.
type copyRecord struct {
	key     kv.Key
	entries []kv.Entry
}

func (r *copyRecord) decode(shape kv.Shape, answers []rueidis.RedisResult) error {
	switch shape {
	case kv.ValueShape:
		var q kv.Get
		if err := decodeGet(&q, answers[0]); err != nil || q.Version == 0 {
			return err
		}
		end, err := answers[1].AsInt64() // below 0: it does not expire
		if err != nil {
			return err
		}
		x := kv.Entry{Key: r.key, Shape: kv.ValueShape, Data: q.Data, Version: q.Version}
		if end > 0 {
			x.Until = time.UnixMilli(end)
		}
		r.entries = append(r.entries, x)
		return nil
	case kv.CounterShape:
		fields, err := answers[0].AsIntMap()
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
	var q kv.Range
	if err := decodeRange(&q, answers[0]); err != nil {
		return err
	}
	r.members(q.Members)
	return nil
}

func (r *copyRecord) members(ms []kv.Member) {
	for _, m := range ms {
		r.entries = append(r.entries, kv.Entry{Key: r.key, Shape: kv.SetShape, Name: m.Member, Number: m.Score})
	}
}

// readRest reads the members of a set beyond its first page. If the set changes meanwhile, members
// may be missed or repeated, but then it is read again.
func (e *Engine) readRest(ctx context.Context, client rueidis.Client, r *copyRecord) error {
	text := e.newTexts()
	key := text.key(r.key)
	for {
		short, cancel := e.limit(ctx)
		from := len(r.entries)
		answer := client.Do(short, client.B().Arbitrary("ZRANGE").Keys(key).
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

// sorted returns the entries in the order of a copy. Redis orders members with equal scores
// bytewise, like the port, but pages of a changed set may overlap.
func (r *copyRecord) sorted() []kv.Entry {
	slices.SortFunc(r.entries, func(a, b kv.Entry) int {
		if a.Shape == kv.SetShape {
			return kv.Member{Score: a.Number, Member: a.Name}.Compare(kv.Member{Score: b.Number, Member: b.Name})
		}
		return kv.Member{Member: a.Name}.Compare(kv.Member{Member: b.Name})
	})
	return r.entries
}
