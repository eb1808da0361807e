package rediskv_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
)

// commands returns how often the server has executed each command.
func commands(t testing.TB, s *redistest.Server) map[string]int {
	t.Helper()
	calls := map[string]int{}
	for line := range strings.Lines(s.Do("INFO", "commandstats")) {
		name, rest, ok := strings.Cut(line, ":calls=")
		if !ok {
			continue
		}
		n, err := strconv.Atoi(rest[:strings.IndexByte(rest, ',')])
		if err != nil {
			t.Fatal(err)
		}
		calls[strings.TrimPrefix(name, "cmdstat_")] = n
	}
	return calls
}

// warm fills a feed with n ids, the last of them being last.
func warm(t testing.TB, e kv.Store, k kv.Key, n int, last uint64) {
	t.Helper()
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = last - uint64(n-1-i)*65_536
	}
	err := e.Apply(t.Context(), kv.Fill{Key: k, Token: "t", TTL: 1e9}, kv.Filled{Key: k, Token: "t", IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
}

const someID = 114_000_000_000_000_000

// TestFeedPageCost checks that the cost of a page depends on its size, and not on the size of the
// feed.
func TestFeedPageCost(t *testing.T) {
	s := redistest.Start(t)
	p := redistest.NewProxy(t, s.Addr())
	e := open(t, p.URL(), patient)
	k := key("home", 3, "a")
	warm(t, e, k, kv.FeedTrimmed, someID)
	newest := &kv.Feed{Key: k, Limit: 40}
	if err := e.Read(t.Context(), newest); err != nil {
		t.Fatal(err)
	}
	next := &kv.Feed{Key: k, Limit: 40, Below: newest.IDs[39]}
	deep := &kv.Feed{Key: k, Limit: 40, Below: someID - 900*65_536 + 1}
	above := &kv.Feed{Key: k, Limit: 40, Above: someID - 500*65_536, Asc: true}
	for _, q := range []*kv.Feed{next, deep, above} { // so that the server has the script
		if err := e.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name           string
		q              *kv.Feed
		lindex, lrange int
	}{
		{"newest", newest, 0, 1},
		{"next", next, 9, 2}, // one of them for the ids behind the mark
		{"deep", deep, 16, 2},
		{"above", above, 16, 2},
	} {
		bytes := int64(math.MaxInt64)
		for range 3 { // the client may open one more connection, with a greeting of 251 bytes
			s.Do("CONFIG", "RESETSTAT")
			_, before := p.Passed()
			if err := e.Read(t.Context(), c.q); err != nil {
				t.Fatal(err)
			}
			_, after := p.Passed()
			bytes = min(bytes, after-before)
			calls := commands(t, s)
			if len(c.q.IDs) != 40 || calls["lindex"] > c.lindex || calls["lrange"] != c.lrange || calls["evalsha_ro"] > 1 {
				t.Errorf("%s: %d ids, commands %v, want at most %d lindex", c.name, len(c.q.IDs), calls, c.lindex)
			}
		}
		if bytes > 42*26 {
			t.Errorf("%s: %d bytes for 40 ids", c.name, bytes)
		}
	}
}

// TestReadIsOnePipeline checks that queries of all kinds are sent together.
func TestReadIsOnePipeline(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), patient)
	var qs []kv.Query
	for i := range 300 {
		id := fmt.Sprint(i)
		qs = append(qs, &kv.Get{Key: key("v", 3, id)}, &kv.Counters{Key: key("c", 4, id), Names: []string{"a", "b"}},
			&kv.Scores{Key: key("s", 5, id), Members: []string{"a"}}, &kv.Range{Key: key("s", 5, id), Limit: 9},
			&kv.Feed{Key: key("home", 6, id), Limit: 9})
	}
	s.Do("CONFIG", "RESETSTAT")
	if err := e.Read(t.Context(), qs...); err != nil {
		t.Fatal(err)
	}
	calls := commands(t, s)
	for _, name := range []string{"get", "hmget", "zmscore", "zrangebyscore", "lrange"} {
		if calls[name] != 300 {
			t.Errorf("%d calls of %s, want 300", calls[name], name)
		}
	}
}

// TestSetPageCost checks that a cursor among many equal scores costs a logarithmic number of steps.
func TestSetPageCost(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), patient)
	k := key("followers", 3, "a")
	const n = 20_000
	for at := 0; at < n; at += kv.MaxApply {
		changes := make([]kv.Op, kv.MaxApply)
		for i := range changes {
			changes[i] = kv.Add{Key: k, Member: fmt.Sprintf("%06d", 2*(at+i)), Score: 7}
		}
		if err := e.Apply(t.Context(), changes...); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		cursor string
		most   int
	}{{"020000", 2}, {"020001", 20}} {
		q := &kv.Range{Key: k, Above: &kv.Member{Score: 7, Member: c.cursor}, Limit: 40}
		if err := e.Read(t.Context(), q); err != nil { // so that the server has the script
			t.Fatal(err)
		}
		s.Do("CONFIG", "RESETSTAT")
		if err := e.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		calls := commands(t, s)
		if len(q.Members) != 40 || q.Members[0].Member != "020002" || calls["zrange"] > c.most || calls["zrangebyscore"] > 1 {
			t.Errorf("after %s: %d members, commands %v", c.cursor, len(q.Members), calls)
		}
	}
}

