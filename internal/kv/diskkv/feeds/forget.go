package feeds

import "math/rand/v2"

// samples is how many feeds are looked at to find one to forget. The one that
// was read longest ago among 16 is in the oldest tenth with 81 % of likelihood,
// and hardly ever one of those in daily use.
const samples = 16

// victim is a feed that may be forgotten.
type victim struct {
	stripe *stripe
	slot
	read uint64
}

// bound forgets feeds if they take too much.
func (fs *Feeds) bound() {
	if fs.bytes.Load() > fs.limit {
		fs.forget()
	}
}

// forget drops feeds until all fit the limit again. One caller does it for all.
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
		if v.feed.read == v.read { // else somebody has asked for it meanwhile
			fs.drop(v.stripe, v.hash, v.feed)
		}
		v.stripe.mu.Unlock()
	}
}

// sample looks at some feeds, from stripes that lie behind a random one, and
// returns the one read longest ago.
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

// Sweep drops the feeds whose filler gave up, and those that nobody reads.
func (fs *Feeds) Sweep() {
	now := fs.now()
	for i := range fs.stripes {
		s := &fs.stripes[i]
		s.mu.Lock()
		for n := 0; n < len(s.index.slots); {
			at := s.index.slots[n]
			if f := at.feed; f != nil && (f.filler != nil && !now.Before(f.filler.until) || fs.outlived(f, now)) {
				fs.drop(s, at.hash, f) // another may come to its place
			} else {
				n++
			}
		}
		s.mu.Unlock()
	}
}
