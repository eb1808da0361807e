package kvtest

import (
	"fmt"
	"time"

	"linnet/internal/kv"
)

func txnTests() []subtest {
	return []subtest{
		{"EachCondition", eachCondition},
		{"AllOrNone", allOrNone},
		{"IndexOfFailed", indexOfFailed},
		{"ConditionsSeeTheStateBefore", condsSeeBefore},
		{"ChangesInOrder", changesInOrder},
		{"Largest", largestTxn},
	}
}

// condCase is a condition on the state of prepared, with the expected result.
type condCase struct {
	cond  kv.Cond
	holds bool
}

const condShard = 21

func (e *env) prepared() (v, none, c, s kv.Key) {
	e.Helper()
	v, none = key("v", condShard, "a"), key("v", condShard, "none")
	c, s = key("c", condShard, "a"), key("s", condShard, "a")
	e.do(kv.Put{Key: v, Data: []byte("x"), Version: 1 << 60}, kv.Incr{Key: c, Name: "n", By: 5},
		kv.Incr{Key: c, Name: "neg", By: -5}, kv.Incr{Key: c, Name: "big", By: kv.MaxScore},
		kv.Add{Key: s, Member: "m", Score: 0}, kv.Add{Key: s, Member: "max", Score: kv.MaxScore},
		kv.Add{Key: s, Member: "min", Score: -kv.MaxScore},
		kv.Add{Key: key("s", condShard, "low"), Member: "a", Score: -7}, kv.Add{Key: key("s", condShard, "low"), Member: "b", Score: -5})
	return v, none, c, s
}

func condCases(v, none, c, s kv.Key) []condCase {
	low, noset, nocount := key("s", condShard, "low"), key("s", condShard, "none"), key("c", condShard, "none")
	return []condCase{
		{kv.VersionIs{Key: v, Version: 1 << 60}, true}, {kv.VersionIs{Key: v, Version: 1<<60 + 1}, false},
		{kv.VersionIs{Key: v}, false}, {kv.VersionIs{Key: none}, true}, {kv.VersionIs{Key: none, Version: 1}, false},
		{kv.Absent(v), false}, {kv.Absent(none), true}, {kv.Present{Key: v}, true}, {kv.Present{Key: none}, false},
		{kv.HasMember{Key: s, Member: "m"}, true}, {kv.HasMember{Key: s, Member: "n"}, false},
		{kv.HasMember{Key: noset, Member: "m"}, false},
		{kv.NoMember{Key: s, Member: "m"}, false}, {kv.NoMember{Key: s, Member: "n"}, true},
		{kv.NoMember{Key: noset, Member: "m"}, true},
		{kv.ScoreIs{Key: s, Member: "m"}, true}, {kv.ScoreIs{Key: s, Member: "m", Score: 1}, false},
		{kv.ScoreIs{Key: s, Member: "none"}, false}, {kv.ScoreIs{Key: noset, Member: "m"}, false},
		{kv.ScoreIs{Key: s, Member: "max", Score: kv.MaxScore}, true},
		{kv.ScoreIs{Key: s, Member: "max", Score: kv.MaxScore - 1}, false},
		{kv.ScoreIs{Key: s, Member: "min", Score: -kv.MaxScore}, true},
		{kv.ScoreIs{Key: s, Member: "min", Score: kv.MaxScore}, false},
		{kv.AllBelow{Key: s, Score: kv.MaxScore}, false}, {kv.AllBelow{Key: s, Score: 1}, false}, {kv.AllBelow{Key: s, Score: -kv.MaxScore}, false},
		{kv.AllBelow{Key: low, Score: -4}, true}, {kv.AllBelow{Key: low, Score: -5}, false}, {kv.AllBelow{Key: low, Score: -6}, false},
		{kv.AllBelow{Key: low, Score: 10}, true}, // not compared as text
		{kv.AllBelow{Key: noset, Score: -kv.MaxScore}, true}, {kv.AllBelow{Key: noset, Score: kv.MaxScore}, true},
		{kv.CounterBelow{Key: c, Name: "n", Limit: 6}, true}, {kv.CounterBelow{Key: c, Name: "n", Limit: 5}, false},
		{kv.CounterBelow{Key: c, Name: "n", Limit: 10}, true}, // not compared as text
		{kv.CounterBelow{Key: c, Name: "neg", Limit: -4}, true}, {kv.CounterBelow{Key: c, Name: "neg", Limit: -5}, false},
		{kv.CounterBelow{Key: c, Name: "none", Limit: 1}, true}, {kv.CounterBelow{Key: c, Name: "none"}, false},
		{kv.CounterBelow{Key: nocount, Name: "n", Limit: 1}, true}, {kv.CounterBelow{Key: nocount, Name: "n"}, false},
		{kv.CounterBelow{Key: c, Name: "big", Limit: kv.MaxScore}, false},
		{kv.CounterBelow{Key: c, Name: "big", Limit: kv.MaxScore + 1}, true},
	}
}

