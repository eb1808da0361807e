package kvtest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
)

func concurrencyTests() []subtest {
	return []subtest{
		{"OneWinnerUnderAbsent", oneWinner},
		{"CompareAndSwap", compareAndSwap},
		{"SumIsPreserved", sumPreserved},
		{"CounterNeverPassesItsLimit", counterLimit},
		{"ApplyFromManySides", applyFromManySides},
		{"TransactionIsNotSeenHalf", transactionsAreAtomic},
		{"LaterAnswersAreNotOlder", laterNotOlder},
		{"LaterThanAPageAmongEqualScores", laterThanTies},
	}
}

func oneWinner(e *env) {
	for round := range 15 {
		k := key("v", 3, fmt.Sprint(round))
		wins := key("c", 3, fmt.Sprint(round))
		var winners atomic.Int64
		e.together(12, func(i int) error {
			failed, err := e.Txn(e.ctx, []kv.Cond{kv.Absent(k)},
				kv.Put{Key: k, Data: fmt.Append(nil, i), Version: uint64(i + 1)}, kv.Incr{Key: wins, Name: "n", By: 1})
			if failed == -1 && err == nil {
				winners.Add(1)
			}
			return err
		})
		if winners.Load() != 1 {
			e.Fatalf("%d transactions found the value absent", winners.Load())
		}
		e.wantCounter(wins, "n", 1)
	}
}

// compareAndSwap increases a version from several goroutines. Each version is written once.
func compareAndSwap(e *env) {
	const workers, each = 6, 20
	k := key("v", 3, "a")
	e.do(kv.Put{Key: k, Version: 1})
	var refused atomic.Int64
	e.together(workers, func(int) error {
		for won := 0; won < each; {
			q := &kv.Get{Key: k}
			if err := e.Read(e.ctx, q); err != nil {
				return err
			}
			failed, err := e.Txn(e.ctx, []kv.Cond{kv.VersionIs{Key: k, Version: q.Version}},
				kv.Put{Key: k, Version: q.Version + 1}, kv.Incr{Key: key("c", 3, "a"), Name: "n", By: 1})
			if err != nil {
				return err
			}
			if failed == -1 {
				won++
			} else {
				refused.Add(1)
			}
		}
		return nil
	})
	e.Logf("%d changes, %d refused", workers*each, refused.Load())
	e.wantValue(k, "", 1+workers*each)
	e.wantCounter(key("c", 3, "a"), "n", workers*each)
}

// sumPreserved moves amounts between members under ScoreIs.
func sumPreserved(e *env) {
	const accounts, workers, each = 5, 6, 25
	k := key("s", 3, "a")
	for i := range accounts {
		e.do(kv.Add{Key: k, Member: fmt.Sprint(i), Score: 100})
	}
	e.together(workers, func(w int) error {
		for n := range each {
			from, to := fmt.Sprint((w+n)%accounts), fmt.Sprint((w+2*n+1)%accounts)
			if from == to {
				continue
			}
			q := &kv.Scores{Key: k, Members: []string{from, to}}
			if err := e.Read(e.ctx, q); err != nil {
				return err
			}
			_, err := e.Txn(e.ctx,
				[]kv.Cond{kv.ScoreIs{Key: k, Member: from, Score: q.Values[0]}, kv.ScoreIs{Key: k, Member: to, Score: q.Values[1]}},
				kv.Add{Key: k, Member: from, Score: q.Values[0] - 7}, kv.Add{Key: k, Member: to, Score: q.Values[1] + 7})
			if err != nil {
				return err
			}
		}
		return nil
	})
	sum := int64(0)
	for _, mem := range e.all(k) {
		sum += mem.Score
	}
	if sum != accounts*100 {
		e.Errorf("transfers made %d of %d", sum, accounts*100)
	}
}

func counterLimit(e *env) {
	const limit = 30
	k := key("c", 3, "a")
	var made atomic.Int64
	e.together(8, func(int) error {
		for range 10 {
			failed, err := e.Txn(e.ctx, []kv.Cond{kv.CounterBelow{Key: k, Name: "n", Limit: limit}}, kv.Incr{Key: k, Name: "n", By: 1})
			if err != nil {
				return err
			}
			if failed == -1 {
				made.Add(1)
			}
		}
		return nil
	})
	if made.Load() != limit {
		e.Errorf("%d transactions passed a limit of %d", made.Load(), limit)
	}
	e.wantCounter(k, "n", limit)
}

func applyFromManySides(e *env) {
	const workers, each = 6, 200
	shared := feedKey()
	e.warm(shared, 0)
	e.together(workers, func(w int) error {
		var ops []kv.Op
		for i := range each {
			ops = append(ops, kv.Add{Key: key("s", uint16(i), "a"), Member: fmt.Sprint(w), Score: int64(w)},
				kv.Put{Key: key("v", uint16(i), fmt.Sprint(w)), Data: fmt.Append(nil, w), Version: 1})
			if i < 150 {
				ops = append(ops, &kv.Push{Key: shared, ID: uint64(i*workers + w + 1)})
			}
		}
		return e.Apply(e.ctx, ops...)
	})
	for i := range each {
		var want []kv.Member
		for w := range workers {
			want = append(want, m(int64(w), fmt.Sprint(w)))
			if i%20 == 0 {
				e.wantValue(key("v", uint16(i), fmt.Sprint(w)), fmt.Sprint(w), 1)
			}
		}
		wantSlice(e, fmt.Sprint("set ", i), e.all(key("s", uint16(i), "a")), want)
	}
	e.wantFeed(shared, 0, falling(150*workers, 1)...)
}

