package diskkv

import "math/rand/v2"

// samples is how many feeds are looked at to find one to forget. The one that
// was read longest ago among 16 is in the oldest tenth with 81 % of likelihood,
// and hardly ever one of those in daily use.
const samples = 16

// victim is a feed that may be forgotten.
type victim struct {
	stripe *stripe
	key    feedKey
	read   uint64
}

// bound forgets feeds if they take too much.
func (fs *feeds) bound() {
	if fs.bytes.Load() > fs.limit {
		fs.forget()
	}
}

// forget drops feeds until all fit the limit again. One caller does it for all.
func (fs *feeds) forget() {
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
		if f := v.stripe.feeds[v.key]; f != nil && f.read == v.read {
			fs.drop(v.stripe, v.key, f)
		}
		v.stripe.mu.Unlock()
	}
}

// sample looks at some feeds, from stripes that lie behind a random one, and
// returns the one read longest ago.
func (fs *feeds) sample() (victim, bool) {
	const perStripe = 4
	var oldest victim
	seen := 0
	start := rand.IntN(len(fs.stripes))
	for i := range fs.stripes {
		s := &fs.stripes[(start+i)%len(fs.stripes)]
		s.mu.Lock()
		here := 0
		for k, f := range s.feeds { // begins at a random place
			if seen == 0 || f.read < oldest.read {
				oldest = victim{s, k, f.read}
			}
			seen++
			if here++; here == perStripe {
				break
			}
		}
		s.mu.Unlock()
		if seen >= samples {
			break
		}
	}
	return oldest, seen > 0
}

// sweep drops the feeds whose filler gave up, and those that nobody reads.
func (fs *feeds) sweep() {
	now := fs.now()
	for i := range fs.stripes {
		s := &fs.stripes[i]
		s.mu.Lock()
		for k, f := range s.feeds {
			if f.filler != nil && !now.Before(f.filler.until) || fs.outlived(f, now) {
				fs.drop(s, k, f)
			}
		}
		s.mu.Unlock()
	}
}
