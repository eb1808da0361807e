package kvtest

import (
	"math/rand/v2"
	"slices"

	"linnet/internal/kv"
)

func feedCutTests() []subtest {
	return []subtest{
		{"PushCuts", pushCuts},
		{"LatePushCuts", latePushCuts},
		{"MergeCutsOnce", mergeCuts},
		{"FilledCutsToKeep", filledCuts},
		{"FillingIsCutToo", fillingIsCut},
		{"FloorNeverSinks", floorNeverSinks},
		{"PagesOfAFullFeed", pagesOfFull},
	}
}

// rising returns the ids from low up to high.
func rising(low, high uint64) []uint64 {
	ids := falling(high, low)
	slices.Reverse(ids)
	return ids
}

func (e *env) push(k kv.Key, ids ...uint64) {
	e.Helper()
	changes := make([]kv.Op, len(ids))
	for i, id := range ids {
		changes[i] = &kv.Push{Key: k, ID: id}
	}
	e.apply(changes...)
}

func pushCuts(e *env) {
	k := feedKey()
	e.warm(k, 5, rising(11, 10+kv.FeedTrimmed)...)
	e.push(k, rising(1011, 1110)...)
	e.wantFeed(k, 5, falling(1110, 11)...) // FeedMax is within the limit
	e.push(k, 1110, 5, 11)
	e.wantFeed(k, 5, falling(1110, 11)...)
	e.push(k, 1111)
	e.wantFeed(k, 111, falling(1111, 112)...)
	e.push(k, 111, 50, 1112)
	e.wantFeed(k, 111, falling(1112, 112)...)
	e.push(k, rising(1113, 2212)...) // enough for eleven cuts in one call
	state, floor, ids := e.feed(k)
	if state != kv.Warm || len(ids) < kv.FeedTrimmed || len(ids) > kv.FeedMax {
		e.Fatalf("got state %d and %d ids", state, len(ids))
	}
	wantSlice(e, "ids", ids, falling(2212, floor+1))
}

// latePushCuts checks a cut that is caused by the oldest id.
func latePushCuts(e *env) {
	k := feedKey()
	var even []uint64
	for id := uint64(1000); len(even) < kv.FeedTrimmed; id += 2 {
		even = append(even, id)
	}
	e.warm(k, 0, even...)
	last := even[len(even)-1]
	e.push(k, rising(last+1, last+100)...)
	e.push(k, 1001)
	want := slices.Concat(rising(last+1, last+100), even)
	slices.Sort(want)
	slices.Reverse(want)
	e.wantFeed(k, 1000+99*2, want[:kv.FeedTrimmed]...)
	e.push(k, 1000+99*2, 1000+99*2+1)
	e.wantFeed(k, 1000+99*2, append(want[:kv.FeedTrimmed:kv.FeedTrimmed], 1000+99*2+1)...)
}

func mergeCuts(e *env) {
	k := feedKey()
	e.warm(k, 0, rising(1, 1000)...)
	e.apply(kv.Merge{Key: k, IDs: rising(901, 1100)})
	e.wantFeed(k, 0, falling(1100, 1)...)
	ids := rising(601, 1700)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	e.apply(kv.Merge{Key: k, IDs: ids})
	e.wantFeed(k, 700, falling(1700, 701)...)
	e.apply(kv.Merge{Key: k, IDs: rising(1, 1100)}) // all known or below the floor
	e.wantFeed(k, 700, falling(1700, 701)...)
}

func filledCuts(e *env) {
	k := feedKey()
	e.warm(k, 3, rising(1, 1000)...)
	e.wantFeed(k, 3, falling(1000, 4)...)

	k = key("home", 17, "longer")
	e.warm(k, 7, falling(2100, 1001)...)
	e.wantFeed(k, 1100, falling(2100, 1101)...)

	k = key("home", 17, "pushed")
	e.apply(begin(k, "t"))
	e.push(k, rising(5001, 5030)...)
	e.apply(kv.Filled{Key: k, Token: "t", IDs: rising(4001, 5010), Floor: 2})
	e.wantFeed(k, 4030, falling(5030, 4031)...)
}

// fillingIsCut checks that pushes to a feed in filling are limited, and that ids cut off are not
// returned.
func fillingIsCut(e *env) {
	k := feedKey()
	e.apply(begin(k, "t"))
	e.push(k, rising(1001, 2100)...)
	e.push(k, 2101) // 1001 to 1101 are cut off
	e.push(k, 1101, 900)
	e.apply(begin(k, "u"), kv.Pull{Key: k, ID: 1500})
	e.apply(kv.Filled{Key: k, Token: "u", IDs: rising(1051, 1150), Floor: 10})
	e.wantFeed(k, 1101, slices.Concat(falling(2101, 1501), falling(1499, 1102))...)

	k = key("home", 17, "again") // a new feed does not have the old floor
	for range 2 {
		e.apply(kv.Delete{Key: k}, begin(k, "t"))
		e.push(k, rising(1, 1200)...)
	}
	e.apply(kv.Delete{Key: k}, begin(k, "t"), &kv.Push{Key: k, ID: 2}, kv.Filled{Key: k, Token: "t", IDs: []uint64{1}})
	e.wantFeed(k, 0, 2, 1)
}

func floorNeverSinks(e *env) {
	k := feedKey()
	e.warm(k, 500, rising(501, 1500)...)
	e.push(k, rising(1501, 1601)...)
	e.wantFeed(k, 601, falling(1601, 602)...)
	var pulls []kv.Op
	for id := uint64(700); id <= 1601; id++ {
		pulls = append(pulls, kv.Pull{Key: k, ID: id})
	}
	e.apply(pulls...)
	e.push(k, 550, 601, 602)
	e.apply(kv.Merge{Key: k, IDs: []uint64{501, 700}})
	e.wantFeed(k, 601, falling(700, 602)...)
}

// pagesOfFull pages in both directions through a feed with more ids than one page.
func pagesOfFull(e *env) {
	k := feedKey()
	e.warm(k, 0, rising(1, 1000)...)
	e.push(k, rising(1001, 1100)...)
	down, up := &kv.Feed{Key: k, Limit: 40}, &kv.Feed{Key: k, Limit: 40, Asc: true}
	var newest, oldest []uint64
	for range 28 {
		e.read(down, up)
		newest = append(newest, down.IDs...)
		oldest = append(slices.Clone(up.IDs), oldest...)
		down.Below, up.Above = newest[len(newest)-1], oldest[0]
	}
	wantSlice(e, "from the newest", newest, falling(1100, 1))
	wantSlice(e, "from the oldest", oldest, falling(1100, 1))
	whole := &kv.Feed{Key: k, Limit: kv.MaxRange}
	e.read(whole)
	wantSlice(e, "one long page", whole.IDs, falling(1100, 101))
}
