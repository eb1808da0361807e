package kvtest

import (
	"math"
	"slices"
	"time"

	"linnet/internal/kv"
)

func feedTests() []subtest {
	return []subtest{
		{"ColdIgnoresAll", coldIgnores},
		{"FillAndFilled", fillAndFilled},
		{"FilledWithNothing", filledWithNothing},
		{"PushInPlace", pushInPlace},
		{"PushBelowFloor", pushBelowFloor},
		{"Pull", pull},
		{"Merge", merge},
		{"LargeIDsAreExact", largeIDs},
		{"PageBounds", pageBounds},
		{"DeleteMakesCold", deleteMakesCold},
		{"FeedsAreApart", feedsAreApart},
		{"GuardedPush", guardedPush},
	}
}

// feedKey returns the key of the feed in most subtests.
func feedKey() kv.Key { return key("home", 17, "a") }

// warm fills a cold feed.
func (e *env) warm(k kv.Key, floor uint64, ids ...uint64) {
	e.Helper()
	e.apply(
		kv.Fill{Key: k, Token: "warm", TTL: time.Hour},
		kv.Filled{Key: k, Token: "warm", IDs: ids, Floor: floor},
	)
}

// wantFeed checks that a feed is warm, with the given floor and ids.
func (e *env) wantFeed(k kv.Key, floor uint64, ids ...uint64) {
	e.Helper()
	state, gotFloor, got := e.feed(k)
	if state != kv.Warm || gotFloor != floor {
		e.Errorf("%v: got state %d floor %d, want warm (%d) floor %d", k, state, gotFloor, kv.Warm, floor)
	}
	wantSlice(e, "ids of "+k.String(), got, ids)
}

// wantState checks the state of a feed that returns neither ids nor a floor.
func (e *env) wantState(k kv.Key, want kv.FeedState) {
	e.Helper()
	state, floor, ids := e.feed(k)
	if state != want || floor != 0 || len(ids) > 0 {
		e.Errorf("%v: got state %d floor %d and %d ids, want state %d and no more", k, state, floor, len(ids), want)
	}
}

// feed reads a whole feed, newest first.
func (e *env) feed(k kv.Key) (kv.FeedState, uint64, []uint64) {
	e.Helper()
	q := &kv.Feed{Key: k, Limit: 700, State: 77, Floor: 77, IDs: []uint64{77}}
	e.read(q)
	all := q.IDs
	for len(q.IDs) > 0 && q.State == kv.Warm {
		q.Below = q.IDs[len(q.IDs)-1]
		e.read(q)
		all = slices.Concat(all, q.IDs)
		if len(all) > kv.FeedMax {
			e.Fatalf("%v: %d ids exceed FeedMax", k, len(all))
		}
	}
	return q.State, q.Floor, all
}

// falling returns the ids from high down to low.
func falling(high, low uint64) []uint64 {
	var ids []uint64
	for id := high; id >= low; id-- {
		ids = append(ids, id)
	}
	return ids
}

func coldIgnores(e *env) {
	k := feedKey()
	e.wantState(k, kv.Cold)
	e.apply(&kv.Push{Key: k, ID: 1}, kv.Merge{Key: k, IDs: []uint64{2, 3}}, kv.Pull{Key: k, ID: 1},
		kv.Filled{Key: k, Token: "t", IDs: []uint64{4}}, kv.Delete{Key: k})
	e.do(&kv.Push{Key: k, ID: 1}, kv.Merge{Key: k, IDs: []uint64{2}}, kv.Filled{Key: k, Token: "t", IDs: []uint64{4}})
	e.wantState(k, kv.Cold)
	e.warm(k, 0, 5)
	e.wantFeed(k, 0, 5)
}

func fillAndFilled(e *env) {
	k := feedKey()
	e.apply(kv.Fill{Key: k, Token: "t", TTL: time.Hour})
	e.wantState(k, kv.Filling)
	e.do(kv.Filled{Key: k, Token: "t", IDs: []uint64{30, 10, 50, 10, 20, 15}, Floor: 15})
	e.wantFeed(k, 15, 50, 30, 20)
	// A warm feed is not filled, so none of these changes it.
	e.apply(kv.Filled{Key: k, Token: "t", IDs: []uint64{99}, Floor: 40},
		kv.Fill{Key: k, Token: "u", TTL: time.Hour},
		kv.Filled{Key: k, Token: "u", IDs: []uint64{98}})
	e.wantFeed(k, 15, 50, 30, 20)
}

