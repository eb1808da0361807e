package feeds

import (
	"slices"
	"time"

	"linnet/internal/kv"
)

// fullFeed is the capacity of a full feed. Its 9,472 bytes are a size class of the runtime, with
// space for FeedMax and a few late ids.
const fullFeed = 9472 / 8

// lateIDs is the number of ids that a feed buffers before they enter its list. With five of them
// the struct has 128 bytes, two cache lines.
const lateIDs = 5

// feed is one list of ids, guarded by the lock of its stripe.
//
// A push mostly waits for memory, because feeds are far apart. So a push of a newer id only touches
// the two cache lines of this struct, except for every sixth one. All other operations call gather
// first.
type feed struct {
	key    string  // kind and id, see keyText
	newest uint64  // the greatest of ids and late; 0 without any
	floor  uint64  // all ids are greater
	filler *filler // nil for a warm feed
	count  uint32  // length of ids and late
	lates  uint16  // used length of late
	shard  uint16  // of the key
	late   [lateIDs]uint64
	ids    []uint64 // ascending, without duplicates, below the ids in late
	read   uint64   // tick of Feeds at the last read
	seen   int64    // time of the last read, if feeds expire
}

// filler is the token of the caller that rebuilds a feed, with its expiry.
type filler struct {
	token string
	until time.Time
}

// keyText returns the kind and id of a feed's key as a new string. Kinds contain no colon.
func keyText(k kv.Key) string { return k.Kind + ":" + k.ID }

// named reports whether k is the key of the feed.
func (f *feed) named(k kv.Key) bool {
	n := len(k.Kind)
	return f.shard == k.Shard && len(f.key) == n+1+len(k.ID) && f.key[n] == ':' && f.key[n+1:] == k.ID && f.key[:n] == k.Kind
}

// pushLate pushes an id that is the newest, as most are, into late. It returns false if the id is
// older or late is full.
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

// gather moves the late ids into the list.
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

// push inserts id. The caller has called gather, so pushLate succeeds for a newer id, which avoids
// another wait for the memory of the list.
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
	f.update()
	f.cut(kv.FeedMax)
}

// update updates count and newest after a change of the list.
func (f *feed) update() {
	n := len(f.ids)
	f.newest, f.count = 0, uint32(n)
	if n > 0 {
		f.newest = f.ids[n-1]
	}
}

// room makes space for n more ids. The list grows by a quarter, because most feeds are short.
func (f *feed) room(n int) {
	need := len(f.ids) + n
	c := need + need/4 + 8
	if need <= fullFeed {
		c = min(c, fullFeed)
	}
	f.ids = append(make([]uint64, 0, c), f.ids...)
}

// merge adds ids. If there are more than limit, it leaves FeedTrimmed.
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
	f.update()
}

// cut leaves the newest FeedTrimmed ids if there are more than limit.
func (f *feed) cut(limit int) {
	if n := len(f.ids); n > limit {
		f.raise(f.ids[n-kv.FeedTrimmed-1])
	}
}

// raise raises the floor and removes the ids up to it.
func (f *feed) raise(floor uint64) {
	f.floor = max(f.floor, floor)
	i, found := slices.BinarySearch(f.ids, f.floor)
	if found {
		i++
	}
	if i > 0 {
		f.ids = f.ids[:copy(f.ids, f.ids[i:])]
		f.update()
	}
}

func (f *feed) filled(c kv.Filled) {
	if f.filler == nil || f.filler.token != c.Token {
		return
	}
	f.filler = nil
	f.raise(c.Floor)
	f.merge(c.IDs, kv.FeedTrimmed)
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
