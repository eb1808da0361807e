package db

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// counting records how many ranges were read, in how many calls, and their sizes.
type counting struct {
	kv.Engine
	calls, ranges, members int
}

func (c *counting) Read(ctx context.Context, qs ...kv.Query) error {
	err := c.Engine.Read(ctx, qs...)
	c.calls++
	for _, q := range qs {
		if r, ok := q.(*kv.Range); ok {
			c.ranges, c.members = c.ranges+1, c.members+len(r.Members)
		}
	}
	return err
}

// authors writes profiles with the given numbers of statuses at random times.
func authors(t *testing.T, rnd *rand.Rand, e kv.Engine, posts []int) (ids []linnet.ID, all []record.Post) {
	t.Helper()
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, n := range posts {
		shard := uint16(rnd.IntN(kv.Shards))
		author := linnet.MakeID(begin.Add(time.Duration(i)*time.Millisecond), shard, 0)
		ids = append(ids, author)
		var ops []kv.Op
		for range n {
			st := &linnet.Status{ID: linnet.MakeID(begin.Add(time.Duration(rnd.IntN(1e9))*time.Millisecond), shard, uint8(rnd.IntN(64))), Author: author}
			if rnd.IntN(5) == 0 {
				st.Visibility = linnet.Direct
			}
			ops = append(ops, kv.Add{Key: record.PostsKey(author), Member: record.PostEntry(st), Score: st.ID.Millis()})
			all = append(all, record.Post{ID: st.ID, Author: author, Visibility: st.Visibility})
		}
		if len(ops) > 0 {
			if err := e.Apply(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.SortFunc(all, func(a, b record.Post) int { return cmp.Compare(b.ID, a.ID) })
	return ids, slices.CompactFunc(all, func(a, b record.Post) bool { return a.ID == b.ID })
}

func notDirect(p record.Post) bool { return p.Visibility != linnet.Direct }

// TestMergeIsComplete checks that a merge has all entries from its beginning to its edge, for any
// profiles, span and refusals. If nothing is refused, it has as many as requested.
func TestMergeIsComplete(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	for round := range 60 {
		e := memkv.New(memkv.Options{})
		posts := make([]int, 1+rnd.IntN(40))
		for i := range posts {
			if posts[i] = rnd.IntN(6); rnd.IntN(4) == 0 {
				posts[i] = rnd.IntN(200)
			}
		}
		ids, all := authors(t, rnd, e, posts)
		d := New(e, Options{})
		for range 20 {
			sp := Span{Limit: 1 + rnd.IntN(150), Asc: rnd.IntN(3) == 0}
			for _, bound := range []*linnet.ID{&sp.Above, &sp.Below} {
				if len(all) > 0 && rnd.IntN(2) == 0 {
					*bound = all[rnd.IntN(len(all))].ID + linnet.ID(rnd.IntN(2))
				}
			}
			keep, least := func(record.Post) bool { return true }, 1+rnd.IntN(sp.Limit)
			enough := least
			if rnd.IntN(2) == 0 {
				keep, enough = notDirect, 0
			}
			m, err := d.MergePosts(t.Context(), ProfileSource, ids, sp, least, keep)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("round %d, %+v of %d authors", round, sp, len(ids))
			within := slices.DeleteFunc(slices.Clone(all), func(p record.Post) bool {
				return !keep(p) || p.ID <= sp.Above || sp.Below != 0 && p.ID >= sp.Below
			})
			reached := slices.DeleteFunc(slices.Clone(within), func(p record.Post) bool {
				return p.ID <= m.Floor || m.Ceiling != 0 && p.ID >= m.Ceiling
			})
			same := func(a, b record.Post) bool { return a.ID == b.ID && a.Author == b.Author }
			if !slices.EqualFunc(m.Posts, reached, same) {
				t.Fatalf("%s: %d entries above %v below %v, there are %d", what, len(m.Posts), m.Floor, m.Ceiling, len(reached))
			}
			whole := m.Floor == 0 && m.Ceiling == 0
			if whole && len(reached) != len(within) || !whole && len(m.Posts) < min(enough, len(within)) {
				t.Fatalf("%s: %d entries of %d, the whole: %v", what, len(m.Posts), len(within), whole)
			}
		}
	}
}

// TestMergeOfSharedEntries checks that an entry in several sources counts once.
func TestMergeOfSharedEntries(t *testing.T) {
	e := &counting{Engine: memkv.New(memkv.Options{})}
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var ids []linnet.ID
	for i := range 300 {
		author := linnet.MakeID(begin, uint16(i), 0)
		ids = append(ids, author)
		var ops []kv.Op
		for n := range 1200 {
			id := linnet.MakeID(begin.Add(time.Duration(n)*time.Second), 7, 0)
			ops = append(ops, kv.Add{Key: record.PromotionSource(author), Member: id.String(), Score: id.Millis()})
		}
		if err := e.Apply(t.Context(), ops...); err != nil {
			t.Fatal(err)
		}
	}
	d := New(e, Options{})
	for _, c := range []struct{ limit, least int }{{kv.FeedTrimmed, 81}, {70, 70}, {20, 20}} {
		for _, asc := range []bool{false, true} {
			e.calls, e.members = 0, 0
			m, err := d.MergePosts(t.Context(), record.PromotionSource, ids, Span{Limit: c.limit, Asc: asc}, c.least, func(record.Post) bool { return true })
			different := slices.CompactFunc(m.Posts, func(a, b record.Post) bool { return a.ID == b.ID })
			if err != nil || len(different) < min(c.least, mergeMost) || e.members > (mergeMost+mergeLeast)*len(ids)+mergeShare*c.limit {
				t.Errorf("of %d, %d needed, rising %v: %d, of %d entries in %d calls: %v", c.limit, c.least, asc, len(different), e.members, e.calls, err)
			}
		}
	}
}

// TestMergeOfWhatIsRefused checks that a merge does not read everything if nearly all is refused.
func TestMergeOfWhatIsRefused(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	e := &counting{Engine: memkv.New(memkv.Options{})}
	posts := make([]int, 200)
	for i := range posts {
		posts[i] = 1200
	}
	ids, _ := authors(t, rnd, e, posts)
	m, err := New(e, Options{}).MergePosts(t.Context(), ProfileSource, ids, Span{Limit: kv.FeedTrimmed}, 81, func(record.Post) bool { return false })
	if err != nil || len(m.Posts) > 0 || m.Floor == 0 || e.members > 90*len(ids) {
		t.Errorf("%d entries above %v, of %d in %d calls: %v", len(m.Posts), m.Floor, e.members, e.calls, err)
	}
}

// TestMergeReadsLittle checks that a merge reads few entries of very many authors, and more only of
// authors with more among the newest.
func TestMergeReadsLittle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	posts := make([]int, 1000)
	for i := range posts {
		if posts[i] = 40; i%50 == 0 {
			posts[i] = 400
		}
	}
	e := &counting{Engine: memkv.New(memkv.Options{})}
	ids, _ := authors(t, rnd, e, posts)
	d := New(e, Options{})
	for _, c := range []struct{ limit, least, found, calls, ranges, members int }{
		{200, 200, 200, 3, 1300, 3000}, {60, 60, 60, 3, 1200, 2500}, {kv.FeedTrimmed, kv.FeedTrimmed, kv.FeedTrimmed, 3, 1300, 9000},
		{kv.FeedTrimmed, 500, 900, 3, 1300, 9000}, // a further read goes as far as the limit
	} {
		e.calls, e.ranges, e.members = 0, 0, 0
		m, err := d.MergePosts(t.Context(), ProfileSource, ids, Span{Limit: c.limit}, c.least, notDirect)
		if err != nil || len(m.Posts) < c.found {
			t.Fatal(len(m.Posts), err)
		}
		if e.calls > c.calls || e.ranges > c.ranges || e.members > c.members {
			t.Errorf("the newest %d took %d calls, %d ranges and %d entries", c.limit, e.calls, e.ranges, e.members)
		}
		t.Logf("%d of the newest %d took %d calls, %d ranges and %d entries", len(m.Posts), c.limit, e.calls, e.ranges, e.members)
	}
}