// transactionsAreAtomic checks that transactions with conditions and single queries read a
// consistent state: two members of a set that always change together.
func transactionsAreAtomic(e *env) {
	k := key("s", 3, "a")
	e.fill(k, m(0, "x"), m(0, "y"))
	e.together(4, func(i int) error {
		for n := range 80 {
			if i < 2 {
				score := int64(i*1000 + n)
				if _, err := e.Txn(e.ctx, nil, kv.Add{Key: k, Member: "x", Score: score}, kv.Add{Key: k, Member: "y", Score: score}); err != nil {
					return err
				}
				continue
			}
			q := &kv.Scores{Key: k, Members: []string{"x", "y"}}
			if err := e.Read(e.ctx, q); err != nil {
				return err
			}
			if q.Values[0] != q.Values[1] {
				return fmt.Errorf("a query saw a partial transaction: %v", q.Values)
			}
		}
		return nil
	})
}

// laterNotOlder checks the order of the queries for one shard, of any kind. If a later query does
// not see a write, an earlier one does not either. A feed can be behind, but not ahead.
func laterNotOlder(e *env) {
	const last = 100
	set, count, feed := key("s", 3, "a"), key("c", 3, "a"), key("f", 3, "a")
	e.do(kv.Fill{Key: feed, Token: "t", TTL: time.Hour}, kv.Filled{Key: feed, Token: "t"})
	var written atomic.Bool // set when the writer ends, even after a failure
	e.together(3, func(i int) error {
		if i == 0 {
			defer written.Store(true)
		}
		for n := int64(1); i == 0 && n <= last; n++ {
			if _, err := e.Txn(e.ctx, nil, kv.Add{Key: set, Member: "m", Score: n}, kv.Incr{Key: count, Name: "n", By: 1},
				&kv.Push{Key: feed, ID: uint64(n)}); err != nil {
				return err
			}
		}
		for i > 0 && !written.Load() {
			counts := &kv.Counters{Key: count, Names: []string{"n"}}
			score := &kv.Scores{Key: set, Members: []string{"m"}}
			ranges := [3]kv.Range{{Key: set, Limit: 1}, {Key: set, Limit: 1}, {Key: set, Limit: 1}}
			page := &kv.Feed{Key: feed, Limit: 1}
			if err := e.Read(e.ctx, &ranges[0], counts, &ranges[1], page, &ranges[2], score); err != nil {
				return err
			}
			seen := []int64{newest(ranges[0]), counts.Values[0], newest(ranges[1]), newest(ranges[2]), score.Values[0]}
			if !slices.IsSorted(seen) {
				return fmt.Errorf("later queries saw older data than earlier ones: %d", seen)
			}
			if len(page.IDs) > 0 && int64(page.IDs[0]) > seen[3] {
				return fmt.Errorf("a feed saw %d, but a later query saw %d", page.IDs[0], seen[3])
			}
		}
		return nil
	})
}

func newest(r kv.Range) int64 {
	if len(r.Members) == 0 {
		return 0
	}
	return r.Members[0].Score
}

// laterThanTies is laterNotOlder for a page that begins within many equal scores, for which an
// engine can need two reads.
func laterThanTies(e *env) {
	const last, ties, equal = 100, 20, int64(1) << 40
	set, count := key("s", 3, "a"), key("c", 3, "a")
	for i := range ties {
		e.do(kv.Add{Key: set, Member: fmt.Sprintf("t%02d", i), Score: equal})
	}
	e.do(kv.Add{Key: set, Member: "m", Score: 0})
	var written atomic.Bool // set when the writer ends, even after a failure
	e.together(3, func(i int) error {
		if i == 0 {
			defer written.Store(true)
		}
		for n := int64(1); i == 0 && n <= last; n++ {
			if _, err := e.Txn(e.ctx, nil, kv.Add{Key: set, Member: "m", Score: n}, kv.Incr{Key: count, Name: "n", By: 1}); err != nil {
				return err
			}
		}
		for i > 0 && !written.Load() {
			page := &kv.Range{Key: set, Below: &kv.Member{Score: equal, Member: "t10"}, Desc: true, Limit: 11}
			counts := &kv.Counters{Key: count, Names: []string{"n"}}
			if err := e.Read(e.ctx, page, counts); err != nil {
				return err
			}
			if seen := page.Members[10].Score; seen > counts.Values[0] {
				return fmt.Errorf("a page saw %d, but a later query saw %d", seen, counts.Values[0])
			}
		}
		return nil
	})
}
