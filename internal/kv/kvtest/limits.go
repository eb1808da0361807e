package kvtest

import (
	"strings"
	"time"

	"linnet/internal/kv"
)

func limitTests() []subtest {
	return []subtest{
		{"ChangesRefused", changesRefused},
		{"ConditionsRefused", condsRefused},
		{"QueriesRefused", queriesRefused},
		{"CallsRefused", callsRefused},
		{"BusAndMeterRefused", busAndMeterRefused},
		{"RefusalsChangeNothing", refusalsChangeNothing},
		{"JustWithin", justWithin},
	}
}

// badKeys returns keys that are refused everywhere.
func badKeys() []kv.Key {
	return []kv.Key{
		key("", 4, "a"), key("V", 4, "a"), key("a_b", 4, "a"), key("a:b", 4, "a"), key("a{", 4, "a"), key("ü", 4, "a"),
		key(strings.Repeat("k", kv.MaxKind+1), 4, "a"), key("v", kv.Shards, "a"), key("v", 65535, "a"),
		key("v", 4, strings.Repeat("i", kv.MaxKeyID+1)), key("v", 4, "a{b"), key("v", 4, "a}"), key("v", 4, "a\nb"),
		key("v", 4, "\x00"), key("v", 4, "\x7f"),
	}
}

// badChanges returns changes that Txn and Apply refuse.
func badChanges() []kv.Op {
	v, c, s, f := key("v", 4, "b"), key("c", 4, "b"), key("s", 4, "b"), key("f", 4, "a")
	long := strings.Repeat("m", kv.MaxMember+1)
	tooMany := rising(1, kv.FeedMax+1)
	ops := []kv.Op{
		kv.Put{Key: v, Data: make([]byte, kv.MaxValue+1), Version: 1}, kv.Put{Key: v},
		kv.Put{Key: v, Version: 1, TTL: -1}, kv.Put{Key: v, Version: 1, TTL: kv.MaxTTL + 1},
		kv.Incr{Key: c, By: 1}, kv.Incr{Key: c, Name: long[:kv.MaxName+1], By: 1},
		kv.Incr{Key: c, Name: "n", By: kv.MaxScore + 1}, kv.Incr{Key: c, Name: "n", By: -kv.MaxScore - 1},
		kv.Add{Key: s}, kv.Add{Key: s, Member: long}, kv.Add{Key: s, Member: "m", Score: kv.MaxScore + 1},
		kv.Add{Key: s, Member: "m", Score: -kv.MaxScore - 1}, kv.Remove{Key: s}, kv.Remove{Key: s, Member: long},
		kv.Trim{Key: s, Keep: -1}, kv.Trim{Key: s, Keep: 100_001},
		&kv.Push{Key: f}, &kv.Push{Key: f, ID: 1 << 63}, kv.Pull{Key: f}, kv.Pull{Key: f, ID: 1 << 63},
		kv.Merge{Key: f, IDs: []uint64{5, 0}}, kv.Merge{Key: f, IDs: []uint64{1 << 63}}, kv.Merge{Key: f, IDs: tooMany},
		kv.Fill{Key: f, TTL: time.Hour}, kv.Fill{Key: f, Token: "t"}, kv.Fill{Key: f, Token: "t", TTL: -1},
		kv.Fill{Key: f, Token: "t", TTL: kv.MaxTTL + 1}, kv.Fill{Key: f, Token: "t 1", TTL: time.Hour},
		kv.Fill{Key: f, Token: strings.Repeat("t", kv.MaxToken+1), TTL: time.Hour}, kv.Filled{Key: f},
		kv.Filled{Key: f, Token: "t", IDs: []uint64{0}}, kv.Filled{Key: f, Token: "t", IDs: tooMany},
		kv.Filled{Key: f, Token: "t", Floor: 1 << 63},
	}
	for _, k := range badKeys() {
		ops = append(ops, kv.Put{Key: k, Version: 1}, kv.Delete{Key: k}, kv.Incr{Key: k, Name: "n"}, kv.Add{Key: k, Member: "m"},
			kv.Remove{Key: k, Member: "m"}, kv.Trim{Key: k}, &kv.Push{Key: k, ID: 1}, kv.Pull{Key: k, ID: 1}, kv.Merge{Key: k},
			begin(k, "t"), kv.Filled{Key: k, Token: "t"})
	}
	return ops
}

