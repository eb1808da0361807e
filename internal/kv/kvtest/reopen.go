package kvtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
)

// Start prepares a new, empty location and returns a function that opens an engine over it. The
// suite closes each engine before it opens the next one, and leaves the last one to t.Cleanup in
// Start.
type Start func(t *testing.T) (open func() kv.Engine)

// RunReopen checks that a reopened engine contains all acknowledged writes after Close. Each engine
// tests the survival of crashes itself, because it knows how to cause them.
func RunReopen(t *testing.T, start Start, caps Caps) {
	caps = caps.withDefaults()
	for _, s := range []struct {
		name string
		run  func(r *reopener)
	}{
		{"EachShape", reopenShapes},
		{"RemovalsStay", reopenRemovals},
		{"LifetimesGoOn", reopenLifetimes},
		{"FeedsAndMeters", reopenFeeds},
		{"Again", reopenAgain},
		{"CloseUnderWriters", closeUnderWriters},
	} {
		t.Run(s.name, func(t *testing.T) {
			open := start(t)
			once := func(*testing.T) kv.Engine { return open() }
			s.run(&reopener{env: newEnv(t, once, caps), open: open})
		})
	}
}

// reopener is an env whose engine is replaced when it is reopened.
type reopener struct {
	*env
	open func() kv.Engine
}

func (r *reopener) reopen() {
	r.Helper()
	if err := r.Close(); err != nil {
		r.Fatalf("Close: %v", err)
	}
	r.Engine = r.open()
}

func reopenShapes(r *reopener) {
	const n = 300
	members := equalScores(2501, 5)
	big := make([]byte, kv.MaxValue)
	big[kv.MaxValue-1] = 1
	for i := range n {
		shard := uint16(i * 7 % kv.Shards)
		r.do(kv.Put{Key: key("v", shard, fmt.Sprint(i)), Data: fmt.Append(nil, i), Version: uint64(i + 1)},
			kv.Incr{Key: key("c", shard, "a"), Name: "n", By: int64(i)})
	}
	r.fill(key("s", 3, "a"), members...)
	r.apply(kv.Put{Key: key("v", 9, "big"), Data: big, Version: 1 << 63}, kv.Put{Key: key("v", 9, ""), Version: 1})
	for range 2 {
		r.reopen()
		for i := range n {
			shard := uint16(i * 7 % kv.Shards)
			r.wantValue(key("v", shard, fmt.Sprint(i)), fmt.Sprint(i), uint64(i+1))
			r.wantCounter(key("c", shard, "a"), "n", int64(i))
		}
		wantSlice(r.env, "set", r.all(key("s", 3, "a")), members)
		r.wantValue(key("v", 9, "big"), string(big), 1<<63)
		r.wantValue(key("v", 9, ""), "", 1)
		if got := len(r.walkKeys(nil)); got != 2*n+3 {
			r.Errorf("Keys returned %d keys, want %d", got, 2*n+3)
		}
	}
}

func reopenRemovals(r *reopener) {
	v, c, s, trimmed := key("v", 3, "a"), key("c", 3, "a"), key("s", 3, "a"), key("s", 3, "trimmed")
	r.do(kv.Put{Key: v, Data: []byte("x"), Version: 1}, kv.Incr{Key: c, Name: "n", By: 1})
	r.fill(s, m(1, "a"), m(2, "b"))
	r.fill(trimmed, equalScores(50, 1)...)
	r.reopen()
	r.do(kv.Delete{Key: v}, kv.Delete{Key: c}, kv.Remove{Key: s, Member: "a"}, kv.Add{Key: s, Member: "b", Score: 9},
		kv.Trim{Key: trimmed, Keep: 1})
	r.reopen()
	r.wantValue(v, "", 0)
	r.wantCounter(c, "n", 0)
	wantSlice(r.env, "set", r.all(s), []kv.Member{m(9, "b")})
	wantSlice(r.env, "trimmed set", r.all(trimmed), []kv.Member{m(1, "m000049")})
}

