package kvtest

import (
	"fmt"

	"linnet/internal/kv"
)

func readTests() []subtest {
	return []subtest{
		{"Nothing", func(e *env) { e.read() }},
		{"MixedOverAllShards", mixedRead},
		{"SameKeyTwice", sameKeyTwice},
		{"MostQueries", mostQueries},
		{"AnyMember", anyMember},
	}
}

// mixedRead reads a record of each shape in each shard with one call.
func mixedRead(e *env) {
	for low := 0; low < kv.Shards; low += 256 {
		var changes []kv.Op
		for s := uint16(low); s < uint16(low+256); s++ {
			changes = append(changes,
				kv.Put{Key: key("v", s, "a"), Data: fmt.Appendf(nil, "value %d", s), Version: uint64(s) + 1},
				kv.Add{Key: key("s", s, "a"), Member: "m", Score: int64(s)},
				kv.Fill{Key: key("f", s, "a"), Token: "t", TTL: 3600e9},
				kv.Filled{Key: key("f", s, "a"), Token: "t", IDs: []uint64{uint64(s) + 5}, Floor: uint64(s)})
		}
		e.apply(changes...)
	}
	e.together(8, func(i int) error {
		for s := i * kv.Shards / 8; s < (i+1)*kv.Shards/8; s += 4 {
			if _, err := e.Txn(e.ctx, nil, kv.Incr{Key: key("c", uint16(s), "a"), Name: "n", By: int64(s)}); err != nil {
				return err
			}
		}
		return nil
	})
	var qs []kv.Query
	for i := range kv.Shards {
		s := uint16(i * 389 % kv.Shards) // spreads neighbouring queries
		qs = append(qs, &kv.Get{Key: key("v", s, "a")}, &kv.Counters{Key: key("c", s, "a"), Names: []string{"n"}},
			&kv.Range{Key: key("s", s, "a"), Limit: 3}, &kv.Get{Key: key("v", s, "none")},
			&kv.Scores{Key: key("s", s, "a"), Members: []string{"x", "m"}}, &kv.Feed{Key: key("f", s, "a"), Limit: 3})
	}
	e.read(qs...)
	for i := 0; i < len(qs); i += 6 {
		if got, want := answers(qs[i:i+6]), mixedAnswers(int(kv.KeyOf(qs[i]).Shard)); got != want {
			e.Fatalf("shard %d: got  %s\nwant %s", kv.KeyOf(qs[i]).Shard, got, want)
		}
	}
}

func mixedAnswers(s int) string {
	n := 0
	if s%4 == 0 {
		n = s
	}
	return fmt.Sprintf(`"value %d" version %d; [%d]; [{%d m}]; "" version 0; [false true] [0 %d]; state %d floor %d [%d]; `,
		s, s+1, n, s, s, kv.Warm, s, s+5)
}

// answers returns the results of queries as text.
func answers(qs []kv.Query) string {
	var b []byte
	for _, q := range qs {
		switch q := q.(type) {
		case *kv.Get:
			b = fmt.Appendf(b, "%q version %d; ", q.Data, q.Version)
		case *kv.Counters:
			b = fmt.Appendf(b, "%d; ", q.Values)
		case *kv.Range:
			b = fmt.Appendf(b, "%v; ", q.Members)
		case *kv.Scores:
			b = fmt.Appendf(b, "%v %d; ", q.Found, q.Values)
		case *kv.AnyMember:
			b = fmt.Appendf(b, "%v; ", q.Found)
		case *kv.Feed:
			b = fmt.Appendf(b, "state %d floor %d %d; ", q.State, q.Floor, q.IDs)
		}
	}
	return string(b)
}

// anyMember finds a single member among the sets of all shards, and none after its removal. Values
// and counters next to them do not count.
func anyMember(e *env) {
	all := make([]kv.Key, kv.Shards)
	for i := range all {
		all[i] = key("s", uint16(i), "a")
	}
	e.do(kv.Put{Key: key("v", 7, "a"), Version: 1}, kv.Incr{Key: key("c", 7, "a"), Name: "n", By: 1}, kv.Add{Key: key("s", 7, "b"), Member: "m"})
	found := func(keys ...kv.Key) bool {
		e.Helper()
		first, last, durable := &kv.AnyMember{Keys: keys}, &kv.AnyMember{Keys: keys[len(keys)-1:], Found: true}, &kv.AnyMember{Keys: keys}
		e.read(first, &kv.Get{Key: key("v", 7, "a")}, last)
		if err := e.Read(kv.Durable(e.ctx), durable); err != nil {
			e.Fatal(err)
		}
		if first.Found != durable.Found || last.Found && !first.Found {
			e.Errorf("%d sets: %v, a durable read %v, the last of them %v", len(keys), first.Found, durable.Found, last.Found)
		}
		return first.Found
	}
	if found(all...) {
		e.Error("a member was found in empty sets")
	}
	for _, s := range []uint16{0, 1, 512, kv.Shards - 1} {
		in := kv.Add{Key: all[s], Member: "m", Score: -1}
		e.do(in)
		if !found(all...) || !found(all[s]) || found(all[(s+1)%kv.Shards]) {
			e.Errorf("the only member, of shard %d, is not found, or also where it is not", s)
		}
		e.do(kv.Remove{Key: in.Key, Member: in.Member})
		if found(all...) {
			e.Errorf("the only member, of shard %d, is found although it is gone", s)
		}
	}
}

func sameKeyTwice(e *env) {
	k := key("s", 1, "a")
	e.fill(k, m(1, "a"), m(2, "b"))
	up, down := &kv.Range{Key: k, Limit: 1}, &kv.Range{Key: k, Limit: 1, Desc: true}
	e.read(up, down, &kv.Scores{Key: k, Members: []string{"a"}}, up)
	wantSlice(e, "rising", up.Members, []kv.Member{m(1, "a")})
	wantSlice(e, "falling", down.Members, []kv.Member{m(2, "b")})
}

func mostQueries(e *env) {
	k := key("v", 3, "a")
	e.do(kv.Put{Key: k, Data: []byte("x"), Version: 2})
	qs := make([]kv.Query, kv.MaxQueries)
	for i := range qs {
		qs[i] = &kv.Get{Key: k}
		if i%2 == 1 {
			qs[i] = &kv.Get{Key: key("v", uint16(i%kv.Shards), "none")}
		}
	}
	e.read(qs...)
	for i, q := range qs {
		if q := q.(*kv.Get); q.Version != uint64(2-i%2*2) {
			e.Fatalf("query %d of %v: version %d", i, q.Key, q.Version)
		}
	}
}
