package kvtest

import (
	"math/rand/v2"
	"time"

	"linnet/internal/kv"
)

// generator makes random valid calls. It uses few keys, members and ids, so that calls affect the
// same ones.
type generator struct {
	*rand.Rand
	clock bool // whether the clock can be moved; otherwise nothing expires
}

func genShards() []uint16 { return []uint16{3, 900} }
func genIDs() []string    { return []string{"a", "b"} }

// everything returns queries for all keys that a generator's calls can change.
func everything() []kv.Query {
	var qs []kv.Query
	for _, s := range genShards() {
		for _, id := range genIDs() {
			qs = append(qs, &kv.Get{Key: key("v", s, id)}, &kv.Counters{Key: key("c", s, id), Names: []string{"x", "y"}},
				&kv.Range{Key: key("s", s, id), Limit: kv.MaxRange}, &kv.Feed{Key: key("f", s, id), Limit: kv.MaxRange},
				&kv.Feed{Key: key("f", s, id), Limit: 200, Asc: true})
		}
	}
	return qs
}

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

func (g *generator) key(kind string, shard uint16) kv.Key {
	return key(kind, shard, pick(g, genIDs()...))
}

func (g *generator) member() string { return pick(g, "a", "b", "c", "d", "aa", "\x00", "\xff", "{a}") }

func (g *generator) score() int64 {
	return pick[int64](g, -kv.MaxScore, -2, -1, 0, 0, 1, 1, 2, 10, kv.MaxScore-1, kv.MaxScore)
}

func (g *generator) id() uint64 {
	return pick(g, uint64(1+g.IntN(12)), uint64(1+g.IntN(12)), 1<<62+uint64(g.IntN(3)), uint64(1+g.IntN(3000)))
}

func (g *generator) ids() []uint64 {
	if g.IntN(6) == 0 { // enough ids to cut feeds
		low := uint64(1 + g.IntN(2000))
		return rising(low, low+uint64(g.IntN(kv.FeedMax)))
	}
	ids := make([]uint64, g.IntN(6))
	for i := range ids {
		ids[i] = g.id()
	}
	return ids
}

// ttl returns a lifetime that does not end at a whole second, because time moves by whole seconds.
func (g *generator) ttl() time.Duration {
	if !g.clock {
		return time.Hour
	}
	return time.Duration(g.IntN(5))*time.Second + 500*time.Millisecond
}

func (g *generator) step() step {
	s := step{}
	if g.clock && g.IntN(4) == 0 {
		s.advance = time.Duration(1+g.IntN(4)) * time.Second
	}
	switch g.IntN(4) {
	case 0:
		for range 1 + g.IntN(6) {
			s.queries = append(s.queries, g.query())
		}
	case 1:
		for range 1 + g.IntN(8) {
			s.changes = append(s.changes, g.repeatable(pick(g, genShards()...)))
		}
	default:
		s.txn = true
		shard := pick(g, genShards()...)
		for range g.IntN(3) {
			s.conds = append(s.conds, g.cond(shard))
		}
		for range 1 + g.IntN(6) {
			s.changes = append(s.changes, g.change(shard))
		}
	}
	return s
}

func (g *generator) change(shard uint16) kv.Op {
	if g.IntN(8) == 0 {
		by := pick(g, int64(g.IntN(20)-10), 1<<50, -(1 << 50))
		return kv.Incr{Key: g.key("c", shard), Name: pick(g, "x", "y"), By: by}
	}
	return g.repeatable(shard)
}

func (g *generator) repeatable(shard uint16) kv.Op {
	v, s, f := g.key("v", shard), g.key("s", shard), g.key("f", shard)
	token := pick(g, "t", "u")
	switch g.IntN(16) {
	case 0, 1:
		var ttl time.Duration
		if g.IntN(2) == 0 {
			ttl = g.ttl()
		}
		return kv.Put{Key: v, Data: []byte(pick(g, "", "x", "\x00y")), Version: uint64(1 + g.IntN(3)), TTL: ttl}
	case 2:
		return kv.Delete{Key: g.key(pick(g, "v", "c", "s", "f"), shard)}
	case 3, 4, 5:
		return kv.Add{Key: s, Member: g.member(), Score: g.score()}
	case 6:
		return kv.Remove{Key: s, Member: g.member()}
	case 7:
		return kv.Trim{Key: s, Keep: g.IntN(5)}
	case 8, 9, 10:
		return &kv.Push{Key: f, ID: g.id()}
	case 11:
		return kv.Pull{Key: f, ID: g.id()}
	case 12:
		return kv.Merge{Key: f, IDs: g.ids()}
	case 13:
		return kv.Fill{Key: f, Token: token, TTL: g.ttl()}
	default:
		return kv.Filled{Key: f, Token: token, IDs: g.ids(), Floor: pick(g, 0, 0, g.id())}
	}
}

func (g *generator) cond(shard uint16) kv.Cond {
	v, c, s := g.key("v", shard), g.key("c", shard), g.key("s", shard)
	switch g.IntN(7) {
	case 0:
		return kv.VersionIs{Key: v, Version: uint64(g.IntN(4))}
	case 1:
		return kv.Present{Key: v}
	case 2:
		return kv.HasMember{Key: s, Member: g.member()}
	case 3:
		return kv.NoMember{Key: s, Member: g.member()}
	case 4:
		return kv.ScoreIs{Key: s, Member: g.member(), Score: g.score()}
	case 5:
		return kv.AllBelow{Key: s, Score: g.score()}
	default:
		return kv.CounterBelow{Key: c, Name: pick(g, "x", "y"), Limit: int64(g.IntN(20) - 10)}
	}
}

func (g *generator) query() kv.Query {
	shard := pick(g, genShards()...)
	switch g.IntN(6) {
	case 0:
		return &kv.Get{Key: g.key("v", shard)}
	case 1:
		return &kv.Counters{Key: g.key("c", shard), Names: []string{"y", "none", "x"}}
	case 2:
		return &kv.Scores{Key: g.key("s", shard), Members: []string{g.member(), g.member()}}
	case 3:
		return &kv.Feed{Key: g.key("f", shard), Above: pick(g, 0, g.id()), Below: pick(g, 0, g.id()),
			Asc: g.IntN(2) == 0, Limit: 1 + g.IntN(20)}
	case 4:
		return &kv.AnyMember{Keys: []kv.Key{g.key("s", shard), g.key("s", pick(g, genShards()...))}}
	}
	q := &kv.Range{Key: g.key("s", shard), Desc: g.IntN(2) == 0, Limit: 1 + g.IntN(4)}
	if g.IntN(2) == 0 {
		q.Above = &kv.Member{Score: g.score(), Member: pick(g, "", g.member())}
	}
	if g.IntN(2) == 0 {
		q.Below = &kv.Member{Score: g.score(), Member: pick(g, "", g.member())}
	}
	return q
}
