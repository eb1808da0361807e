package apptest

import (
	"sync"
	"sync/atomic"
	"time"
)

// Steps is a clock for store.Options that never says a millisecond twice and else
// goes with the machine's: ids that are drawn one after the other are in that order
// whatever their shards. Those of one millisecond are in none.
func Steps() func() time.Time {
	var mu sync.Mutex
	var last time.Time
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		if next := last.Add(time.Millisecond); now.Before(next) {
			now = next
		}
		last = now
		return now
	}
}

// Window is a clock for an engine and its store.Options that stands where a window
// of limits begins and goes on by a millisecond each time it is asked, so that all
// requests of a test count in one window, however slow the machine is.
func Window() func() time.Time {
	const longest = 30 * time.Minute
	begin := time.Now().Truncate(longest)
	var asked atomic.Int64
	return func() time.Time { return begin.Add(time.Duration(asked.Add(1)) * time.Millisecond) }
}
