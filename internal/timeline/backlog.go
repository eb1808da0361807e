package timeline

import (
	"sync"
	"time"

	"linnet/internal/linnet"
)

// backlogAge is after how long without a pass a fan-out counts no longer: another
// server may have taken it over.
const backlogAge = 2 * time.Minute

// backlog knows how many followers' feeds are still to be pushed to, of the
// statuses that this server carries out and whose first pass was not enough.
type backlog struct {
	mu   sync.Mutex
	left map[linnet.ID]*carrying
}

type carrying struct {
	feeds int64
	at    time.Time // of the last pass
}

// Pass notes that n more feeds have a status; all is how many there are together,
// as far as is known. more says that there are further ones.
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

// Total is how many feeds are still to be pushed to.
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
