package timeline

import (
	"sync"
	"time"

	"linnet/internal/linnet"
)

// backlogAge is the age without a batch at which a fan-out no longer counts, because another server
// may have taken it over.
const backlogAge = 2 * time.Minute

// backlog counts the followers' feeds that still have to be written for statuses that this server
// delivers in more than one batch.
type backlog struct {
	mu   sync.Mutex
	left map[linnet.ID]*carrying
}

type carrying struct {
	feeds int64
	at    time.Time // time of the last batch
}

// Pass records that n more feeds have a status. all is their total, if known. more reports whether
// there are others.
func (b *backlog) Pass(id linnet.ID, all, n int64, more bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.left[id]
	switch {
	case !more:
		delete(b.left, id)
		return
	case c == nil:
		c = &carrying{feeds: all}
		if b.left == nil {
			b.left = map[linnet.ID]*carrying{}
		}
		b.left[id] = c
	}
	c.feeds, c.at = max(c.feeds-n, 0), now
}

// Total returns the number of feeds that still have to be written.
func (b *backlog) Total(now time.Time) (n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, c := range b.left {
		if now.Sub(c.at) > backlogAge {
			delete(b.left, id)
			continue
		}
		n += c.feeds
	}
	return n
}
