package kvtest

import (
	"math"
	"slices"

	"linnet/internal/kv"
)

func setPageTests() []subtest {
	return []subtest{
		{"Order", setOrder},
		{"Bounds", setBounds},
		{"LimitFromEitherEnd", setLimit},
		{"ManyOfOneScore", manyOfOneScore},
		{"RemovedCursor", removedCursor},
		{"CursorAmongEqualScores", cursorAmongEquals},
		{"GrowsWhileWalked", growsWhileWalked},
	}
}

func sample() []kv.Member {
	return []kv.Member{
		m(-kv.MaxScore, "min"), m(-kv.MaxScore+1, "min1"), m(-10, "a"), m(-2, "z"), m(0, "b"), m(0, "c"), m(5, "a1"),
		m(5, "a2"), m(5, "a3"), m(9, "d"), m(10, "e"), m(100, "f"), m(kv.MaxScore-1, "max1"), m(kv.MaxScore, "max"),
	}
}

func setOrder(e *env) {
	k := key("s", 2, "a")
	members := sample()
	for i := range members {
		e.fill(k, members[i*5%len(members)])
	}
	for _, limit := range []int{1, 2, 3, 7, 1000} {
		wantSlice(e, "rising", e.walk(kv.Range{Key: k, Limit: limit}), members)
		falling := slices.Clone(members)
		slices.Reverse(falling)
		wantSlice(e, "falling", e.walk(kv.Range{Key: k, Limit: limit, Desc: true}), falling)
	}
}

// setBounds checks the results between all pairs of bounds, whether or not they are members.
func setBounds(e *env) {
	k := key("s", 2, "a")
	members := sample()
	e.fill(k, members...)
	cursors := append(sample(), m(5, ""), m(5, "a11"), m(5, "b"), m(6, "a"), m(-11, "x"),
		m(math.MinInt64, ""), m(math.MaxInt64, "x"), m(kv.MaxScore, "\xff"))
	bounds := []*kv.Member{nil}
	for i := range cursors {
		bounds = append(bounds, &cursors[i])
	}
	var qs []kv.Query
	for _, above := range bounds {
		for _, below := range bounds {
			qs = append(qs, &kv.Range{Key: k, Above: above, Below: below, Limit: 20},
				&kv.Range{Key: k, Above: above, Below: below, Limit: 2, Desc: true})
		}
	}
	e.read(qs...)
	for _, q := range qs {
		q := q.(*kv.Range)
		var want []kv.Member
		for _, mem := range members {
			if (q.Above == nil || mem.Compare(*q.Above) > 0) && (q.Below == nil || mem.Compare(*q.Below) < 0) {
				want = append(want, mem)
			}
		}
		if q.Desc {
			slices.Reverse(want)
		}
		if want = want[:min(len(want), q.Limit)]; !slices.Equal(q.Members, want) {
			e.Fatalf("above %v below %v desc %v limit %d: got %v, want %v", q.Above, q.Below, q.Desc, q.Limit, q.Members, want)
		}
	}
}

func setLimit(e *env) {
	k := key("s", 2, "a")
	e.fill(k, m(1, "a"), m(2, "b"), m(3, "c"), m(4, "d"))
	above, below := m(1, "a"), m(4, "d")
	e.wantRange(kv.Range{Key: k, Limit: 2}, m(1, "a"), m(2, "b"))
	e.wantRange(kv.Range{Key: k, Limit: 2, Desc: true}, m(4, "d"), m(3, "c"))
	e.wantRange(kv.Range{Key: k, Limit: 1, Above: &above, Below: &below}, m(2, "b"))
	e.wantRange(kv.Range{Key: k, Limit: 1, Above: &above, Below: &below, Desc: true}, m(3, "c"))
	e.wantRange(kv.Range{Key: k, Limit: 9, Above: &below, Below: &above})
	e.wantRange(kv.Range{Key: k, Limit: 9, Above: &above, Below: &above, Desc: true})
}

// manyOfOneScore checks that paging continues within equal scores. A cursor of a score alone would
// stop after the first page.
func manyOfOneScore(e *env) {
	k := key("s", 2, "a")
	members := equalScores(2501, 1_700_000_000_000)
	e.fill(k, members...)
	e.fill(k, m(0, "before"), m(kv.MaxScore, "zafter"))
	want := slices.Concat([]kv.Member{m(0, "before")}, members, []kv.Member{m(kv.MaxScore, "zafter")})
	wantSlice(e, "rising by 1000", e.walk(kv.Range{Key: k, Limit: 1000}), want)
	slices.Reverse(want)
	wantSlice(e, "falling by 1000", e.walk(kv.Range{Key: k, Limit: 1000, Desc: true}), want)
}

// removedCursor checks that a walk continues although its last member was removed.
func removedCursor(e *env) {
	for _, desc := range []bool{false, true} {
		k := key("s", 2, map[bool]string{false: "up", true: "down"}[desc])
		members := slices.Concat(equalScores(40, 3), equalScores(40, 4)[20:])
		e.fill(k, members...) // the second half moves twenty members to score 4
		want := e.all(k)
		if desc {
			slices.Reverse(want)
		}
		var got []kv.Member
		q := &kv.Range{Key: k, Limit: 7, Desc: desc}
		for e.read(q); len(q.Members) > 0; e.read(q) {
			got = append(got, q.Members...)
			last := got[len(got)-1]
			if desc {
				q.Below = &last
			} else {
				q.Above = &last
			}
			e.do(kv.Remove{Key: k, Member: last.Member})
		}
		wantSlice(e, k.ID, got, want)
	}
}

// cursorAmongEquals queries at each position of a long run of one score, which detects errors of a
// search within the run.
func cursorAmongEquals(e *env) {
	k := key("s", 2, "a")
	members := equalScores(300, -5)
	var even []kv.Member
	for i := 0; i < len(members); i += 2 {
		even = append(even, members[i])
	}
	e.fill(k, even...)
	e.fill(k, m(-6, "before"), m(-4, "after"))
	var qs []kv.Query
	for i := range members {
		qs = append(qs, &kv.Range{Key: k, Above: &members[i], Limit: 1}, &kv.Range{Key: k, Below: &members[i], Limit: 1, Desc: true})
	}
	e.read(qs...)
	for i := range members {
		next, prev := m(-4, "after"), m(-6, "before")
		if i/2+1 < len(even) {
			next = even[i/2+1]
		}
		if i > 0 {
			prev = even[(i-1)/2]
		}
		wantSlice(e, "above "+members[i].Member, qs[2*i].(*kv.Range).Members, []kv.Member{next})
		wantSlice(e, "below "+members[i].Member, qs[2*i+1].(*kv.Range).Members, []kv.Member{prev})
	}
}

func growsWhileWalked(e *env) {
	k := key("s", 2, "a")
	members := equalScores(30, 1)
	e.fill(k, members...)
	q := &kv.Range{Key: k, Limit: 10}
	var got []kv.Member
	for e.read(q); len(q.Members) > 0; e.read(q) {
		got = append(got, q.Members...)
		last := got[len(got)-1]
		q.Above = &last
		e.do(kv.Add{Key: k, Member: "early" + last.Member, Score: 1})
	}
	wantSlice(e, "members of before the walk", got, members)
}
