package kvtest

import (
	"sync"
	"time"
)

// Clock is a clock that only moves on request. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock with a fixed time.
func NewClock() *Clock {
	return &Clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	defer c.mu.Unlock()
	c.mu.Lock()
	return c.now
}

// Advance moves the clock forward by d.
func (c *Clock) Advance(d time.Duration) {
	defer c.mu.Unlock()
	c.mu.Lock()
	c.now = c.now.Add(d)
}