func eachCondition(e *env) {
	v, none, c, s := e.prepared()
	mark := key("v", condShard, "mark")
	for i, cc := range condCases(v, none, c, s) {
		version := uint64(i + 1)
		conds := []kv.Cond{kv.Present{Key: v}, cc.cond}
		failed, err := e.Txn(e.ctx, conds, kv.Put{Key: mark, Version: version})
		if err != nil {
			e.Fatalf("%#v: %v", cc.cond, err)
		}
		want := 1
		if cc.holds {
			want = -1
		}
		if failed != want {
			e.Errorf("%#v: got %d, want %d", cc.cond, failed, want)
		}
		q := &kv.Get{Key: mark}
		if e.read(q); (q.Version == version) != cc.holds {
			e.Errorf("%#v: the change was made: %v, want %v", cc.cond, !cc.holds, cc.holds)
		}
	}
}

// everyChange returns one change of each kind that has an effect on touchable.
func everyChange(shard uint16) []kv.Op {
	v, c, s, f := key("v", shard, "a"), key("c", shard, "a"), key("s", shard, "a"), key("f", shard, "a")
	return []kv.Op{
		kv.Put{Key: v, Data: []byte("new"), Version: 2}, kv.Delete{Key: key("v", shard, "gone")},
		kv.Incr{Key: c, Name: "n", By: 10}, kv.Add{Key: s, Member: "new", Score: 9}, kv.Remove{Key: s, Member: "old"},
		kv.Trim{Key: s, Keep: 2}, &kv.Push{Key: f, ID: 7}, kv.Pull{Key: f, ID: 1}, kv.Merge{Key: f, IDs: []uint64{8, 9}},
		kv.Fill{Key: key("f", shard, "new"), Token: "t", TTL: time.Hour},
		kv.Filled{Key: key("f", shard, "filling"), Token: "t", IDs: []uint64{5}},
	}
}

// touchable creates the records that everyChange changes.
func (e *env) touchable(shard uint16) {
	e.Helper()
	v, c, s, f := key("v", shard, "a"), key("c", shard, "a"), key("s", shard, "a"), key("f", shard, "a")
	e.do(kv.Put{Key: v, Data: []byte("old"), Version: 1}, kv.Put{Key: key("v", shard, "gone"), Data: []byte("x"), Version: 1},
		kv.Incr{Key: c, Name: "n", By: 1}, kv.Add{Key: s, Member: "old", Score: 3}, kv.Add{Key: s, Member: "m", Score: 2},
		kv.Add{Key: s, Member: "l", Score: 1}, begin(f, "t"), kv.Filled{Key: f, Token: "t", IDs: []uint64{1, 2}},
		begin(key("f", shard, "filling"), "t"))
}

// shown returns all records that everyChange can change, as text.
func (e *env) shown(shard uint16) string {
	e.Helper()
	qs := []kv.Query{
		&kv.Get{Key: key("v", shard, "a")}, &kv.Get{Key: key("v", shard, "gone")},
		&kv.Counters{Key: key("c", shard, "a"), Names: []string{"n"}}, &kv.Range{Key: key("s", shard, "a"), Limit: 9},
		&kv.Feed{Key: key("f", shard, "a"), Limit: 9}, &kv.Feed{Key: key("f", shard, "new"), Limit: 9},
		&kv.Feed{Key: key("f", shard, "filling"), Limit: 9},
	}
	e.read(qs...)
	return answers(qs)
}

func allOrNone(e *env) {
	e.touchable(4)
	before := e.shown(4)
	if want := `"old" version 1; "x" version 1; [1]; [{1 l} {2 m} {3 old}]; state 2 floor 0 [2 1]; ` +
		`state 0 floor 0 []; state 1 floor 0 []; `; before != want {
		e.Fatalf("prepared:\ngot  %s\nwant %s", before, want)
	}
	none := kv.Present{Key: key("v", 4, "none")}
	if e.txn([]kv.Cond{none}, everyChange(4)...) {
		e.Error("Present held for an absent value")
	}
	if after := e.shown(4); after != before {
		e.Errorf("a failed condition, and all the same there is a change:\ngot  %s\nwant %s", after, before)
	}
	e.do(everyChange(4)...)
	if got, want := e.shown(4), `"new" version 2; "" version 0; [11]; [{2 m} {9 new}]; state 2 floor 0 [9 8 7 2]; `+
		`state 1 floor 0 []; state 2 floor 0 [5]; `; got != want {
		e.Errorf("after the transaction:\ngot  %s\nwant %s", got, want)
	}
}

// indexOfFailed checks that one of several failed conditions is returned.
func indexOfFailed(e *env) {
	v, none, _, s := e.prepared()
	good, bad := kv.Present{Key: v}, kv.HasMember{Key: s, Member: "nobody"}
	mark := kv.Put{Key: none, Version: 1}
	for n := 1; n <= kv.MaxConds; n += 9 {
		for at := 0; at < n; at += 4 {
			conds := make([]kv.Cond, n)
			for i := range conds {
				conds[i] = good
			}
			conds[at] = bad
			if failed, err := e.Txn(e.ctx, conds, mark); failed != at || err != nil {
				e.Fatalf("condition %d of %d failed; Txn says %d, %v", at, n, failed, err)
			}
		}
	}
	failed, err := e.Txn(e.ctx, []kv.Cond{good, bad, good, kv.Absent(v)}, mark)
	if err != nil || failed != 1 && failed != 3 {
		e.Errorf("conditions 1 and 3 failed; Txn says %d, %v", failed, err)
	}
	e.wantValue(none, "", 0)
}

