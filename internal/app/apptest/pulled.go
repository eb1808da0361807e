package apptest

import (
	"sync/atomic"
	"time"
)

// Clock is a clock that tests move.
type Clock struct{ ahead atomic.Int64 }

func (c *Clock) Now() time.Time          { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }
func (c *Clock) Set(d time.Duration)     { c.ahead.Store(int64(d)) }
