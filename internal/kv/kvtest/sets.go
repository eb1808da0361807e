package kvtest

import (
	"fmt"
	"strings"

	"linnet/internal/kv"
)

func setTests() []subtest {
	return []subtest{
		{"AbsentIsEmpty", setAbsent},
		{"AddChangesScore", addChangesScore},
		{"AddMany", addMany},
		{"Remove", removeMember},
		{"Scores", scores},
		{"Trim", trim},
		{"TrimAmongEqualScores", trimEqual},
		{"AnyBytes", memberBytes},
		{"NeighboursAreApart", neighbours},
		{"DeleteMany", deleteMany},
		{"AtomicMove", atomicMove},
	}
}

func m(score int64, member string) kv.Member { return kv.Member{Score: score, Member: member} }

// fill adds members to a set with Apply.
func (e *env) fill(k kv.Key, members ...kv.Member) {
	e.Helper()
	for len(members) > 0 {
		n := min(len(members), kv.MaxApply)
		changes := make([]kv.Op, n)
		for i, mem := range members[:n] {
			changes[i] = kv.Add{Key: k, Member: mem.Member, Score: mem.Score}
		}
		e.apply(changes...)
		members = members[n:]
	}
}

func setAbsent(e *env) {
	k := key("s", 9, "a")
	e.wantRange(kv.Range{Key: k, Limit: 5})
	e.wantRange(kv.Range{Key: k, Limit: 5, Desc: true, Below: &kv.Member{Score: 3, Member: "x"}})
	q := &kv.Scores{Key: k, Members: []string{"a", "b"}, Found: []bool{true}, Values: []int64{9}}
	none := &kv.Scores{Key: k, Found: []bool{true}, Values: []int64{9}}
	e.read(q, none)
	wantSlice(e, "found", q.Found, []bool{false, false})
	wantSlice(e, "values", q.Values, []int64{0, 0})
	wantSlice(e, "found of nobody", none.Found, nil)
	e.do(kv.Remove{Key: k, Member: "a"}, kv.Trim{Key: k, Keep: 0}, kv.Delete{Key: k})
	e.apply(kv.Trim{Key: k, Keep: 10})
	wantSlice(e, "still empty", e.all(k), nil)
}

func addChangesScore(e *env) {
	k := key("s", 9, "a")
	e.do(kv.Add{Key: k, Member: "a", Score: 5}, kv.Add{Key: k, Member: "b", Score: 6})
	e.do(kv.Add{Key: k, Member: "a", Score: 7})
	wantSlice(e, "after a rise", e.all(k), []kv.Member{m(6, "b"), m(7, "a")})
	e.do(kv.Add{Key: k, Member: "a", Score: 9}, kv.Add{Key: k, Member: "a", Score: -9}, kv.Add{Key: k, Member: "b", Score: 6})
	wantSlice(e, "after a fall", e.all(k), []kv.Member{m(-9, "a"), m(6, "b")})
}

// addMany adds many members, some of them twice, to an empty set, a set emptied by the same
// changes, and a non-empty set. Neighbouring sets do not change.
func addMany(e *env) {
	const many = 40
	adds := func(k kv.Key, by int64) (ops []kv.Op) {
		for i := range int64(many) {
			ops = append(ops, kv.Add{Key: k, Member: fmt.Sprint("m", i+10), Score: i + by})
		}
		return append(ops, kv.Add{Key: k, Member: "m10", Score: 1000}, kv.Add{Key: k, Member: "m11", Score: 1 + by})
	}
	want := func(by int64) (want []kv.Member) {
		for i := int64(1); i < many; i++ {
			want = append(want, m(i+by, fmt.Sprint("m", i+10)))
		}
		return append(want, m(1000, "m10"))
	}
	k, beside, behind := key("s", 9, "b"), key("s", 9, "a"), key("s", 9, "bb")
	e.do(kv.Add{Key: beside, Member: "m12", Score: 3}, kv.Add{Key: behind, Member: "m12", Score: 4})
	e.do(adds(k, 0)...)
	wantSlice(e, "added to none", e.all(k), want(0))
	e.do(adds(k, 5)...)
	wantSlice(e, "added again", e.all(k), want(5))
	e.do(append([]kv.Op{kv.Delete{Key: k}, kv.Add{Key: k, Member: "m12", Score: -5}, kv.Delete{Key: k}}, adds(k, 7)...)...)
	wantSlice(e, "added after Delete", e.all(k), want(7))
	e.do(append(append(adds(behind, 9), kv.Remove{Key: behind, Member: "m10"}), adds(behind, 2)...)...)
	wantSlice(e, "of two runs", e.all(behind), want(2))
	wantSlice(e, "the set beside", e.all(beside), []kv.Member{m(3, "m12")})
	q := &kv.Scores{Key: k, Members: []string{"m10", "m11", "m12"}}
	e.read(q)
	wantSlice(e, "scores", q.Values, []int64{1000, 8, 9})
}

