package diskkv

import (
	"slices"
	"time"

	"linnet/internal/kv"
)

// A full feed lies in a block of 9,472 bytes, a size in which the runtime hands
// memory out: room for FeedMax and a few ids that come before the cut.
const fullFeed = 9472 / 8

// feed is one list of ids. Its stripe's lock guards it. It fits one cache line,
// and the newest id is kept there too: a push of a newer one then reads nothing
// of the list itself, which is where the time went.
type feed struct {
	ids    []uint64 // rising, without repeats, above floor
	newest uint64   // last of ids, or 0
	floor  uint64
	filler *filler // nil when warm
	read   uint64  // when it was last read, in ticks of feeds
	seen   int64   // the same as a time, if feeds do not live for ever
}

// filler is who rebuilds a feed, and until when.
type filler struct {
	token string
	until time.Time
}

// push puts id in its place. Most ids are the newest.
func (f *feed) push(id uint64) {
	if id > f.newest && id > f.floor {
		if len(f.ids) == cap(f.ids) {
			f.room(1)
		}
		f.ids = append(f.ids, id)
		f.newest = id
	} else if !f.insert(id) {
		return
	}
	f.cut(kv.FeedMax)
}

// insert puts an id that is not the newest in its place.
func (f *feed) insert(id uint64) bool {
	if id <= f.floor {
		return false
	}
	i, found := slices.BinarySearch(f.ids, id)
	if found {
		return false
	}
	if len(f.ids) == cap(f.ids) {
		f.room(1)
	}
	f.ids = slices.Insert(f.ids, i, id)
	return true
}

// settle notes the newest id after the list was changed.
func (f *feed) settle() {
	f.newest = 0
	if n := len(f.ids); n > 0 {
		f.newest = f.ids[n-1]
	}
}

// room makes place for n ids more. It grows by a quarter: feeds are many, and
// most of them are short.
func (f *feed) room(n int) {
	need := len(f.ids) + n
	c := need + need/4 + 8
	if need <= fullFeed {
		c = min(c, fullFeed)
	}
	f.ids = append(make([]uint64, 0, c), f.ids...)
}

func (f *feed) pull(id uint64) {
	if i, ok := slices.BinarySearch(f.ids, id); ok {
		f.ids = slices.Delete(f.ids, i, i+1)
		f.settle()
	}
}

// merge adds many ids and leaves at most limit, or FeedKeep.
func (f *feed) merge(ids []uint64, limit int) {
	all := make([]uint64, 0, len(f.ids)+len(ids))
	all = append(all, f.ids...)
	for _, id := range ids {
		if id > f.floor {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	old := f.ids
	f.ids = slices.Compact(all)
	f.cut(limit)
	if n := len(f.ids); n <= cap(old) {
		f.ids = append(old[:0], f.ids...)
	} else {
		f.ids = f.ids[:n:n]
		f.room(1)
	}
	f.settle()
}

// cut leaves the newest FeedKeep ids if there are more than limit.
func (f *feed) cut(limit int) {
	if n := len(f.ids); n > limit {
		f.raise(f.ids[n-kv.FeedKeep-1])
	}
}

// raise lifts the floor and drops what is not above it.
func (f *feed) raise(floor uint64) {
	f.floor = max(f.floor, floor)
	i, found := slices.BinarySearch(f.ids, f.floor)
	if found {
		i++
	}
	if i > 0 {
		f.ids = f.ids[:copy(f.ids, f.ids[i:])]
		f.settle()
	}
}

func (f *feed) filled(c kv.Filled) {
	if f.filler == nil || f.filler.token != c.Token {
		return
	}
	f.filler = nil
	f.raise(c.Floor)
	f.merge(c.IDs, kv.FeedKeep)
}

// page answers a query; a nil feed is cold.
func (f *feed) page(q *kv.Feed) {
	q.State, q.Floor, q.IDs = kv.Cold, 0, nil
	if f == nil {
		return
	}
	if f.filler != nil {
		q.State = kv.Filling
		return
	}
	q.State, q.Floor = kv.Warm, f.floor
	from, found := slices.BinarySearch(f.ids, q.Above)
	if found {
		from++
	}
	to := len(f.ids)
	if q.Below != 0 {
		to, _ = slices.BinarySearch(f.ids, q.Below)
	}
	if to-from > q.Limit {
		if q.Asc {
			to = from + q.Limit
		} else {
			from = to - q.Limit
		}
	}
	if from >= to {
		return
	}
	q.IDs = make([]uint64, 0, to-from)
	for i := to - 1; i >= from; i-- {
		q.IDs = append(q.IDs, f.ids[i])
	}
}
