package feeds

import "linnet/internal/kv"

const (
	// pushesSorted is the number of pushes that are sorted by stripe together: a batch of a fan-out
	// and some more.
	pushesSorted = 1024
	// pushesLocked is the number of pushes under one lock.
	pushesLocked = 32
)

// pushesIn returns the number of pushes at the beginning of changes.
func pushesIn(changes []kv.Op) int {
	for i, c := range changes {
		if _, ok := c.(*kv.Push); !ok {
			return i
		}
	}
	return len(changes)
}

// pushAll applies pushes. A push mostly waits for memory, because feeds are far apart. Pushes to a
// stripe share a lock, because processors do not prefetch across locks.
func (fs *Feeds) pushAll(pushes []kv.Op) {
	for len(pushes) > 0 {
		n := min(len(pushes), pushesSorted)
		fs.pushSorted(pushes[:n])
		pushes = pushes[n:]
	}
}

// pushSorted applies at most pushesSorted pushes, stripe by stripe.
func (fs *Feeds) pushSorted(pushes []kv.Op) {
	var hashes [pushesSorted]uint64
	var stripes [pushesSorted]uint8
	var starts [feedStripes + 1]uint16
	var kind string
	var ofKind uint64
	for i, c := range pushes {
		k := c.(*kv.Push).Key
		if k.Kind != kind {
			kind, ofKind = k.Kind, fs.hashText(k.Kind)
		}
		hashes[i], stripes[i] = fs.hashOf(k, ofKind), uint8(stripeOf(k))
		starts[stripes[i]]++
	}
	for i := range feedStripes {
		starts[i+1] += starts[i]
	}
	var sorted [pushesSorted]uint16
	for i := len(pushes) - 1; i >= 0; i-- {
		at := &starts[stripes[i]]
		*at--
		sorted[*at] = uint16(i)
	}
	for i := range feedStripes {
		for which := sorted[starts[i]:starts[i+1]]; len(which) > 0; {
			n := min(len(which), pushesLocked)
			fs.pushSome(&fs.stripes[i], pushes, &hashes, which[:n])
			which = which[n:]
		}
	}
}

// pushSome applies the pushes with the indexes in which to feeds of a stripe. Each loop reads one
// memory location per feed, and these reads do not depend on each other.
func (fs *Feeds) pushSome(s *stripe, pushes []kv.Op, hashes *[pushesSorted]uint64, which []uint16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var taken bool
	for _, w := range which {
		here := s.index.taken(hashes[w])
		taken = taken || here
	}
	if !taken {
		return
	}
	var found [pushesLocked]*feed
	for i, w := range which {
		found[i], _ = s.index.find(hashes[w], int(hashes[w]))
	}
	var filling bool
	for _, f := range found[:len(which)] {
		here := f != nil && f.filler != nil
		filling = filling || here
	}
	for i, w := range which {
		f := found[i]
		if f == nil {
			continue
		}
		p := pushes[w].(*kv.Push)
		if filling || !f.named(p.Key) {
			f = fs.find(s, hashes[w], p.Key)
		}
		if f != nil && !f.pushLate(p.ID) {
			fs.changeFeed(f, func(f *feed) { f.push(p.ID) })
		}
	}
}
