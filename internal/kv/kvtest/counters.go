package kvtest

import (
	"strings"

	"linnet/internal/kv"
)

func counterTests() []subtest {
	return []subtest{
		{"AbsentIsZero", counterAbsent},
		{"Incr", incr},
		{"ManyNames", manyNames},
		{"LargeSumsAreExact", largeSums},
		{"Delete", deleteCounters},
		{"ConcurrentSum", concurrentSum},
	}
}

func counterAbsent(e *env) {
	q := &kv.Counters{Key: key("c", 5, "a"), Names: []string{"x", "y"}, Values: []int64{7, 7, 7}}
	none := &kv.Counters{Key: key("c", 5, "a"), Values: []int64{7}}
	e.read(q, none)
	wantSlice(e, "counters of an absent key", q.Values, []int64{0, 0})
	wantSlice(e, "no names", none.Values, nil)
}

func incr(e *env) {
	k := key("c", 5, "a")
	e.do(kv.Incr{Key: k, Name: "x", By: 3})
	e.wantCounter(k, "x", 3)
	e.do(kv.Incr{Key: k, Name: "x", By: -5}, kv.Incr{Key: k, Name: "x", By: 1}, kv.Incr{Key: k, Name: "y", By: 0})
	e.wantCounter(k, "x", -1)
	e.wantCounter(k, "y", 0)
	e.wantCounter(key("c", 6, "a"), "x", 0)
	e.wantCounter(key("c", 5, "b"), "x", 0)
}

func manyNames(e *env) {
	k := key("c", 5, "a")
	names := []string{"x", "xx", "X", "a:b", "1", "\x00", "\xff", " ", strings.Repeat("n", kv.MaxName)}
	var changes []kv.Op
	for i, n := range names {
		changes = append(changes, kv.Incr{Key: k, Name: n, By: int64(i + 1)})
	}
	e.do(changes...)
	q := &kv.Counters{Key: k, Names: append([]string{"absent", "xx"}, names...)}
	e.read(q)
	wantSlice(e, "counters", q.Values, []int64{0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9})
}

func largeSums(e *env) {
	k := key("c", 5, "a")
	e.do(kv.Incr{Key: k, Name: "up", By: kv.MaxScore}, kv.Incr{Key: k, Name: "down", By: -kv.MaxScore})
	e.do(kv.Incr{Key: k, Name: "up", By: -1}, kv.Incr{Key: k, Name: "down", By: 1})
	e.wantCounter(k, "up", kv.MaxScore-1)
	e.wantCounter(k, "down", -kv.MaxScore+1)
}

func deleteCounters(e *env) {
	k, other := key("c", 5, "a"), key("c", 5, "ab")
	e.do(kv.Incr{Key: k, Name: "x", By: 3}, kv.Incr{Key: k, Name: "y", By: 3}, kv.Incr{Key: other, Name: "x", By: 4})
	e.do(kv.Delete{Key: k})
	e.wantCounter(k, "x", 0)
	e.wantCounter(k, "y", 0)
	e.wantCounter(other, "x", 4)
	e.do(kv.Incr{Key: k, Name: "x", By: 1})
	e.wantCounter(k, "x", 1)
}

func concurrentSum(e *env) {
	const workers, each = 8, 50
	k := key("c", 5, "a")
	e.together(workers, func(i int) error {
		for range each {
			if _, err := e.Txn(e.ctx, nil, kv.Incr{Key: k, Name: "x", By: int64(i)}); err != nil {
				return err
			}
		}
		return nil
	})
	e.wantCounter(k, "x", each*workers*(workers-1)/2)
}