func reopenLifetimes(r *reopener) {
	short, long, kept := key("v", 3, "short"), key("v", 3, "long"), key("v", 3, "kept")
	r.do(kv.Put{Key: short, Data: []byte("x"), Version: 1, TTL: r.tick()},
		kv.Put{Key: long, Data: []byte("x"), Version: 1, TTL: time.Hour},
		kv.Put{Key: kept, Data: []byte("x"), Version: 1, TTL: r.tick()})
	r.do(kv.Put{Key: kept, Data: []byte("y"), Version: 2})
	if err := r.Close(); err != nil {
		r.Fatalf("Close: %v", err)
	}
	r.past(r.tick() + time.Second/10)
	r.Engine = r.open()
	r.wantValue(short, "", 0)
	r.wantValue(long, "x", 1)
	r.wantValue(kept, "y", 2)
	if r.caps.Advance != nil {
		r.past(time.Hour)
		r.wantValue(long, "", 0)
	}
}

func reopenFeeds(r *reopener) {
	warm, filling := feedKey(), key("home", 17, "filling")
	r.warm(warm, 1, 2, 3)
	r.apply(begin(filling, "t"), &kv.Push{Key: filling, ID: 9})
	r.count("k", 5, time.Hour)
	r.reopen()
	state, _, _ := r.feed(warm)
	if state != kv.Cold && r.caps.FeedsMayPersist {
		r.wantFeed(warm, 1, 3, 2)
		return
	}
	r.wantState(warm, kv.Cold)
	r.wantState(filling, kv.Cold)
	r.apply(&kv.Push{Key: warm, ID: 4}, kv.Filled{Key: filling, Token: "t", IDs: []uint64{1}})
	r.wantState(warm, kv.Cold)
	r.wantState(filling, kv.Cold)
	if got := r.count("k", 1, time.Hour); got != 1 && !r.caps.FeedsMayPersist {
		r.Errorf("a meter outlived its engine: %d", got)
	}
	r.warm(warm, 0, 7)
	r.wantFeed(warm, 0, 7)
}

func reopenAgain(r *reopener) {
	k := key("c", 3, "a")
	for i := range 6 {
		r.wantCounter(k, "n", int64(i))
		if !r.txn([]kv.Cond{kv.CounterBelow{Key: k, Name: "n", Limit: int64(i + 1)}}, kv.Incr{Key: k, Name: "n", By: 1}) {
			r.Fatalf("after %d times of opening the counter is not below %d", i, i+1)
		}
		r.reopen()
	}
}

// closeUnderWriters checks that Close may fail pending writes, but loses no acknowledged ones and
// stores no failed ones.
func closeUnderWriters(r *reopener) {
	const workers = 6
	type outcome struct {
		key kv.Key
		err error
	}
	var outcomes [workers][]outcome
	var writers sync.WaitGroup
	started := make(chan bool, workers)
	for w := range workers {
		e := r.Engine
		writers.Go(func() {
			for n := 0; ; n++ {
				k := key("v", uint16(w*100+n%50), fmt.Sprint(n))
				_, err := e.Txn(r.ctx, nil, kv.Put{Key: k, Data: []byte(k.String()), Version: 1})
				outcomes[w] = append(outcomes[w], outcome{k, err})
				if n == 10 || err != nil && n < 10 {
					started <- true
				}
				if err != nil {
					return
				}
			}
		})
	}
	for range workers {
		<-started
	}
	r.reopen()
	writers.Wait()
	for _, of := range outcomes {
		for _, o := range of {
			switch {
			case o.err == nil:
				r.wantValue(o.key, o.key.String(), 1)
			case errors.Is(o.err, kv.ErrUnknown): // made or not
			case errors.Is(o.err, kv.ErrClosed), errors.Is(o.err, kv.ErrUnavailable), errors.Is(o.err, context.Canceled):
				r.wantValue(o.key, "", 0)
			default:
				r.Errorf("a transaction under Close: %v", o.err)
			}
		}
	}
}