// TestNamesCostOneCommand checks that a prefix search among many names takes one command and one
// round trip.
func TestNamesCostOneCommand(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), patient)
	k := key("names", 3, "a")
	changes := make([]kv.Op, 500)
	for i := range changes {
		changes[i] = kv.Add{Key: k, Member: fmt.Sprintf("a%03d", i)}
	}
	if err := e.Apply(t.Context(), changes...); err != nil {
		t.Fatal(err)
	}
	q := &kv.Range{Key: k, Above: &kv.Member{Member: "a30"}, Below: &kv.Member{Member: "a31"}, Limit: 40}
	if err := e.Read(t.Context(), q); err != nil { // so that the server has the script
		t.Fatal(err)
	}
	s.Do("CONFIG", "RESETSTAT")
	if err := e.Read(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if calls := commands(t, s); len(q.Members) != 10 || q.Members[0].Member != "a300" || calls["evalsha_ro"] != 1 || calls["zrangebyscore"] > 0 {
		t.Errorf("%v, commands %v", q.Members, calls)
	}
}

// TestSetPageAmongFewTies checks that plain commands are enough for cursors among a few equal
// scores, in both directions, and that the pages contain all members.
func TestSetPageAmongFewTies(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), patient)
	k := key("followers", 3, "a")
	var all []kv.Member
	var changes []kv.Op
	for i := range 400 {
		m := kv.Member{Score: int64(i / 7), Member: fmt.Sprintf("%03d", i*37%400)}
		all, changes = append(all, m), append(changes, kv.Add{Key: k, Member: m.Member, Score: m.Score})
	}
	if err := e.Apply(t.Context(), changes...); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, kv.Member.Compare)
	for _, desc := range []bool{false, true} {
		want := slices.Clone(all)
		if desc {
			slices.Reverse(want)
		}
		s.Do("CONFIG", "RESETSTAT")
		var got []kv.Member
		q := &kv.Range{Key: k, Limit: 9, Desc: desc}
		for {
			if err := e.Read(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			if len(q.Members) == 0 {
				break
			}
			got = append(got, q.Members...)
			last := got[len(got)-1]
			if q.Above = &last; desc {
				q.Above, q.Below = nil, &last
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("falling %v: %v", desc, got)
		}
		if calls := commands(t, s); calls["evalsha_ro"] > 0 {
			t.Errorf("falling %v: commands %v", desc, calls)
		}
	}
	for from := range 40 { // both bounds, among equal scores or not
		for to := from; to < from+25; to += 3 {
			q := &kv.Range{Key: k, Above: &all[from], Below: &all[to], Limit: 12}
			if from%3 == 0 {
				q.Below = &kv.Member{Score: all[to].Score, Member: all[to].Member + "x"}
			}
			var want []kv.Member
			for _, m := range all {
				if m.Compare(*q.Above) > 0 && m.Compare(*q.Below) < 0 && len(want) < 12 {
					want = append(want, m)
				}
			}
			if err := e.Read(t.Context(), q); err != nil || !slices.Equal(q.Members, want) {
				t.Errorf("%d to %d: %v, want %v, %v", from, to, q.Members, want, err)
			}
		}
	}
}

// TestFeedsArePacked checks that an entry of a full feed takes about ten bytes.
func TestFeedsArePacked(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), patient)
	k := key("home", 3, "a")
	warm(t, e, k, kv.FeedTrimmed, someID)
	use := func() float64 {
		n, err := strconv.Atoi(strings.TrimPrefix(s.Do("MEMORY", "USAGE", k.String(), "SAMPLES", "0"), ":"))
		if err != nil {
			t.Fatal(err)
		}
		return float64(n) / kv.FeedTrimmed
	}
	filled := use()
	for i := range 3000 { // cut many times, with late ids among them
		id := uint64(someID + (i+1)*65_536)
		if i%10 == 9 {
			id -= 5*65_536 - 1
		}
		if err := e.Apply(t.Context(), &kv.Push{Key: k, ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	pushed := use()
	t.Logf("bytes an entry: %.1f when filled, %.1f after 3,000 pushes", filled, pushed)
	if filled > 13 || pushed > 16 {
		t.Errorf("bytes an entry: %.1f when filled, %.1f after 3,000 pushes", filled, pushed)
	}
}
