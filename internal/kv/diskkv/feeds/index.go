package feeds

// index finds the feeds of a stripe by hash: an open hash table with linear probing. Unlike a Go
// map, a lookup usually reads one location in memory, and locations can be prefetched (see
// pushSome).
type index struct {
	slots []slot // a power of two, or empty; at least a quarter are free
	n     int
}

// slot is free if feed is nil.
type slot struct {
	hash uint64
	feed *feed
}

// find returns the first feed with a hash from a slot on, and its slot, or nil. Different keys can
// have the same hash, so the caller compares the key and continues with the next slot.
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

// taken reports whether the first slot for a hash is used. If not, no feed has the hash.
func (x *index) taken(hash uint64) bool {
	return len(x.slots) > 0 && x.slots[int(hash)&(len(x.slots)-1)].feed != nil
}

// add adds a new feed.
func (x *index) add(hash uint64, f *feed) {
	if 4*(x.n+1) > 3*len(x.slots) {
		old := x.slots
		x.slots = make([]slot, max(2*len(old), 8))
		for _, s := range old {
			if s.feed != nil {
				x.slot(s)
			}
		}
	}
	x.slot(slot{hash, f})
	x.n++
}

func (x *index) slot(s slot) {
	mask := len(x.slots) - 1
	i := int(s.hash) & mask
	for x.slots[i].feed != nil {
		i = (i + 1) & mask
	}
	x.slots[i] = s
}

// remove removes a feed and reports whether it was found. It moves later feeds up, so that no
// search meets a free slot before its feed.
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
