package kvtest

import (
	"fmt"

	"linnet/internal/kv"
)

func applyTests() []subtest {
	return []subtest{
		{"Nothing", func(e *env) { e.apply() }},
		{"OrderWithinAShard", orderWithinShard},
		{"Largest", largestApply},
		{"Repeated", applyRepeated},
		{"ManyFeeds", fanOut},
	}
}

func orderWithinShard(e *env) {
	const keys, puts = 40, 100
	var changes []kv.Op
	for n := range puts {
		for i := range keys {
			k := key("v", uint16(i*37%kv.Shards), fmt.Sprint(i))
			changes = append(changes, kv.Put{Key: k, Data: fmt.Append(nil, n), Version: uint64(n + 1)})
		}
	}
	e.apply(changes...)
	for i := range keys {
		e.wantValue(key("v", uint16(i*37%kv.Shards), fmt.Sprint(i)), fmt.Sprint(puts-1), puts)
	}
}

func largestApply(e *env) {
	changes := make([]kv.Op, kv.MaxApply)
	for i := range changes {
		changes[i] = kv.Add{Key: key("s", uint16(i%kv.Shards), "a"), Member: fmt.Sprintf("%05d", i), Score: int64(i)}
	}
	e.apply(changes...)
	qs := make([]kv.Query, kv.Shards)
	for s := range qs {
		qs[s] = &kv.Range{Key: key("s", uint16(s), "a"), Limit: 10}
	}
	e.read(qs...)
	for s, q := range qs {
		var want []kv.Member
		for i := s; i < kv.MaxApply; i += kv.Shards {
			want = append(want, m(int64(i), fmt.Sprintf("%05d", i)))
		}
		wantSlice(e, fmt.Sprint("shard ", s), q.(*kv.Range).Members, want)
	}
}

// applyRepeated checks that a repeated call changes nothing.
func applyRepeated(e *env) {
	e.touchable(4)
	var changes []kv.Op
	for _, c := range everyChange(4) {
		if _, ok := c.(kv.Incr); !ok {
			changes = append(changes, c)
		}
	}
	e.apply(changes...)
	once := e.shown(4)
	e.apply(changes...)
	if twice := e.shown(4); twice != once {
		e.Errorf("after one call  %s\nafter two calls %s", once, twice)
	}
}

// fanOut pushes an id to many feeds, of which every second one is warm.
func fanOut(e *env) {
	const feeds = 2000
	at := func(i int) kv.Key { return key("home", uint16(i%kv.Shards), fmt.Sprint(i)) }
	var fills, pushes []kv.Op
	for i := range feeds {
		if i%2 == 0 {
			fills = append(fills, begin(at(i), "t"), kv.Filled{Key: at(i), Token: "t", IDs: []uint64{1}})
		}
		pushes = append(pushes, &kv.Push{Key: at(i), ID: 2})
	}
	e.apply(fills...)
	e.apply(pushes...)
	qs := make([]kv.Query, feeds)
	for i := range qs {
		qs[i] = &kv.Feed{Key: at(i), Limit: 5}
	}
	e.read(qs...)
	for i, q := range qs {
		got, want := answers([]kv.Query{q}), "state 2 floor 0 [2 1]; "
		if i%2 == 1 {
			want = "state 0 floor 0 []; "
		}
		if got != want {
			e.Fatalf("feed %d: got %s, want %s", i, got, want)
		}
	}
}
