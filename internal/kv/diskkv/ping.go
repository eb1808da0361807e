package diskkv

import (
	"context"
	"fmt"
	"sync"
	"time"

	"linnet/internal/kv"
)

// pingEvery is how long the result of a Ping is cached, so that frequent calls do not cause an
// fsync each.
const pingEvery = time.Second

// probe records the last successful write to the log.
type probe struct {
	mu    sync.Mutex
	at    time.Time
	going *commit // a probe that has not finished
}

// Ping implements kv.Engine. It makes an empty log record durable. It returns an error if that
// takes too long, if the disk is full, or if a damaged file was found since the store was opened.
func (e *Engine) Ping(ctx context.Context) error {
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	defer e.leave()
	if t := e.damage.Load(); t != nil {
		return fmt.Errorf("ping: %w", t)
	}
	if err := e.space.check(0); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	c := e.probeLog()
	if c == nil {
		return nil
	}
	if err := e.wait(ctx, c); err != nil {
		return fmt.Errorf("ping: %w: cannot write to the log: %v", kv.ErrUnavailable, err)
	}
	return nil
}

// probeLog returns nil if the log has taken a write recently, and otherwise a commit to wait for.
func (e *Engine) probeLog() *commit {
	p := &e.probe
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.going != nil {
		return p.going
	}
	if !p.at.IsZero() && time.Since(p.at) < pingEvery {
		return nil
	}
	c := newCommit()
	p.going = c
	e.users.Add(1)
	go func() {
		defer e.users.Done()
		e.syncLog()
		select {
		case <-e.failed:
			return
		default:
		}
		p.mu.Lock()
		p.at, p.going = time.Now(), nil
		p.mu.Unlock()
		close(c.done)
	}()
	return c
}