// filledWithNothing checks that a feed without ids is warm.
func filledWithNothing(e *env) {
	k := feedKey()
	e.warm(k, 0)
	e.wantFeed(k, 0)
	e.apply(kv.Merge{Key: k}, kv.Pull{Key: k, ID: 9})
	e.wantFeed(k, 0)
	e.apply(&kv.Push{Key: k, ID: 8})
	e.wantFeed(k, 0, 8)
	e.apply(kv.Pull{Key: k, ID: 8})
	e.wantFeed(k, 0)
	e.apply(&kv.Push{Key: k, ID: 3})
	e.wantFeed(k, 0, 3)

	floor := key("home", 17, "floor")
	e.warm(floor, 50, 49, 50)
	e.wantFeed(floor, 50)
	e.apply(&kv.Push{Key: floor, ID: 50}, &kv.Push{Key: floor, ID: 51})
	e.wantFeed(floor, 50, 51)
}

func pushInPlace(e *env) {
	k := feedKey()
	e.warm(k, 0, 10, 20, 30)
	e.apply(&kv.Push{Key: k, ID: 40}, &kv.Push{Key: k, ID: 40}) // new and repeated
	e.apply(&kv.Push{Key: k, ID: 25})                           // late
	e.apply(&kv.Push{Key: k, ID: 25}, &kv.Push{Key: k, ID: 10}) // late and repeated
	e.do(&kv.Push{Key: k, ID: 5}, &kv.Push{Key: k, ID: 50})     // the oldest and the newest
	e.wantFeed(k, 0, 50, 40, 30, 25, 20, 10, 5)
}

func pushBelowFloor(e *env) {
	k := feedKey()
	e.warm(k, 20, 30)
	e.apply(&kv.Push{Key: k, ID: 19}, &kv.Push{Key: k, ID: 20}, &kv.Push{Key: k, ID: 21}, &kv.Push{Key: k, ID: 1})
	e.wantFeed(k, 20, 30, 21)
	e.apply(kv.Merge{Key: k, IDs: []uint64{20, 22, 3}})
	e.wantFeed(k, 20, 30, 22, 21)
}

func pull(e *env) {
	k := feedKey()
	e.warm(k, 0, 1, 2, 3, 4, 5)
	e.apply(kv.Pull{Key: k, ID: 3}, kv.Pull{Key: k, ID: 3}, kv.Pull{Key: k, ID: 99})
	e.wantFeed(k, 0, 5, 4, 2, 1)
	e.do(kv.Pull{Key: k, ID: 5}, kv.Pull{Key: k, ID: 1})
	e.wantFeed(k, 0, 4, 2)
	e.apply(&kv.Push{Key: k, ID: 3})
	e.wantFeed(k, 0, 4, 3, 2)
}

func merge(e *env) {
	k := feedKey()
	e.warm(k, 10, 40, 20)
	e.apply(kv.Merge{Key: k, IDs: []uint64{50, 10, 30, 50, 20, 5, 11}})
	e.wantFeed(k, 10, 50, 40, 30, 20, 11)
	e.do(kv.Merge{Key: k, IDs: []uint64{12}}, kv.Merge{Key: k})
	e.wantFeed(k, 10, 50, 40, 30, 20, 12, 11)
}

// largeIDs checks ids above 2^53 that differ in their low bits, like real ones.
func largeIDs(e *env) {
	k := feedKey()
	const top = 1<<63 - 1
	e.warm(k, top-4, top-5, top-3)
	e.apply(&kv.Push{Key: k, ID: top - 1}, &kv.Push{Key: k, ID: top - 2}, &kv.Push{Key: k, ID: top - 1})
	e.apply(&kv.Push{Key: k, ID: top - 4}, kv.Merge{Key: k, IDs: []uint64{top, top - 5}})
	e.wantFeed(k, top-4, top, top-1, top-2, top-3)
	e.apply(kv.Pull{Key: k, ID: top - 2})
	e.wantFeed(k, top-4, top, top-1, top-3)
	digits := key("home", 17, "digits") // fails if ids are compared as text
	e.warm(digits, 9, 10, 9, 1<<53, 1<<53+1, 99, 100)
	e.apply(&kv.Push{Key: digits, ID: 1<<53 + 2}, &kv.Push{Key: digits, ID: 8})
	e.wantFeed(digits, 9, 1<<53+2, 1<<53+1, 1<<53, 100, 99, 10)
}

