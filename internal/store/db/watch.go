package db

import "linnet/internal/linnet"

// Watch records users and statuses, and reports later whether any of them has changed. Use it from
// one goroutine.
type Watch struct {
	c           *recordCache
	noted       []notedEpoch
	uncacheable bool
}

type notedEpoch struct {
	stripe *stripe
	epoch  uint64
}

// WatchOf begins to watch some users or statuses. It is never valid if other processes write too,
// because their changes are reported late.
func (s *DB) WatchOf(ids ...linnet.ID) *Watch {
	w := &Watch{c: s.cache, noted: make([]notedEpoch, 0, len(ids)+1), uncacheable: s.opt.Shared || !s.cache.alive.Load()}
	for _, id := range ids {
		w.Note(id)
	}
	return w
}

// Note watches id from now on. Call it before reading id.
func (w *Watch) Note(id linnet.ID) {
	s := w.c.stripe(id)
	w.noted = append(w.noted, notedEpoch{s, s.epoch.Load()})
}

// Valid reports whether nothing has changed. It detects every change whose write has returned.
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
