package kvtest

import (
	"fmt"
	"time"

	"linnet/internal/kv"
)

func keysTests() []subtest {
	return []subtest{
		{"Empty", func(e *env) {
			if got := e.walkKeys(nil); len(got) > 0 {
				e.Errorf("an empty store has keys: %v", got)
			}
		}},
		{"EachShapeButFeeds", keysOfShapes},
		{"CompleteWhileWriting", keysWhileWriting},
	}
}

// walkKeys walks over all keys and calls between before each call of Keys except the first.
func (e *env) walkKeys(between func(n int)) map[kv.Key]bool {
	e.Helper()
	seen := map[kv.Key]bool{}
	cursor := ""
	for n := 0; ; n++ {
		if n > 100_000 {
			e.Fatal("the walk does not end")
		}
		if between != nil && n > 0 {
			between(n)
		}
		keys, next, err := e.Keys(e.ctx, cursor)
		if err != nil {
			e.Fatalf("Keys: %v", err)
		}
		for _, k := range keys {
			seen[k] = true
		}
		if cursor = next; cursor == "" {
			return seen
		}
	}
}

func keysOfShapes(e *env) {
	v, lasting := key("v", 3, ""), key("v", 1023, "ü:b")
	c, s, f, filling := key("c", 3, "a"), key("s.b-0", 3, "a"), key("f", 3, "a"), key("f", 3, "filling")
	gone, emptied := key("v", 3, "gone"), key("s", 3, "emptied")
	e.do(kv.Put{Key: v, Version: 1}, kv.Incr{Key: c, Name: "x", By: 1}, kv.Incr{Key: c, Name: "y", By: 1},
		kv.Add{Key: s, Member: "a"}, kv.Add{Key: s, Member: "b"}, kv.Put{Key: gone, Version: 1},
		kv.Add{Key: emptied, Member: "a"})
	e.apply(kv.Put{Key: lasting, Version: 1, TTL: time.Hour}, kv.Delete{Key: gone})
	e.warm(f, 0, 1)
	e.apply(begin(filling, "t"), &kv.Push{Key: filling, ID: 1})
	e.count("meter", 1, time.Hour)
	seen := e.walkKeys(nil)
	for _, k := range []kv.Key{v, lasting, c, s} {
		if !seen[k] {
			e.Errorf("the walk has not returned %v", k)
		}
		delete(seen, k)
	}
	delete(seen, emptied) // engines can report empty sets
	if len(seen) > 0 {
		e.Errorf("the walk returned what is no value, counter or set: %v", seen)
	}
}

func keysWhileWriting(e *env) {
	const steady = 1500
	want := map[kv.Key]bool{}
	var changes []kv.Op
	for i := range steady {
		k := key("v", uint16(i%kv.Shards), fmt.Sprint("steady", i))
		var op kv.Op = kv.Put{Key: k, Data: []byte("x"), Version: 1}
		if i%3 == 0 {
			k = key("s", uint16(i%kv.Shards), fmt.Sprint("steady", i))
			op = kv.Add{Key: k, Member: "a"}
		}
		want[k] = true
		changes = append(changes, op)
	}
	e.apply(changes...)
	for i := range 30 {
		k := key("c", uint16(i*7), "steady")
		want[k] = true
		e.do(kv.Incr{Key: k, Name: "n", By: 1})
	}
	seen := e.walkKeys(func(n int) {
		if n > 60 {
			return // an engine with small pages has done enough
		}
		var ops []kv.Op
		for i := range 20 {
			shard := uint16((n*131 + i*57) % kv.Shards)
			ops = append(ops, kv.Put{Key: key("v", shard, fmt.Sprint("new", n, i)), Version: 1},
				kv.Delete{Key: key("v", uint16(((n-1)*131+i*57)%kv.Shards), fmt.Sprint("new", n-1, i))},
				kv.Add{Key: key("s", shard, fmt.Sprint("other", i)), Member: fmt.Sprint(n)})
		}
		e.apply(ops...)
	})
	for k := range want {
		if !seen[k] {
			e.Fatalf("%v was there all the time and the walk has not returned it", k)
		}
	}
}
