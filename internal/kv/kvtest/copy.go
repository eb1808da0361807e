package kvtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

func copyTests() []subtest {
	return []subtest{
		{"Shapes", copyOfShapes},
		{"Order", copyInOrder},
		{"LargeSet", copyOfLargeSet},
		{"OfOneMoment", copyOfOneMoment},
		{"DigestOfTheModel", digestOfTheModel},
		{"Records", recordsOfKeys},
		{"Cancelled", copyCancelled},
	}
}

// kindsOfSuite returns the kinds of keys of the generator and of these tests.
func kindsOfSuite() map[string]kv.Shape {
	return map[string]kv.Shape{"v": kv.ValueShape, "c": kv.CounterShape, "s": kv.SetShape}
}

// copied returns the entries of a copy in all shards.
func (e *env) copied() (all []kv.Entry) {
	e.Helper()
	c, err := e.Copy(e.ctx, kv.CopyOptions{Kinds: kindsOfSuite(), Dir: e.TempDir()})
	if err != nil {
		e.Fatalf("Copy: %v", err)
	}
	defer c.Close()
	return e.entriesOf(c)
}

func (e *env) entriesOf(c kv.Copy) (all []kv.Entry) {
	e.Helper()
	for shard := range uint16(kv.Shards) {
		err := c.Shard(e.ctx, shard, func(x *kv.Entry) error {
			if x.Key.Shard != shard {
				e.Errorf("shard %d has %v", shard, x.Key)
			}
			y := *x
			y.Data = slices.Clone(x.Data)
			all = append(all, y)
			return nil
		})
		if err != nil {
			e.Fatalf("Shard %d of a copy: %v", shard, err)
		}
	}
	return all
}

func copyOfShapes(e *env) {
	v, lasting, short := key("v", 3, ""), key("v", 1023, "ü:b"), key("v", 4, "short")
	c, s := key("c", 3, "a"), key("s", 3, "a")
	e.do(kv.Put{Key: v, Data: []byte("x y"), Version: 7}, kv.Incr{Key: c, Name: "y", By: 2}, kv.Incr{Key: c, Name: "x", By: -1},
		kv.Incr{Key: c, Name: "zero", By: 1}, kv.Add{Key: s, Member: "b", Score: -3}, kv.Add{Key: s, Member: "a", Score: 5},
		kv.Put{Key: key("other", 3, "a"), Version: 1})
	e.do(kv.Incr{Key: c, Name: "zero", By: -1})
	e.apply(kv.Put{Key: lasting, Data: []byte{}, Version: 1, TTL: time.Hour}, kv.Put{Key: short, Version: 1, TTL: e.tick()})
	e.warm(key("f", 3, "a"), 0, 1)
	e.past(e.tick())
	now, err := e.Now(e.ctx)
	if err != nil {
		e.Fatal(err)
	}
	got := e.copied()
	if n := len(got) - 1; n >= 0 && got[n].Key == lasting {
		if left := got[n].Until.Sub(now); left < 55*time.Minute || left > time.Hour+time.Second {
			e.Errorf("a value that ends in an hour ends in %v", left)
		}
		got[n].Until = time.Time{}
	}
	want := []kv.Entry{
		{Key: c, Shape: kv.CounterShape, Name: "x", Number: -1}, {Key: c, Shape: kv.CounterShape, Name: "y", Number: 2},
		{Key: s, Shape: kv.SetShape, Name: "b", Number: -3}, {Key: s, Shape: kv.SetShape, Name: "a", Number: 5},
		{Key: v, Shape: kv.ValueShape, Data: []byte("x y"), Version: 7},
		{Key: lasting, Shape: kv.ValueShape, Version: 1},
	}
	if text, wanted := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); text != wanted {
		e.Errorf("the copy has\n%s\nwant\n%s", text, wanted)
	}
}

