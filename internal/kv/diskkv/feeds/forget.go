package feeds

import "math/rand/v2"

// samples is the number of feeds that are compared to evict one. The least recently read of 16
// feeds is in the oldest tenth with a probability of 81 %, and almost never one in daily use.
const samples = 16

// victim is a candidate for eviction.
type victim struct {
	stripe *stripe
	slot
	read uint64
}

// bound evicts feeds if they exceed the limit.
func (fs *Feeds) bound() {
	if fs.bytes.Load() > fs.limit {
		fs.forget()
	}
}

// forget evicts feeds until all fit the limit. It returns at once if another caller is evicting.
func (fs *Feeds) forget() {
	if !fs.evict.TryLock() {
		return
	}
	defer fs.evict.Unlock()
	for fs.bytes.Load() > fs.limit {
		v, ok := fs.sample()
		if !ok {
			return
		}
		v.stripe.mu.Lock()
		if v.feed.read == v.read { // otherwise it has been read meanwhile
			fs.drop(v.stripe, v.hash, v.feed)
		}
		v.stripe.mu.Unlock()
	}
}

// sample compares some feeds, starting at a random stripe, and returns the least recently read one.
func (fs *Feeds) sample() (victim, bool) {
	const perStripe = 4
	var oldest victim
	seen := 0
	start := rand.IntN(len(fs.stripes))
	for i := range fs.stripes {
		s := &fs.stripes[(start+i)%len(fs.stripes)]
		s.mu.Lock()
		here := 0
		for n, from := 0, rand.IntN(max(len(s.index.slots), 1)); n < len(s.index.slots) && here < perStripe; n++ {
			at := s.index.slots[(from+n)%len(s.index.slots)]
			if at.feed == nil {
				continue
			}
			if seen == 0 || at.feed.read < oldest.read {
				oldest = victim{s, at, at.feed.read}
			}
			seen++
			here++
		}
		s.mu.Unlock()
		if seen >= samples {
			break
		}
	}
	return oldest, seen > 0
}

// Sweep drops the feeds whose filler or lifetime has expired.
func (fs *Feeds) Sweep() {
	now := fs.now()
	for i := range fs.stripes {
		s := &fs.stripes[i]
		s.mu.Lock()
		for n := 0; n < len(s.index.slots); {
			at := s.index.slots[n]
			if f := at.feed; f != nil && (f.filler != nil && !now.Before(f.filler.until) || fs.outlived(f, now)) {
				fs.drop(s, at.hash, f) // another feed may move into the slot
			} else {
				n++
			}
		}
		s.mu.Unlock()
	}
}