func removeMember(e *env) {
	k := key("s", 9, "a")
	e.fill(k, m(1, "a"), m(2, "b"), m(3, "c"))
	e.do(kv.Remove{Key: k, Member: "b"}, kv.Remove{Key: k, Member: "never"})
	e.apply(kv.Remove{Key: k, Member: "b"})
	wantSlice(e, "after Remove", e.all(k), []kv.Member{m(1, "a"), m(3, "c")})
	e.do(kv.Add{Key: k, Member: "b", Score: 9}, kv.Remove{Key: k, Member: "a"}, kv.Remove{Key: k, Member: "c"})
	wantSlice(e, "after Add", e.all(k), []kv.Member{m(9, "b")})
	e.do(kv.Remove{Key: k, Member: "b"})
	wantSlice(e, "emptied", e.all(k), nil)
	e.do(kv.Add{Key: k, Member: "b", Score: 1})
	wantSlice(e, "begun again", e.all(k), []kv.Member{m(1, "b")})
}

func scores(e *env) {
	k := key("s", 9, "a")
	e.fill(k, m(0, "zero"), m(-4, "neg"), m(kv.MaxScore, "max"), m(-kv.MaxScore, "min"), m(kv.MaxScore-1, "max1"))
	q := &kv.Scores{Key: k, Members: []string{"max", "gone", "zero", "neg", "max", "min", "max1", "Max"}}
	e.read(q)
	wantSlice(e, "found", q.Found, []bool{true, false, true, true, true, true, true, false})
	wantSlice(e, "values", q.Values, []int64{kv.MaxScore, 0, 0, -4, kv.MaxScore, -kv.MaxScore, kv.MaxScore - 1, 0})
}

func trim(e *env) {
	k := key("s", 9, "a")
	e.fill(k, m(3, "c"), m(-1, "a"), m(2, "b"), m(10, "d"))
	e.do(kv.Trim{Key: k, Keep: 4})
	wantSlice(e, "trimmed to its size", e.all(k), []kv.Member{m(-1, "a"), m(2, "b"), m(3, "c"), m(10, "d")})
	e.apply(kv.Trim{Key: k, Keep: 3})
	wantSlice(e, "trimmed to 3", e.all(k), []kv.Member{m(2, "b"), m(3, "c"), m(10, "d")})
	e.do(kv.Add{Key: k, Member: "e", Score: 11}, kv.Trim{Key: k, Keep: 2}, kv.Add{Key: k, Member: "a", Score: 0})
	wantSlice(e, "trimmed between two Adds", e.all(k), []kv.Member{m(0, "a"), m(10, "d"), m(11, "e")})
	e.do(kv.Trim{Key: k, Keep: 0})
	wantSlice(e, "trimmed to nothing", e.all(k), nil)
	q := &kv.Scores{Key: k, Members: []string{"a", "d"}}
	e.read(q)
	wantSlice(e, "found after trim", q.Found, []bool{false, false})
}

func trimEqual(e *env) {
	k := key("s", 9, "a")
	members := equalScores(1500, 7)
	e.fill(k, members...)
	e.do(kv.Trim{Key: k, Keep: 1100})
	wantSlice(e, "trimmed to 1100", e.all(k), members[400:])
	e.do(kv.Trim{Key: k, Keep: 1})
	wantSlice(e, "trimmed to 1", e.all(k), members[1499:])
}