func changesRefused(e *env) {
	good := kv.Put{Key: key("v", 4, "a"), Version: 1}
	for _, c := range badChanges() {
		_, err := e.Txn(e.ctx, nil, good, c)
		e.refused("Txn of "+brief(c), err)
		e.refused("Apply of "+brief(c), e.Apply(e.ctx, good, c))
		e.refused("Apply of a push and "+brief(c), e.Apply(e.ctx, &kv.Push{Key: key("f", 4, "a"), ID: 1}, c))
	}
	e.wantValue(good.Key, "", 0)
}

func condsRefused(e *env) {
	s, c := key("s", 4, "a"), key("c", 4, "a")
	long := strings.Repeat("m", kv.MaxMember+1)
	conds := []kv.Cond{
		kv.HasMember{Key: s}, kv.HasMember{Key: s, Member: long}, kv.NoMember{Key: s}, kv.NoMember{Key: s, Member: long},
		kv.ScoreIs{Key: s}, kv.ScoreIs{Key: s, Member: "m", Score: kv.MaxScore + 1}, kv.AllBelow{Key: s, Score: kv.MaxScore + 1},
		kv.AllBelow{Key: s, Score: -kv.MaxScore - 1}, kv.AllBelow{Key: key("s", 5, "a")}, kv.CounterBelow{Key: c, Limit: 1},
		kv.CounterBelow{Key: c, Name: long, Limit: 1}, kv.Present{Key: key("v", 5, "a")}, kv.Absent(key("v", 5, "a")),
		kv.NoMember{Key: key("s", 5, "a"), Member: "m"}, kv.CounterBelow{Key: key("c", 3, "a"), Name: "n", Limit: 1},
	}
	for _, k := range badKeys() {
		conds = append(conds, kv.Absent(k), kv.NoMember{Key: k, Member: "m"}, kv.CounterBelow{Key: k, Name: "n", Limit: 1})
	}
	good := kv.Put{Key: key("v", 4, "a"), Version: 1}
	for _, cond := range conds {
		_, err := e.Txn(e.ctx, []kv.Cond{kv.Absent(good.Key), cond}, good)
		e.refused("Txn if "+brief(cond), err)
	}
	e.wantValue(good.Key, "", 0)
}

func queriesRefused(e *env) {
	s, f, c := key("s", 4, "a"), key("f", 4, "a"), key("c", 4, "a")
	qs := []kv.Query{
		&kv.Range{Key: s}, &kv.Range{Key: s, Limit: -1}, &kv.Range{Key: s, Limit: kv.MaxRange + 1},
		&kv.Feed{Key: f}, &kv.Feed{Key: f, Limit: -1}, &kv.Feed{Key: f, Limit: kv.MaxRange + 1},
		&kv.Scores{Key: s, Members: make([]string, kv.MaxRange+1)}, &kv.Counters{Key: c, Names: []string{"n", ""}},
		&kv.Counters{Key: c, Names: []string{strings.Repeat("n", kv.MaxName+1)}},
		&kv.AnyMember{}, &kv.AnyMember{Keys: make([]kv.Key, kv.Shards+1)},
	}
	for _, k := range badKeys() {
		qs = append(qs, &kv.Get{Key: k}, &kv.Counters{Key: k, Names: []string{"n"}}, &kv.Range{Key: k, Limit: 1},
			&kv.Scores{Key: k, Members: []string{"m"}}, &kv.Feed{Key: k, Limit: 1}, &kv.AnyMember{Keys: []kv.Key{s, k}})
	}
	for _, q := range qs {
		e.refused("Read of "+brief(q), e.Read(e.ctx, &kv.Get{Key: key("v", 4, "a")}, q))
	}
}

func callsRefused(e *env) {
	v := key("v", 4, "a")
	put := kv.Put{Key: v, Version: 1}
	txn := func(conds []kv.Cond, changes ...kv.Op) error {
		_, err := e.Txn(e.ctx, conds, changes...)
		return err
	}
	repeat := func(n int) []kv.Op {
		ops := make([]kv.Op, n)
		for i := range ops {
			ops[i] = put
		}
		return ops
	}
	qs, conds := make([]kv.Query, kv.MaxQueries+1), make([]kv.Cond, kv.MaxConds+1)
	for i := range qs {
		qs[i] = &kv.Get{Key: v}
	}
	for i := range conds {
		conds[i] = kv.Absent(v)
	}
	e.refused("two shards in a Txn", txn(nil, put, kv.Put{Key: key("v", 5, "a"), Version: 1}))
	e.refused("no changes in a Txn", txn(conds[:1]))
	e.refused("too many changes in a Txn", txn(nil, repeat(kv.MaxChanges+1)...))
	e.refused("too many conditions", txn(conds, put))
	e.refused("too many changes in an Apply", e.Apply(e.ctx, repeat(kv.MaxApply+1)...))
	e.refused("Incr in an Apply", e.Apply(e.ctx, put, kv.Incr{Key: key("c", 4, "a"), Name: "n", By: 1}))
	e.refused("too many queries", e.Read(e.ctx, qs...))
	e.wantValue(v, "", 0)
}

