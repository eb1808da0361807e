package apptest

import (
	"sync"
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
