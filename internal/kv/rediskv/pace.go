package rediskv

import (
	"sync/atomic"
	"time"
)

const (
	// paceFrom is the mean time of reads from which on a fan-out gives way, and
	// paceMost the longest pause before one of its pipelines.
	paceFrom = 2 * time.Millisecond
	paceMost = 5 * time.Millisecond
	// paceStale is how long a mean counts after the last read.
	paceStale = 100 * time.Millisecond
	// paceReads is how many commands a read may have that says something about
	// the server: longer ones take their time by themselves.
	paceReads = 100
)

// pace knows how long people wait for their reads. A fan-out, which has time,
// pauses when that is too long; what it sends at once is bounded anyway. The
// zero value is ready.
type pace struct {
	mean atomic.Int64 // nanoseconds, of some sixteen reads
	last atomic.Int64 // when the last one ended
}

// note counts a read. Of two at once one may be lost.
func (p *pace) note(took time.Duration, now time.Time) {
	mean := p.mean.Load()
	p.mean.Store(mean + (int64(took)-mean)/16)
	p.last.Store(now.UnixNano())
}

// pause returns how long a fan-out should wait now.
func (p *pace) pause(now time.Time) time.Duration {
	mean := time.Duration(p.mean.Load())
	if mean <= paceFrom || now.UnixNano()-p.last.Load() > int64(paceStale) {
		return 0
	}
	return min(mean-paceFrom, paceMost)
}