func busAndMeterRefused(e *env) {
	sub := func(topics ...string) error {
		s, err := e.Subscribe(e.ctx, topics...)
		if s != nil {
			s.Close()
		}
		return err
	}
	count := func(key string, ttl time.Duration) error {
		_, err := e.Count(e.ctx, key, 1, ttl)
		return err
	}
	long := strings.Repeat("t", kv.MaxKeyID+1)
	e.refused("empty topic", e.Publish(e.ctx, "", []byte("x")))
	e.refused("long topic", e.Publish(e.ctx, long, nil))
	e.refused("long payload", e.Publish(e.ctx, "t", make([]byte, kv.MaxPayload+1)))
	e.refused("subscription to nothing", sub())
	e.refused("subscription to an empty topic", sub("t", ""))
	e.refused("subscription to a long topic", sub(long))
	e.refused("count without key", count("", time.Hour))
	e.refused("count with a long key", count(long, time.Hour))
	e.refused("count for no time", count("k", 0))
	e.refused("count for a negative time", count("k", -1))
	e.refused("count for too long", count("k", kv.MaxTTL+1))
}

// refusalsChangeNothing puts an invalid change behind a valid one of each kind.
func refusalsChangeNothing(e *env) {
	e.touchable(4)
	before := e.shown(4)
	for _, c := range badChanges() {
		_, err := e.Txn(e.ctx, nil, append(everyChange(4), c)...)
		e.refused("Txn", err)
		var repeatable []kv.Op
		for _, good := range everyChange(4) {
			if _, ok := good.(kv.Incr); !ok {
				repeatable = append(repeatable, good)
			}
		}
		e.refused("Apply", e.Apply(e.ctx, append(repeatable, c)...))
	}
	if after := e.shown(4); after != before {
		e.Errorf("a refused call made changes:\ngot  %s\nwant %s", after, before)
	}
}

// justWithin checks that calls at the limits are accepted and work.
func justWithin(e *env) {
	k := key(strings.Repeat("k", kv.MaxKind), kv.Shards-1, strings.Repeat("i", kv.MaxKeyID))
	at := func(kind string) kv.Key { return kv.Key{Kind: kind, Shard: k.Shard, ID: k.ID} }
	member, name := strings.Repeat("m", kv.MaxMember), strings.Repeat("n", kv.MaxName)
	value := strings.Repeat("v", kv.MaxValue)
	e.do(kv.Put{Key: k, Data: []byte(value), Version: 1, TTL: kv.MaxTTL},
		kv.Incr{Key: at("c"), Name: name, By: kv.MaxScore},
		kv.Add{Key: at("s"), Member: member, Score: kv.MaxScore}, kv.Trim{Key: at("s"), Keep: 100_000},
		kv.Fill{Key: at("f"), Token: strings.Repeat("T", kv.MaxToken), TTL: kv.MaxTTL},
		kv.Filled{Key: at("f"), Token: strings.Repeat("T", kv.MaxToken), IDs: rising(1, kv.FeedMax)},
		kv.Merge{Key: at("f"), IDs: rising(2, kv.FeedMax+1)})
	e.wantValue(k, value, 1)
	e.wantCounter(at("c"), name, kv.MaxScore)
	e.wantRange(kv.Range{Key: at("s"), Limit: kv.MaxRange}, m(kv.MaxScore, member))
	e.wantFeed(at("f"), 100, falling(1101, 101)...)
	members := make([]string, kv.MaxRange)
	for i := range members {
		members[i] = member
	}
	q := &kv.Scores{Key: at("s"), Members: members}
	e.read(q)
	if len(q.Values) != kv.MaxRange || q.Values[kv.MaxRange-1] != kv.MaxScore {
		e.Errorf("scores of %d members: got %d", kv.MaxRange, len(q.Values))
	}
	if err := e.Publish(e.ctx, strings.Repeat("t", kv.MaxKeyID), make([]byte, kv.MaxPayload)); err != nil {
		e.Errorf("the longest message: %v", err)
	}
	if n, err := e.Count(e.ctx, strings.Repeat("k", kv.MaxKeyID), 1, kv.MaxTTL); n != 1 || err != nil {
		e.Errorf("the longest count: %d, %v", n, err)
	}
}
