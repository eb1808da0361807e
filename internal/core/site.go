package core

import (
	"context"
	"sync"
	"time"
)

// PublicURL returns the address that links start with.
func (s *Service) PublicURL() string { return s.opt.PublicURL }

// Ready returns an error unless the store responds and accepts writes.
func (s *Service) Ready(ctx context.Context) error { return StoreError(s.state.Ping(ctx)) }

// clockEvery is the interval of comparing the clock with the store's. Differences above clockTooFar
// are logged.
const (
	clockEvery  = 10 * time.Second
	clockTooFar = 250 * time.Millisecond
)

// Run maintains the clock, the settings and the counts of limits until ctx ends.
func (s *Service) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { Every(ctx, reportInterval, s.meters.reportAll) })
	running.Go(func() {
		load := func(ctx context.Context) { // while the store doesn't respond, the last settings apply
			if err := s.loadSettings(ctx); err != nil && ctx.Err() == nil {
				s.opt.Log.Debug("cannot read settings", "err", err)
			}
		}
		load(ctx)
		Every(ctx, settingsEvery, load)
	})
	Every(ctx, clockEvery, func(ctx context.Context) { _ = s.SyncClock(ctx) })
	running.Wait()
}

// SyncClock updates the offset of the store's clock, which ids follow.
func (s *Service) SyncClock(ctx context.Context) error {
	off, err := s.st.SyncClock(ctx)
	if err == nil && off.Abs() > clockTooFar {
		s.opt.Log.Warn("clock differs from the store's clock; IDs use the store's clock", "ahead", -off)
	}
	return err
}

// Every calls do periodically until ctx ends.
func Every(ctx context.Context, interval time.Duration, do func(context.Context)) {
	t := time.NewTicker(interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			do(ctx)
		}
	}
}
