package bench

import (
	"sync"
	"time"
)

const (
	// keptWrites limits the statuses in the ledger. Older ones are no longer on the first page of
	// home, or are not checked.
	keptWrites = 512
	// mostMarks limits the favourites of a status.
	mostMarks = 16
)

// ledger contains the acknowledged statuses and favourites with their times. A page of home
// requested later must contain them. It is safe for concurrent use.
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
	asked  int         // requested favourites
	marks  []time.Time // times of their acknowledgements
	first  int         // index of the member who favourites first, followed by the next ones
}

func newLedger() *ledger { return &ledger{byID: map[string]*written{}} }

// posted adds a status that was acknowledged at acked.
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

// toMark returns a status to favourite and the member who does it. pick is the index of the status
// among the newest ones. No member favourites a status twice.
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

// marked adds a favourite that was acknowledged at acked.
func (l *ledger) marked(id string, acked time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.byID[id]; w != nil {
		w.marks = append(w.marks, acked)
	}
}

// check compares a page of home with the acts acknowledged before a time. follows contains the
// followed authors. Statuses older than the end of the page can be missing. On an empty page none
// can.
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
			return complaint(kindMissing, r, "status %s is not on a page of %d: the status was acknowledged at %s, and the page may show the state at %s",
				w.id, len(items), clockTime(w.acked), clockTime(before))
		}
	}
	return nil
}

// outOfOrder is the number of positions by which the order of acknowledgements can differ from the
// order of ids. It is higher than the number of concurrent posts.
const outOfOrder = 4 * writers

// newest returns the i-th newest status.
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
