package diskkv

import (
	"runtime/metrics"
	"sync/atomic"
	"time"
)

const (
	// rest is the delay between two fsyncs of the log while the machine is busy.
	rest = time.Millisecond
	// backlog is the number of waiting goroutines per processor from which the machine is busy.
	backlog = 8
	// enough is the number of commits from which one fsync costs each of them almost nothing.
	enough = 32
)

// pace delays the next fsync of the log while the machine is busy. The goroutine that waits for the
// disk occupies its processor for most of that time, because the scheduler reassigns it late. An
// fsync for every second commit would therefore cost a quarter of two processors. With a backlog,
// commits wait for a processor far longer than for a delayed fsync. Without one, nothing is
// delayed. It is safe for concurrent use.
type pace struct {
	commits atomic.Int64 // number of commits to sync
	carried atomic.Int64 // that number at the last fsync
}

// pause returns the delay before the next fsync. It is called after each fsync.
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