func pageBounds(e *env) {
	k := feedKey()
	ids := []uint64{100, 90, 80, 70, 60, 50, 40, 30}
	e.warm(k, 25, ids...)
	bounds := []uint64{0, 1, 25, 29, 30, 31, 50, 60, 65, 99, 100, 101, math.MaxInt64, math.MaxUint64}
	var qs []kv.Query
	for _, above := range bounds {
		for _, below := range bounds {
			for _, limit := range []int{1, 3, 1000} {
				qs = append(qs, &kv.Feed{Key: k, Above: above, Below: below, Limit: limit},
					&kv.Feed{Key: k, Above: above, Below: below, Limit: limit, Asc: true})
			}
		}
	}
	e.read(qs...)
	for _, q := range qs {
		q := q.(*kv.Feed)
		var want []uint64
		for _, id := range ids {
			if id > q.Above && (q.Below == 0 || id < q.Below) {
				want = append(want, id)
			}
		}
		if n := len(want) - q.Limit; n > 0 && q.Asc {
			want = want[n:]
		} else if n > 0 {
			want = want[:q.Limit]
		}
		if q.State != kv.Warm || q.Floor != 25 || !slices.Equal(q.IDs, want) {
			e.Fatalf("above %d below %d limit %d asc %v: got state %d floor %d %v, want warm, floor 25, %v",
				q.Above, q.Below, q.Limit, q.Asc, q.State, q.Floor, q.IDs, want)
		}
	}
}

func deleteMakesCold(e *env) {
	k := feedKey()
	e.warm(k, 5, 10, 20)
	e.apply(kv.Delete{Key: k})
	e.wantState(k, kv.Cold)
	e.apply(&kv.Push{Key: k, ID: 30})
	e.wantState(k, kv.Cold)
	e.warm(k, 0, 3)
	e.wantFeed(k, 0, 3) // nothing of the old feed, including its floor

	e.apply(kv.Delete{Key: k}, kv.Fill{Key: k, Token: "t", TTL: time.Hour}, &kv.Push{Key: k, ID: 4})
	e.do(kv.Delete{Key: k})
	e.wantState(k, kv.Cold)
	e.apply(kv.Filled{Key: k, Token: "t", IDs: []uint64{1}})
	e.wantState(k, kv.Cold)
	e.apply(kv.Fill{Key: k, Token: "t", TTL: time.Hour}, kv.Filled{Key: k, Token: "t", IDs: []uint64{1}})
	e.wantFeed(k, 0, 1)
}

func feedsAreApart(e *env) {
	keys := []kv.Key{key("home", 17, ""), key("home", 17, "a"), key("home", 17, "a:s"), key("home", 18, "a"), key("list", 17, "a")}
	for i, k := range keys {
		e.warm(k, uint64(i), uint64(10+i))
	}
	for i, k := range keys {
		e.wantFeed(k, uint64(i), uint64(10+i))
	}
	e.apply(kv.Delete{Key: keys[1]})
	for i, k := range keys {
		if i != 1 {
			e.wantFeed(k, uint64(i), uint64(10+i))
		}
	}
}

// guardedPush checks that feeds change in a transaction together with all other changes or not at
// all.
func guardedPush(e *env) {
	k, v := feedKey(), key("v", 17, "a")
	e.warm(k, 0, 1)
	if e.txn([]kv.Cond{kv.Present{Key: v}}, &kv.Push{Key: k, ID: 2}, kv.Merge{Key: k, IDs: []uint64{3}}, kv.Pull{Key: k, ID: 1}) {
		e.Fatal("Present held for an absent value")
	}
	e.wantFeed(k, 0, 1)
	if !e.txn([]kv.Cond{kv.Absent(v)}, &kv.Push{Key: k, ID: 2}, kv.Put{Key: v, Version: 1}, kv.Pull{Key: k, ID: 1}) {
		e.Fatal("Absent failed for an absent value")
	}
	e.wantFeed(k, 0, 2)
}