// equalScores returns n members with one score, in order.
func equalScores(n int, score int64) []kv.Member {
	members := make([]kv.Member, n)
	for i := range members {
		members[i] = m(score, fmt.Sprintf("m%06d", i))
	}
	return members
}

// memberBytes checks that members are compared bytewise and can contain any byte.
func memberBytes(e *env) {
	k := key("s", 9, "a")
	members := []kv.Member{
		m(0, "\x00"), m(0, "\x00\x00"), m(0, "\x00a"), m(0, " "), m(0, "("), m(0, "-"), m(0, "10"), m(0, "9"),
		m(0, "A"), m(0, "["), m(0, "a"), m(0, "a\x00"), m(0, "aa"), m(0, "b"), m(0, "z:1"), m(0, "{1}"),
		m(0, "ü"), m(0, "\xfe"), m(0, "\xff"), m(0, "\xff\xff"), m(0, strings.Repeat("\xff", kv.MaxMember)),
	}
	for i := range members { // in random order
		e.fill(k, members[i*8%len(members)])
	}
	wantSlice(e, "rising", e.walk(kv.Range{Key: k, Limit: 2}), members)
	for i := range members {
		after := members[i+1 : min(i+2, len(members))]
		e.wantRange(kv.Range{Key: k, Above: &members[i], Limit: 1}, after...)
		e.wantRange(kv.Range{Key: k, Below: &members[i], Desc: true, Limit: 1}, members[max(i-1, 0):i]...)
	}
}

// neighbours checks that sets are separate if their keys and members are equal when concatenated.
func neighbours(e *env) {
	keys := []kv.Key{
		key("s", 9, ""), key("s", 9, "a"), key("s", 9, "ab"), key("s", 9, "a:"), key("s", 9, "b"), key("s", 10, "a"),
		key("sa", 9, ""), key("s", 265, "a"), // 265 has the low byte 9
	}
	for i, k := range keys {
		e.fill(k, m(int64(i), "a"), m(int64(-i), "ba"), m(int64(i), "c"))
	}
	for i, k := range keys {
		want := []kv.Member{m(int64(-i), "ba"), m(int64(i), "a"), m(int64(i), "c")}
		if i == 0 {
			want = []kv.Member{m(0, "a"), m(0, "ba"), m(0, "c")}
		}
		wantSlice(e, k.String(), e.all(k), want)
	}
	e.do(kv.Delete{Key: keys[1]}, kv.Trim{Key: keys[2], Keep: 1})
	for i, n := range []int{3, 0, 1, 3, 3, 3, 3, 3} {
		if got := len(e.all(keys[i])); got != n {
			e.Errorf("%v has %d members, want %d", keys[i], got, n)
		}
	}
}

func deleteMany(e *env) {
	k := key("s", 9, "a")
	e.fill(k, equalScores(2501, 3)...)
	e.do(kv.Delete{Key: k}, kv.Add{Key: k, Member: "new", Score: 1})
	wantSlice(e, "after Delete and Add in one transaction", e.all(k), []kv.Member{m(1, "new")})
	q := &kv.Scores{Key: k, Members: []string{"m000000", "m002500"}}
	e.read(q)
	wantSlice(e, "found after Delete", q.Found, []bool{false, false})
}

// atomicMove checks that a reader of a set never sees a member twice or not at all while its score
// changes.
func atomicMove(e *env) {
	k := key("s", 9, "a")
	e.fill(k, m(1, "a"), m(2, "moving"), m(3, "z"))
	e.together(4, func(i int) error {
		for n := range 100 {
			if i == 0 {
				if _, err := e.Txn(e.ctx, nil, kv.Add{Key: k, Member: "moving", Score: int64(n % 5)}); err != nil {
					return err
				}
				continue
			}
			q := &kv.Range{Key: k, Limit: 10, Desc: i == 1}
			if err := e.Read(e.ctx, q); err != nil {
				return err
			}
			if len(q.Members) != 3 {
				return fmt.Errorf("a reader saw %v while a score changed, want three members", q.Members)
			}
		}
		return nil
	})
}
