package live

import (
	"runtime/debug"
	"time"
)

const (
	// shrinkFrom is the number of listeners above which their end is worth a
	// collection: each takes ten kilobytes or more, with its connection, buffers and stacks.
	shrinkFrom = 500
	// shrinkPause is the delay in which clients that disconnect together, and their goroutines, can
	// end.
	shrinkPause = 2 * time.Second
)

// shrink returns memory to the system after half of many listeners have left. In an idle process
// the runtime would not collect for two minutes and take five minutes to return the memory of
// streams (measured: docs/reliability.md). The caller holds the lock of the hub.
type shrink struct {
	most    int                         // listeners at a time since the last release
	waiting bool                        // a release is scheduled
	after   func(time.Duration, func()) // calls a function later
	free    func()                      // releases memory
}

func newShrink() shrink {
	return shrink{free: debug.FreeOSMemory, after: func(d time.Duration, f func()) { time.AfterFunc(d, f) }}
}

func (h *hub) shrunk() {
	s := &h.shrink
	if s.waiting || s.most < shrinkFrom || len(h.listeners) > s.most/2 {
		return
	}
	s.waiting = true
	s.after(shrinkPause, func() {
		h.mu.Lock()
		s.most = len(h.listeners)
		h.mu.Unlock()
		s.free()
		h.mu.Lock()
		s.waiting = false
		h.shrunk() // for listeners that have left since
		h.mu.Unlock()
	})
}
