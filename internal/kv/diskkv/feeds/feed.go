package feeds

import (
	"slices"
	"time"

	"linnet/internal/kv"
)

// A full feed lies in a block of 9,472 bytes, a size in which the runtime hands
// memory out: room for FeedMax and a few ids that come before the cut.
const fullFeed = 9472 / 8

// lateIDs is how many ids a feed takes before they go into its list: so many that its
// struct takes 128 bytes, two cache lines.
const lateIDs = 5

// feed is one list of ids. Its stripe's lock guards it. Feeds lie far apart, and
// most of a push would be waiting for memory; so a push of a newer id stays in the two
// cache lines of this, and goes to the list every sixth time only. Whoever does
// anything else gathers the late ids first.
type feed struct {
	key    string  // kind and id: see keyText
	newest uint64  // the greatest of ids and late, or 0
	floor  uint64  // all ids are above it
	filler *filler // nil when warm
	count  uint32  // how many ids and late are
	lates  uint16  // how many of late are taken
	shard  uint16  // of the key
	late   [lateIDs]uint64
	ids    []uint64 // rising, without repeats, below those of late
	read   uint64   // when it was last read, in ticks of Feeds
	seen   int64    // the same as a time, if feeds do not live for ever
}

// filler is who rebuilds a feed, and until when.
type filler struct {
	token string
	until time.Time
}

// keyText is kind and id of a feed's key as one text of its own. Kinds hold no colon.
func keyText(k kv.Key) string { return k.Kind + ":" + k.ID }

// named says whether k is the key of the feed.
func (f *feed) named(k kv.Key) bool {
	n := len(k.Kind)
	return f.shard == k.Shard && len(f.key) == n+1+len(k.ID) && f.key[n] == ':' && f.key[n+1:] == k.ID && f.key[:n] == k.Kind
}

// pushLate is push for an id that is the newest, as most are, and reports false if
// it is not, or has to go into the list.
func (f *feed) pushLate(id uint64) bool {
	if id <= f.newest || id <= f.floor || f.lates == lateIDs || f.count >= kv.FeedMax {
		return false
	}
	f.late[f.lates] = id
	f.lates++
	f.count++
	f.newest = id
	return true
}

// gather puts the late ids into the list.
func (f *feed) gather() {
	if f.lates == 0 {
		return
	}
	if int(f.count) > cap(f.ids) {
		f.room(int(f.lates))
	}
	f.ids = append(f.ids, f.late[:f.lates]...)
	f.lates = 0
}

// push puts id in its place. Late ids have been gathered, so there is room for a late
// one: to read the list now, just to see where it ends, would be waiting again.
func (f *feed) push(id uint64) {
	if id <= f.floor || f.pushLate(id) {
		return
	}
	i := len(f.ids)
	if id <= f.newest {
		var found bool
		if i, found = slices.BinarySearch(f.ids, id); found {
			return
		}
	}
	if len(f.ids) == cap(f.ids) {
		f.room(1)
	}
	f.ids = slices.Insert(f.ids, i, id)
	f.settle()
	f.cut(kv.FeedMax)
}

// settle notes how many ids there are, and the newest, after the list was changed.
func (f *feed) settle() {
	n := len(f.ids)
	f.newest, f.count = 0, uint32(n)
	if n > 0 {
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

// page answers a query.
func (f *feed) page(q *kv.Feed) {
	if f.filler != nil {
		q.State, q.Floor, q.IDs = kv.Filling, 0, nil
		return
	}
	q.State, q.Floor, q.IDs = kv.Warm, f.floor, nil
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
