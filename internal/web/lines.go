package web

import (
	"sync"

	"linnet/internal/linnet"
)

// lines counts the open streams of each person. Safe for concurrent use.
type lines struct {
	mu   sync.Mutex
	open map[linnet.ID]int
}

// enter takes a place, or answers TooMany. leave gives it back and must be called
// once.
func (l *lines) enter(who linnet.ID) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[who] >= liveMost {
		return nil, linnet.Errorf(linnet.TooMany, "You already get live updates in %d windows. Close one of them", liveMost)
	}
	l.open[who]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.open[who]--; l.open[who] == 0 {
			delete(l.open, who)
		}
	}, nil
}
