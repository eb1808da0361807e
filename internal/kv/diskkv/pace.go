package diskkv

import (
	"runtime/metrics"
	"sync/atomic"
	"time"
)

const (
	// rest is how long the log waits between two fsyncs while the machine is busy.
	rest = time.Millisecond
	// backlog is from how many goroutines, that could run and wait for a processor,
	// for each processor, the machine is busy.
	backlog = 8
	// enough is how many commits an fsync has to carry to cost them next to nothing.
	enough = 32
)

// pace decides how soon one fsync of the log may follow another. The goroutine
// that waits for the disk keeps its processor for most of that time (the
// scheduler takes it away late), so that an fsync for each second commit costs
// two processors a quarter of what they could do. While there is a backlog a
// commit waits for a processor far longer than for a later fsync; and while there
// is none nothing is held back. It is safe for concurrent use.
type pace struct {
	commits atomic.Int64 // how many were to be synced
	carried atomic.Int64 // how many of them there were at the last fsync
}

// pause is asked for after each fsync and says how long the next has to wait.
func (p *pace) pause() time.Duration {
	commits := p.commits.Load()
	s := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/gomaxprocs:threads"}}
	metrics.Read(s)
	return pauseAfter(commits-p.carried.Swap(commits), s[0].Value.Uint64(), s[1].Value.Uint64())
}

func pauseAfter(commits int64, runnable, processors uint64) time.Duration {
	if commits >= enough || runnable < backlog*processors {
		return 0
	}
	return rest
}
