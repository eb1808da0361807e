package rediskv

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/redis/rueidis"
)

// ErrTorn tells that some shards of a Cluster bear the mark of a store and others do not: their
// masters were emptied, or exchanged, while those of the others were not.
type ErrTorn struct {
	Of    int // shards
	Lack  int // bear no mark
	Other int // bear another than most
}

func (e *ErrTorn) Error() string {
	text := fmt.Sprintf("parts of the Cluster do not hold the store: of its %d shards %d lack the mark that the others bear", e.Of, e.Lack)
	if e.Other > 0 {
		text += fmt.Sprintf(", and %d bear another", e.Other)
	}
	return text + "; what lay there is gone"
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
	own := e.ownMark
	if e.cluster {
		own = e.clusterMark
	}
	err := own(ctx, g)
	if err == nil {
		err = e.confirm(ctx, g)
	}
	if torn := (*ErrTorn)(nil); errors.As(err, &torn) {
		return err
	}
	if err != nil {
		return fmt.Errorf("mark the store: %w", classify(ctx, err, reading))
	}
	return nil
}

// ownMark finds the mark, or makes one. It is looked for first: a Redis that is full refuses to
// set it, though it is there.
func (e *Engine) ownMark(ctx context.Context, g *guard) (err error) {
	b := e.front.B
	if g.id, err = e.front.Do(ctx, b().Get().Key(g.keys[0]).Build()).ToString(); err == nil || !rueidis.IsRedisNil(err) {
		return err
	}
	g.id, err = e.setOrGet(ctx, g, g.keys[0])
	return err
}

// setOrGet draws what stands under a key, if nothing does, and returns what does.
func (e *Engine) setOrGet(ctx context.Context, g *guard, key string) (string, error) {
	b := e.front.B
	answers := e.front.DoMulti(ctx, b().Set().Key(key).Value(rand.Text()).Nx().Build(), b().Get().Key(key).Build())
	switch err := answers[0].Error(); {
	case err == nil:
		g.isNew = true
	case !rueidis.IsRedisNil(err):
		return "", err
	}
	return answers[1].ToString()
}

// clusterMark finds the mark of each shard, or makes them. They are made under a claim, which
// stands beside that of shard 0, and that one is made last: so marks without it, or it without
// some of the others, are either being made or of a store of which a part is lost.
func (e *Engine) clusterMark(ctx context.Context, g *guard) error {
	for again := true; ; again = false {
		marks, err := e.marks(ctx, g)
		if err != nil {
			return err
		}
		id, torn := agreed(marks)
		g.id = id
		switch {
		case torn == nil && marks[0] != "":
			return e.setMarks(ctx, g, marks) // none, or those of a store that came from a single Redis
		case torn == nil: // a new one
			if g.id, err = e.setOrGet(ctx, g, g.claim); err != nil {
				return err
			}
			return e.setMarks(ctx, g, marks)
		case marks[0] == "" && torn.Other == 0:
			claimed, err := e.front.Do(ctx, e.front.B().Get().Key(g.claim).Build()).ToString()
			if err == nil && claimed == id {
				return e.setMarks(ctx, g, marks)
			}
			if err != nil && !rueidis.IsRedisNil(err) {
				return err
			}
		case again: // another may have been making them between the first answer and the last
			continue
		}
		if !e.opts.AsFound {
			return torn
		}
		e.log.Warn("the store is taken as it is: what parts of the Cluster held is gone", "shards", torn.Lack+torn.Other)
		return e.setMarks(ctx, g, marks)
	}
}

// marks reads the marks of all shards; "" is none.
func (e *Engine) marks(ctx context.Context, g *guard) ([]string, error) {
	gets := make([]rueidis.Completed, len(g.keys))
	for i, key := range g.keys {
		gets[i] = e.front.B().Get().Key(key).Build()
	}
	marks := make([]string, len(gets))
	for i, answer := range e.front.DoMulti(ctx, gets...) {
		var err error
		if marks[i], err = answer.ToString(); err != nil && !rueidis.IsRedisNil(err) {
			return nil, err
		}
	}
	return marks, nil
}

// agreed is the mark that most shards bear, "" if none bears one, and how far they do not agree:
// nil if all do, or if shard 0 alone has one, as in a single Redis.
func agreed(marks []string) (id string, torn *ErrTorn) {
	number := map[string]int{}
	for _, m := range marks {
		number[m]++
	}
	lack := number[""]
	delete(number, "")
	for m, n := range number {
		if n > number[id] || n == number[id] && cmp.Less(id, m) {
			id = m
		}
	}
	if lack == len(marks) || number[id] == len(marks) || lack == len(marks)-1 && marks[0] != "" {
		return id, nil
	}
	return id, &ErrTorn{Of: len(marks), Lack: lack, Other: len(marks) - lack - number[id]}
}

// setMarks gives the shards the mark that do not have it, shard 0 last. What another server
// sets meanwhile is the same.
func (e *Engine) setMarks(ctx context.Context, g *guard, marks []string) error {
	var sets []rueidis.Completed
	for i, m := range marks {
		if i > 0 && m != g.id {
			sets = append(sets, e.front.B().Set().Key(g.keys[i]).Value(g.id).Build())
		}
	}
	if len(sets) > 0 {
		g.isNew = true
		if err := failure(e.front.DoMulti(ctx, sets...)); err != nil {
			return err
		}
	}
	if marks[0] == g.id {
		return nil
	}
	g.isNew = true
	return e.front.Do(ctx, e.front.B().Set().Key(g.keys[0]).Value(g.id).Build()).Error()
}