func copyInOrder(e *env) {
	var ops []kv.Op
	for i := range 300 {
		shard := uint16(5 + i%2)
		ops = append(ops, kv.Put{Key: key("v", shard, fmt.Sprint(i)), Version: 1}, kv.Add{Key: key("s", shard, fmt.Sprint(i%7)), Member: fmt.Sprint(i), Score: int64(i % 5)})
	}
	e.apply(ops...)
	got := e.copied()
	if len(got) != 600 {
		e.Errorf("%d entries, want 600", len(got))
	}
	place := func(x kv.Entry) string {
		return fmt.Sprintf("%d %s\x00%s\x00%020d %s", x.Key.Shard, x.Key.Kind, x.Key.ID, x.Number, x.Name)
	}
	if !slices.IsSortedFunc(got, func(a, b kv.Entry) int {
		if place(a) < place(b) {
			return -1
		}
		return 1
	}) {
		e.Error("the copied entries are not sorted")
	}
}

func copyOfLargeSet(e *env) {
	const members = 25_000
	var ops []kv.Op
	for i := range members {
		if ops = append(ops, kv.Add{Key: key("s", 9, "large"), Member: fmt.Sprint("member", i), Score: int64(i % 100)}); len(ops) == kv.MaxApply {
			e.apply(ops...)
			ops = nil
		}
	}
	e.apply(ops...)
	if got := len(e.copied()); got != members {
		e.Errorf("%d members, want %d", got, members)
	}
}

// recordsOfKeys checks that the records of keys equal the entries of a copy.
func recordsOfKeys(e *env) {
	v, longer, c, s, large := key("v", 3, "a"), key("v", 3, "a b"), key("c", 9, "n"), key("s", 3, "a"), key("s", 1023, "large")
	e.do(kv.Put{Key: v, Data: []byte("x"), Version: 7}, kv.Put{Key: longer, Version: 2}, kv.Add{Key: s, Member: "b", Score: -3}, kv.Add{Key: s, Member: "a", Score: 5})
	e.do(kv.Incr{Key: c, Name: "y", By: 2}, kv.Incr{Key: c, Name: "x", By: -1})
	e.apply(kv.Put{Key: key("v", 4, "short"), Version: 1, TTL: e.tick()}, kv.Put{Key: key("other", 3, "a"), Version: 1})
	var adds []kv.Op
	for i := range 2500 {
		adds = append(adds, kv.Add{Key: large, Member: fmt.Sprint(i), Score: int64(i % 3)})
	}
	e.apply(adds...)
	e.past(e.tick())
	read := func(keys ...kv.Key) (all []kv.Entry) {
		e.Helper()
		err := e.Engine.Records(e.ctx, kindsOfSuite(), keys, func(x *kv.Entry) error {
			y := *x
			y.Data = slices.Clone(x.Data)
			all = append(all, y)
			return nil
		})
		if err != nil {
			e.Fatal(err)
		}
		return all
	}
	got := read(s, key("v", 4, "short"), key("v", 3, ""), c, key("other", 3, "a"), v)
	want := []kv.Entry{{Key: s, Shape: kv.SetShape, Name: "b", Number: -3}, {Key: s, Shape: kv.SetShape, Name: "a", Number: 5},
		{Key: c, Shape: kv.CounterShape, Name: "x", Number: -1}, {Key: c, Shape: kv.CounterShape, Name: "y", Number: 2},
		{Key: v, Shape: kv.ValueShape, Data: []byte("x"), Version: 7}}
	if text, wanted := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); text != wanted {
		e.Errorf("the records are\n%s\nwant\n%s", text, wanted)
	}
	var of kv.Digest
	for _, x := range read(large) {
		of.Add(&x)
	}
	var wanted kv.Digest
	for _, x := range e.copied() {
		if x.Key == large {
			wanted.Add(&x)
		}
	}
	if !of.Equal(&wanted) {
		e.Error("reads of a large set differ from the copy")
	}
	wrong := fmt.Errorf("enough")
	if err := e.Engine.Records(e.ctx, kindsOfSuite(), []kv.Key{v}, func(*kv.Entry) error { return wrong }); !errors.Is(err, wrong) {
		e.Errorf("the error of who reads comes back as %v", err)
	}
}

