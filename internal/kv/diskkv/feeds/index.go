package feeds

// index finds the feeds of a stripe by the hashes of their keys: an open hash table
// with linear probing. The map of the language does the same; but here a lookup reads
// one place in memory, and places can be read ahead (see pushSome).
type index struct {
	slots []slot // their number is a power of two, or 0; at least a quarter are free
	n     int
}

// slot is free if feed is nil.
type slot struct {
	hash uint64
	feed *feed
}

// find returns the first feed with a hash, from a place on, and the place; nil if
// there is none. Keys may share a hash: the caller compares, and goes on behind it.
func (x *index) find(hash uint64, from int) (*feed, int) {
	if len(x.slots) == 0 {
		return nil, 0
	}
	mask := len(x.slots) - 1
	for i := from & mask; ; i = (i + 1) & mask {
		switch s := &x.slots[i]; {
		case s.feed == nil:
			return nil, i
		case s.hash == hash:
			return s.feed, i
		}
	}
}

// taken says whether there is something where the search for a hash begins. If not,
// there is no feed with it.
func (x *index) taken(hash uint64) bool {
	return len(x.slots) > 0 && x.slots[int(hash)&(len(x.slots)-1)].feed != nil
}

// add puts in a feed that is not there.
func (x *index) add(hash uint64, f *feed) {
	if 4*(x.n+1) > 3*len(x.slots) {
		old := x.slots
		x.slots = make([]slot, max(2*len(old), 8))
		for _, s := range old {
			if s.feed != nil {
				x.place(s)
			}
		}
	}
	x.place(slot{hash, f})
	x.n++
}

func (x *index) place(s slot) {
	mask := len(x.slots) - 1
	i := int(s.hash) & mask
	for x.slots[i].feed != nil {
		i = (i + 1) & mask
	}
	x.slots[i] = s
}

// remove takes out a feed and reports whether it was there. Those behind it move up,
// so that every search still comes past no free slot.
func (x *index) remove(hash uint64, f *feed) bool {
	at, i := x.find(hash, int(hash))
	for at != f {
		if at == nil {
			return false
		}
		at, i = x.find(hash, i+1)
	}
	mask := len(x.slots) - 1
	for next := (i + 1) & mask; x.slots[next].feed != nil; next = (next + 1) & mask {
		if home := int(x.slots[next].hash) & mask; (next-home)&mask >= (next-i)&mask {
			x.slots[i], i = x.slots[next], next
		}
	}
	x.slots[i] = slot{}
	x.n--
	return true
}
