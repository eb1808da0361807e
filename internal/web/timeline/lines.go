package timeline

import (
	"sync"

	"linnet/internal/linnet"
)

// Lines counts the open streams of each user. It is safe for concurrent use.
type Lines struct {
	mu   sync.Mutex
	Open map[linnet.ID]int
}

// enter counts a stream of a user, or returns TooMany. leave ends it and must be called once.
func (l *Lines) enter(who linnet.ID) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.Open[who] >= liveMost {
		return nil, linnet.Errorf(linnet.TooMany, "You already get live updates in %d windows. Close one of them", liveMost)
	}
	l.Open[who]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.Open[who]--; l.Open[who] == 0 {
			delete(l.Open, who)
		}
	}, nil
}
