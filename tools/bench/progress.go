package bench

import (
	"fmt"
	"sync"
	"time"
)

// Progress is the state of a run.
type Progress struct {
	Preparing bool
	Ready, Of int // while preparing: prepared accounts, and their total

	Elapsed, Planned time.Duration
	Requests         uint64  // responses since the warm-up
	PerSecond        float64 // since the last report, like the latencies
	P50, P99         time.Duration
	Failed           uint64
}

// String returns the progress in one line.
func (p Progress) String() string {
	if p.Preparing {
		return fmt.Sprintf("preparing: %s of %s accounts", grouped(uint64(p.Ready)), grouped(uint64(p.Of)))
	}
	return fmt.Sprintf("%.0f of %.0f s  %s requests  %s/s  p50 %s ms  p99 %s ms  %s failed", p.Elapsed.Seconds(), p.Planned.Seconds(),
		grouped(p.Requests), grouped(uint64(p.PerSecond+0.5)), millis(p.P50), millis(p.P99), grouped(p.Failed))
}

// report reports the progress until stop is called.
func (b *bench) report(since time.Time) (stop func()) {
	if b.opts.Progress == nil {
		return func() {}
	}
	end := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(b.opts.Every)
		defer tick.Stop()
		last := since
		for {
			select {
			case <-end:
				return
			case now := <-tick.C:
				b.opts.Progress(b.progress(now.Sub(since), now.Sub(last)))
				last = now
			}
		}
	})
	return func() { close(end); done.Wait() }
}

func (b *bench) progress(elapsed, window time.Duration) Progress {
	c := b.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	p := Progress{Preparing: c.from.IsZero(), Ready: int(b.crowd.prepared.Load()), Of: len(b.crowd.members),
		Elapsed: elapsed, Planned: b.opts.Warmup + b.opts.Duration,
		PerSecond: float64(c.recent) / window.Seconds(), P50: c.window.Quantile(0.5), P99: c.window.Quantile(0.99)}
	for _, t := range c.ops {
		p.Requests += t.requests
		p.Failed += t.failed
	}
	c.window, c.recent = Histogram{}, 0
	return p
}
