package rediskv

import (
	"sync/atomic"
	"time"
)

const (
	// paceFrom is the mean read time from which a fan-out pauses, and paceMost the longest pause
	// before one of its pipelines.
	paceFrom = 2 * time.Millisecond
	paceMost = 5 * time.Millisecond
	// paceStale is how long a mean is valid after the last read.
	paceStale = 100 * time.Millisecond
	// paceReads limits the commands of a read that is measured. Longer reads are slow by
	// themselves.
	paceReads = 100
)

// pace measures how long readers wait. A fan-out is not urgent and pauses when reads are slow. Its
// pipelines are limited anyway. The zero value is ready.
type pace struct {
	mean atomic.Int64 // nanoseconds, of about sixteen reads
	last atomic.Int64 // when the last one ended
}

// note adds a read to the mean. Of two concurrent reads one may be ignored.
func (p *pace) note(took time.Duration, now time.Time) {
	mean := p.mean.Load()
	p.mean.Store(mean + (int64(took)-mean)/16)
	p.last.Store(now.UnixNano())
}

// pause returns how long a fan-out should wait.
func (p *pace) pause(now time.Time) time.Duration {
	mean := time.Duration(p.mean.Load())
	if mean <= paceFrom || now.UnixNano()-p.last.Load() > int64(paceStale) {
		return 0
	}
	return min(mean-paceFrom, paceMost)
}
