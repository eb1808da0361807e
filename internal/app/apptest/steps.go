package apptest

import (
	"sync"
	"sync/atomic"
	"time"
)

// Steps returns a clock for store.Options that never repeats a millisecond and otherwise follows
// the machine's clock. Ids generated in sequence then have that order in all shards, unlike ids of
// the same millisecond.
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

// Window returns a clock for an engine and its store.Options. It starts at the beginning of a rate
// limit window and advances by a millisecond per call. All requests of a test then count in one
// window, even on a slow machine.
func Window() func() time.Time {
	const longest = 30 * time.Minute
	begin := time.Now().Truncate(longest)
	var asked atomic.Int64
	return func() time.Time { return begin.Add(time.Duration(asked.Add(1)) * time.Millisecond) }
}
