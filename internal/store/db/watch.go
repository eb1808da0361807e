package db

import "linnet/internal/linnet"

// Watch notes users and statuses, so that whoever acts on what was read of them can
// tell later whether any of it has changed. It is filled by one goroutine.
type Watch struct {
	c           *recordCache
	noted       []notedEpoch
	uncacheable bool
}

type notedEpoch struct {
	stripe *stripe
	epoch  uint64
}

// WatchOf begins to note changes of some users or statuses, as of now. It never
// holds where other processes write too: of what they do a watch hears late.
func (s *DB) WatchOf(ids ...linnet.ID) *Watch {
	w := &Watch{c: s.cache, noted: make([]notedEpoch, 0, len(ids)+1), uncacheable: s.opt.Shared || !s.cache.alive.Load()}
	for _, id := range ids {
		w.Note(id)
	}
	return w
}

// Note notes changes of id from now on, before it is read.
func (w *Watch) Note(id linnet.ID) {
	s := w.c.stripe(id)
	w.noted = append(w.noted, notedEpoch{s, s.epoch.Load()})
}

// Valid reports whether everything noted is as it was. A change of it that has
// returned is seen.
func (w *Watch) Valid() bool {
	if w.uncacheable || !w.c.alive.Load() {
		return false
	}
	for _, n := range w.noted {
		if n.stripe.epoch.Load() != n.epoch {
			return false
		}
	}
	return true
}
