package bench

import (
	"sync"
	"time"
)

const (
	// keptWrites bounds how many statuses the ledger knows. Older ones have left
	// the first page of home, or are not checked.
	keptWrites = 512
	// mostMarks bounds how often one status is favourited.
	mostMarks = 16
)

// ledger knows which statuses and favourites the server has acknowledged, and
// when. A page of home that was asked for later must show them. It is safe for
// concurrent use.
type ledger struct {
	mu     sync.Mutex
	ring   []*written
	oldest int
	byID   map[string]*written
}

// written is a status of the run.
type written struct {
	id     string
	author int
	acked  time.Time
	asked  int         // favourites that were asked for
	marks  []time.Time // when they were acknowledged
	first  int         // member who favourites first; the next one follows
}

func newLedger() *ledger { return &ledger{byID: map[string]*written{}} }

// posted enters a status that was acknowledged at a time.
func (l *ledger) posted(id string, author, firstMark int, acked time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &written{id: id, author: author, acked: acked, first: firstMark}
	l.byID[id] = w
	if len(l.ring) < keptWrites {
		l.ring = append(l.ring, w)
		return
	}
	delete(l.byID, l.ring[l.oldest].id)
	l.ring[l.oldest] = w
	l.oldest = (l.oldest + 1) % keptWrites
}

// toMark chooses a status to favourite among the newest few, and who does it:
// the pick says which, counted from the newest. Nobody favourites one twice.
func (l *ledger) toMark(pick, members int) (id string, member int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if pick >= len(l.ring) {
		return "", 0, false
	}
	w := l.newest(pick)
	if w.asked >= min(mostMarks, members) {
		return "", 0, false
	}
	w.asked++
	return w.id, (w.first + w.asked) % members, true
}

// marked enters a favourite that was acknowledged at a time.
func (l *ledger) marked(id string, acked time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.byID[id]; w != nil {
		w.marks = append(w.marks, acked)
	}
}

// check holds a page of home of somebody who follows the given authors against
// what had been acknowledged before a time. A status that is older than the end
// of the page need not stand there; on an empty page every one is missed.
func (l *ledger) check(r *request, items []item, follows map[int]bool, before time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, it := range items {
		if w := l.byID[string(it.id)]; w != nil {
			if n := count(w.marks, before); it.favourites < n {
				return complaint(kindOldCount, r, "status %s shows %d favourites, but %d were acknowledged before %s",
					w.id, it.favourites, n, clockTime(before))
			}
		}
	}
	for i, below := 0, 0; i < len(l.ring) && below < outOfOrder; i++ {
		w := l.newest(i)
		switch {
		case len(items) > 0 && compareIDs(w.id, string(items[len(items)-1].id)) < 0:
			below++
		case follows[w.author] && w.acked.Before(before) && !holds(items, w.id):
			return complaint(kindMissing, r, "status %s is not on a page of %d: it was acknowledged at %s, and the page may be as old as %s",
				w.id, len(items), clockTime(w.acked), clockTime(before))
		}
	}
	return nil
}

// outOfOrder is by how many places the order of acknowledgements may differ from
// that of ids: more than posts are under way at once.
const outOfOrder = 4 * writers

// newest returns the status that was entered as the i-th last.
func (l *ledger) newest(i int) *written {
	return l.ring[(l.oldest-1-i+2*len(l.ring))%len(l.ring)]
}

func clockTime(t time.Time) string { return t.Format("15:04:05.000") }

func count(times []time.Time, before time.Time) (n int64) {
	for _, t := range times {
		if t.Before(before) {
			n++
		}
	}
	return n
}

func holds(items []item, id string) bool {
	for _, it := range items {
		if string(it.id) == id {
			return true
		}
	}
	return false
}
