package store

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Watch notes what the answers of batches depend on, so that whoever keeps
// something made of them can tell later whether all of it would be answered the
// same. It is filled by one goroutine; then many may ask it.
//
// It holds the epochs of the stripes of all users, statuses and readers that were
// asked about, each noted before the answer was looked for. A query that depends
// on anything else blinds the watch, which then never holds: so what is not
// known to be covered cannot be kept.
type Watch struct {
	c     *cache
	noted []notedEpoch
	blind bool
}

type notedEpoch struct {
	stripe *stripe
	epoch  uint64
}

// Watch begins to note. Nothing is noted but what batches ask that were given the
// watch.
func (s *Store) Watch() *Watch {
	return &Watch{c: s.cache, noted: make([]notedEpoch, 0, 64), blind: !s.cache.alive.Load()}
}

// Watch lets w (nil: nobody) note what is asked from now on. Readers that the batch
// has already are noted as of when they began.
func (b *Batch) Watch(w *Watch) {
	b.watch = w
	if w == nil {
		return
	}
	for _, r := range b.readers {
		w.noted = append(w.noted, notedEpoch{w.c.stripe(r.id), r.epoch})
	}
}

// WatchOf begins to note changes of some users or statuses, as of now. It never
// holds where other processes write too: of what they do a watch hears late.
func (s *Store) WatchOf(ids ...linnet.ID) *Watch {
	w := &Watch{c: s.cache, noted: make([]notedEpoch, 0, len(ids)), blind: s.opt.Shared || !s.cache.alive.Load()}
	for _, id := range ids {
		w.Note(id)
	}
	return w
}

// Spoil says that something was used that the watch does not know of.
func (w *Watch) Spoil() { w.blind = true }

// Holds reports whether everything noted is as it was. A change of it that has
// returned, or that this process has heard of, is seen.
func (w *Watch) Holds() bool {
	if w.blind || !w.c.alive.Load() {
		return false
	}
	for _, n := range w.noted {
		if n.stripe.epoch.Load() != n.epoch {
			return false
		}
	}
	return true
}

// Note says that an answer about id is looked for from now on.
func (w *Watch) Note(id linnet.ID) {
	if w != nil {
		s := w.c.stripe(id)
		w.noted = append(w.noted, notedEpoch{s, s.epoch.Load()})
	}
}

// asks is called with each query: its answer has to be one that changes only
// together with the epoch of something noted.
func (w *Watch) asks(q kv.Query) {
	if w == nil || w.blind {
		return
	}
	k := kv.KeyOf(q)
	id, ok := linnet.ParseID(k.ID)
	if !ok || !slices.Contains(w.c.kinds, k.Kind) {
		w.blind = true
		return
	}
	s := w.c.stripe(id)
	w.blind = !slices.ContainsFunc(w.noted, func(n notedEpoch) bool { return n.stripe == s })
}
