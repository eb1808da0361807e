package kvtest

import (
	"fmt"

	"linnet/internal/kv"
)

func durableTests() []subtest {
	return []subtest{
		{"AllShapes", durableShapes},
		{"AmongWriters", durableAmongWriters},
		{"Refused", func(e *env) {
			e.refused("a durable read without a limit", e.Read(kv.Durable(e.ctx), &kv.Range{Key: key("s", 1, "a")}))
		}},
	}
}

// durableShapes checks that a durable read returns the same as another read, for many shards.
func durableShapes(e *env) {
	var qs, same []kv.Query
	for s := uint16(0); s < 40; s++ {
		e.apply(kv.Put{Key: key("v", s, "a"), Data: fmt.Appendf(nil, "value %d", s), Version: 2},
			kv.Add{Key: key("s", s, "a"), Member: "m", Score: int64(s)})
		e.do(kv.Incr{Key: key("c", s, "a"), Name: "n", By: int64(s)})
		e.warm(key("f", s, "a"), 1, uint64(s)+5)
		for _, to := range []*[]kv.Query{&qs, &same} {
			*to = append(*to, &kv.Get{Key: key("v", s, "a")}, &kv.Get{Key: key("v", s, "none")},
				&kv.Counters{Key: key("c", s, "a"), Names: []string{"n", "none"}}, &kv.Counters{Key: key("c", s, "a")},
				&kv.Range{Key: key("s", s, "a"), Limit: 3}, &kv.Scores{Key: key("s", s, "a"), Members: []string{"x", "m"}},
				&kv.Feed{Key: key("f", s, "a"), Limit: 3}, &kv.Feed{Key: key("f", s, "a"), Below: 900, Limit: 3})
		}
	}
	e.read(same...)
	if err := e.Read(kv.Durable(e.ctx), qs...); err != nil {
		e.Fatal(err)
	}
	if got, want := answers(qs), answers(same); got != want {
		e.Errorf("durable read:\n%s\nelse:\n%s", got, want)
	}
	if err := e.Read(kv.Durable(e.ctx)); err != nil {
		e.Errorf("durable read of nothing: %v", err)
	}
}

// durableAmongWriters checks that data seen by a durable read is seen by later ones, with many
// writers in one shard.
func durableAmongWriters(e *env) {
	k := key("c", 9, "a")
	e.together(8, func(w int) error {
		last := int64(0)
		for range 30 {
			if _, err := e.Txn(kv.Relaxed(e.ctx), nil, kv.Incr{Key: k, Name: "n", By: 1}); err != nil {
				return err
			}
			q := &kv.Counters{Key: k, Names: []string{"n"}}
			if err := e.Read(kv.Durable(e.ctx), q); err != nil {
				return err
			}
			if q.Values[0] <= last {
				return fmt.Errorf("worker %d read %d, although it had read %d before and incremented it", w, q.Values[0], last)
			}
			last = q.Values[0]
		}
		return nil
	})
	e.wantCounter(k, "n", 240)
}
