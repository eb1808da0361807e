package diskkv

import (
	"context"
	"fmt"
	"sync"
	"time"

	"linnet/internal/kv"
)

// pingEvery is how long the answer of the disk to a Ping is believed, so that
// whoever asks often costs no fsync each time.
const pingEvery = time.Second

// probe remembers the last proof that the log takes writes.
type probe struct {
	mu    sync.Mutex
	at    time.Time
	going *commit // one that was begun and not yet answered
}

// Ping implements kv.Engine: it makes an empty record of the log durable, and
// fails if that does not succeed in time, if the disk is full, or if a damaged file was
// met, by a request or by the store's own work, since the store was opened.
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
		return fmt.Errorf("ping: %w: the log takes no writes: %v", kv.ErrUnavailable, err)
	}
	return nil
}

// probeLog returns nil if the log answered lately, and else what to wait for.
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