// copyOfOneMoment checks the consistency of a copy with writers that increase a counter in one
// shard and, after the acknowledgement, in another.
func copyOfOneMoment(e *env) {
	const writers = 4
	ctx, stop := context.WithCancel(e.ctx)
	defer stop()
	var done [writers]atomic.Int64
	var errs [writers]error
	ended := make(chan int, writers)
	for w := range writers {
		go func() {
			defer func() { ended <- w }()
			first, second := key("c", uint16(w), "n"), key("c", uint16(900+w), "n")
			for ctx.Err() == nil && errs[w] == nil {
				for _, k := range []kv.Key{first, second} {
					if _, err := e.Engine.Txn(e.ctx, nil, kv.Incr{Key: k, Name: "n", By: 1}); err != nil {
						errs[w] = err
						return
					}
				}
				done[w].Add(1)
			}
		}()
	}
	for done[0].Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		var before [writers]int64
		for w := range before {
			before[w] = done[w].Load()
		}
		counts := map[kv.Key]int64{}
		for _, x := range e.copied() {
			counts[x.Key] = x.Number
		}
		for w := range writers {
			first, second := counts[key("c", uint16(w), "n")], counts[key("c", uint16(900+w), "n")]
			if first < second || first > second+1 || second < before[w] {
				e.Errorf("writer %d had done %d; the copy has %d in the first shard and %d in the second", w, before[w], first, second)
			}
		}
	}
	stop()
	for range writers {
		if w := <-ended; errs[w] != nil {
			e.Errorf("a writer failed while copies were made: %v", errs[w])
		}
	}
}

// digestOfTheModel checks that the copies of the engine and the model have the same digest after
// random calls.
func digestOfTheModel(e *env) {
	clock := NewClock()
	model := memkv.New(memkv.Options{Now: clock.Now})
	defer model.Close()
	g := &generator{Rand: rand.New(rand.NewPCG(11, 0))} // nothing expires
	for range 6 {
		for range stepsPerRound {
			s := g.step()
			s.run(e.ctx, model)
			s.run(e.ctx, e.Engine)
		}
		want, wantN := digestOf(e, model)
		got, n := digestOf(e, e.Engine)
		if !got.Equal(want) {
			e.Fatalf("the digest of %d entries is %v, want %v of %d", n, got, want, wantN)
		}
	}
}

func digestOf(e *env, from kv.Engine) (*kv.Digest, int) {
	other := *e
	other.Engine = from
	all, d := other.copied(), &kv.Digest{}
	for i := range all {
		all[i].Until = time.Time{} // expiring entries are compared too
		d.Add(&all[i])
	}
	return d, len(all)
}

func copyCancelled(e *env) {
	e.do(kv.Put{Key: key("v", 3, "a"), Version: 1})
	ctx, cancel := context.WithCancel(e.ctx)
	cancel()
	if c, err := e.Copy(ctx, kv.CopyOptions{Kinds: kindsOfSuite(), Dir: e.TempDir()}); err == nil {
		c.Close()
		e.Error("Copy succeeded although its context was cancelled")
	}
	c, err := e.Copy(e.ctx, kv.CopyOptions{Kinds: kindsOfSuite(), Dir: e.TempDir()})
	if err != nil {
		e.Fatal(err)
	}
	wrong := fmt.Errorf("enough")
	if err := c.Shard(e.ctx, 3, func(*kv.Entry) error { return wrong }); err != wrong {
		e.Errorf("the error of who reads a copy comes back as %v", err)
	}
	if err := c.Close(); err != nil {
		e.Errorf("Close of a copy: %v", err)
	}
}