func condsSeeBefore(e *env) {
	v, s, c := key("v", 4, "a"), key("s", 4, "a"), key("c", 4, "a")
	ok := e.txn(
		[]kv.Cond{kv.Absent(v), kv.NoMember{Key: s, Member: "m"}, kv.CounterBelow{Key: c, Name: "n", Limit: 1}, kv.Absent(v)},
		kv.Put{Key: v, Version: 1}, kv.Add{Key: s, Member: "m"}, kv.Incr{Key: c, Name: "n", By: 1})
	if !ok {
		e.Error("a condition saw the writes of its own transaction")
	}
	if !e.txn([]kv.Cond{kv.Present{Key: v}, kv.HasMember{Key: s, Member: "m"}}, kv.Delete{Key: v}, kv.Delete{Key: s}) {
		e.Error("a condition saw the deletions of its own transaction")
	}
	e.wantValue(v, "", 0)
}

func changesInOrder(e *env) {
	v, s, c, f := key("v", 4, "a"), key("s", 4, "a"), key("c", 4, "a"), key("f", 4, "a")
	for _, make := range []func(...kv.Op){func(ops ...kv.Op) { e.do(ops...) }, func(ops ...kv.Op) { e.apply(ops...) }} {
		make(kv.Put{Key: v, Data: []byte("1"), Version: 1}, kv.Delete{Key: v}, kv.Put{Key: v, Data: []byte("2"), Version: 2},
			kv.Put{Key: v, Data: []byte("3"), Version: 3},
			kv.Add{Key: s, Member: "a", Score: 1}, kv.Remove{Key: s, Member: "a"}, kv.Add{Key: s, Member: "b", Score: 1},
			kv.Add{Key: s, Member: "c", Score: 2}, kv.Trim{Key: s, Keep: 1}, kv.Add{Key: s, Member: "a", Score: 5},
			kv.Add{Key: s, Member: "a", Score: 3}, &kv.Push{Key: f, ID: 1}, begin(f, "t"), &kv.Push{Key: f, ID: 2},
			kv.Filled{Key: f, Token: "t", IDs: []uint64{3, 4}}, kv.Pull{Key: f, ID: 3}, &kv.Push{Key: f, ID: 5})
		e.wantValue(v, "3", 3)
		wantSlice(e, "set", e.all(s), []kv.Member{m(2, "c"), m(3, "a")})
		e.wantFeed(f, 0, 5, 4, 2)
		e.apply(kv.Delete{Key: v}, kv.Delete{Key: s}, kv.Delete{Key: f}, kv.Add{Key: s, Member: "z"}, kv.Delete{Key: s})
		e.wantValue(v, "", 0)
		wantSlice(e, "deleted set", e.all(s), nil)
		e.wantState(f, kv.Cold)
	}
	e.do(kv.Incr{Key: c, Name: "n", By: 5}, kv.Delete{Key: c}, kv.Incr{Key: c, Name: "n", By: 2})
	e.wantCounter(c, "n", 2)
	e.do(kv.Put{Key: v, Version: 1}, kv.Incr{Key: c, Name: "n", By: 5}, kv.Delete{Key: v}, kv.Delete{Key: c}, kv.Incr{Key: c, Name: "n", By: 2},
		kv.Delete{Key: c}, kv.Incr{Key: c, Name: "n", By: -3}, kv.Put{Key: v, Data: []byte("4"), Version: 4}, kv.Incr{Key: c, Name: "n", By: -1})
	e.wantCounter(c, "n", -4)
	e.wantValue(v, "4", 4)
}

func largestTxn(e *env) {
	v := key("v", 4, "a")
	conds := make([]kv.Cond, kv.MaxConds)
	for i := range conds {
		conds[i] = kv.NoMember{Key: key("s", 4, fmt.Sprint(i)), Member: "m"}
	}
	changes := make([]kv.Op, kv.MaxChanges)
	for i := range changes {
		changes[i] = kv.Add{Key: key("s", 4, fmt.Sprint(i)), Member: "m", Score: int64(i)}
	}
	changes[500] = kv.Put{Key: v, Data: make([]byte, kv.MaxValue), Version: 1}
	if !e.txn(conds, changes...) || e.txn(conds, changes...) {
		e.Error("the largest transaction was not applied exactly once")
	}
	var qs []kv.Query
	for i := range changes {
		qs = append(qs, &kv.Scores{Key: key("s", 4, fmt.Sprint(i)), Members: []string{"m"}})
	}
	e.read(qs...)
	for i, q := range qs {
		if q := q.(*kv.Scores); i != 500 && (!q.Found[0] || q.Values[0] != int64(i)) {
			e.Fatalf("change %d was not made", i)
		}
	}
}
