package core

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

const (
	// maxHeld is the maximum number of counts that a server holds back. heldShare divides a limit
	// to get the maximum share of it.
	maxHeld   = 20
	heldShare = 20
	// reportInterval is how long a server holds back counts.
	reportInterval = time.Second
	// reporters is the number of counts reported at a time.
	reporters = 8

	meterStripes   = 64
	metersOfStripe = 1024 // limits the memory of all meters to about 20 MB
)

// meters count for limits. Each server counts locally and reports to the engine's meter at
// intervals, and the engine returns the total of all servers.
type meters struct {
	s       *Service
	seed    maphash.Seed
	stripes [meterStripes]meterStripe
}

type meterStripe struct {
	mu sync.Mutex
	m  map[meterKey]*meter
}

type meterKey struct {
	what, who string
	start     int64 // of the window, Unix seconds
}

// meter is the state of one window. The lock of its stripe guards it.
type meter struct {
	end       time.Time
	known     int64         // last response of the engine: counts of all servers
	reporting int64         // counts being reported to the engine
	held      int64         // counts not yet reported to the engine
	reported  chan struct{} // closed when the engine has responded; nil if no report is pending
}

// Allow counts one use of what by who. It returns the number of remaining uses in the current
// window, and the start of the next one. It returns TooMany if none are left. The window of a what
// always has the same length.
//
// All servers of the store share the counts, mostly without a round trip: a server holds back
// counts for a second, but at most 20 and at most a twentieth of the limit. So n servers together
// can exceed a limit by at most 2n times as many. A single server is exact. Several servers are
// exact for limits below 40.
func (s *Service) Allow(ctx context.Context, what, who string, limit int64, window time.Duration) (left int64, reset time.Time, err error) {
	if keep := min(limit/heldShare, maxHeld); keep > 1 {
		return s.meters.allow(ctx, what, who, limit, window, keep)
	}
	return s.CountNow(ctx, what, who, 1, limit, window)
}

func (ms *meters) allow(ctx context.Context, what, who string, limit int64, window time.Duration, keep int64) (left int64, reset time.Time, err error) {
	now := ms.s.st.Now()
	start := now.Truncate(window)
	reset = start.Add(window)
	key := meterKey{what, who, start.Unix()}
	st := &ms.stripes[maphash.String(ms.seed, who)%meterStripes]
	st.mu.Lock()
	m := st.meter(key, now, reset)
	if m == nil { // too many meters
		st.mu.Unlock()
		return ms.s.CountNow(ctx, what, who, 1, limit, window)
	}
	defer st.mu.Unlock()
	for m.reported != nil && m.held >= keep && m.total() < limit {
		if err := st.wait(ctx, m.reported); err != nil {
			return 0, reset, err
		}
	}
	if m.total() >= limit {
		return 0, reset, ms.s.tooMany(what, limit, reset.Sub(now))
	}
	if m.held++; m.held >= keep && m.reported == nil {
		if err := ms.report(ctx, st, key, m); err != nil {
			return 0, reset, StoreError(err)
		}
		if m.total() > limit {
			return 0, reset, ms.s.tooMany(what, limit, reset.Sub(now))
		}
	}
	return limit - m.total(), reset, nil
}

func (m *meter) total() int64 { return m.known + m.reporting + m.held }

// meter returns the meter of a window, or nil if there are too many.
func (st *meterStripe) meter(key meterKey, now, end time.Time) *meter {
	m := st.m[key]
	if m != nil {
		return m
	}
	if len(st.m) >= metersOfStripe {
		st.forget(now)
	}
	if len(st.m) >= metersOfStripe {
		return nil
	}
	m = &meter{end: end}
	st.m[key] = m
	return m
}

// forget deletes the meters of past windows.
func (st *meterStripe) forget(now time.Time) {
	for key, m := range st.m {
		if !now.Before(m.end) {
			delete(st.m, key)
		}
	}
}

// wait releases the lock until ch is closed.
func (st *meterStripe) wait(ctx context.Context, ch <-chan struct{}) error {
	st.mu.Unlock()
	defer st.mu.Lock()
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait to count a request: %w", ctx.Err())
	}
}

// report reports held-back counts to the engine and reads the total. The caller holds the lock of
// the stripe, which is released during the round trip. Only one call per meter runs at a time.
func (ms *meters) report(ctx context.Context, st *meterStripe, key meterKey, m *meter) error {
	m.reporting, m.held, m.reported = m.held, 0, make(chan struct{})
	count, ttl := m.reporting, max(m.end.Sub(ms.s.st.Now()), reportInterval)
	st.mu.Unlock()
	have, err := ms.s.meter.Count(ctx, windowKey(key.what, key.who, time.Unix(key.start, 0)), count, ttl)
	st.mu.Lock()
	close(m.reported)
	m.reporting, m.reported = 0, nil
	switch {
	case err == nil:
		m.known = max(m.known+count, have)
	case store.Unknown(err): // losing a count is better than counting it twice
	default:
		m.held += count
	}
	return err
}

// reportAll reports all held-back counts. Failed reports are repeated the next time.
func (ms *meters) reportAll(ctx context.Context) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range reporters {
		all.Go(func() {
			for i := next.Add(1) - 1; i < meterStripes && ctx.Err() == nil; i = next.Add(1) - 1 {
				ms.reportStripe(ctx, &ms.stripes[i])
			}
		})
	}
	all.Wait()
}

func (ms *meters) reportStripe(ctx context.Context, st *meterStripe) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.forget(ms.s.st.Now())
	var keys []meterKey
	for key, m := range st.m {
		if m.held > 0 {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		m := st.m[key]
		if m == nil || m.held == 0 || m.reported != nil {
			continue
		}
		if err := ms.report(ctx, st, key, m); err != nil {
			return
		}
	}
}

func windowKey(what, who string, start time.Time) string {
	return what + ":" + record.Hash(who)[:24] + ":" + start.UTC().Format("150405")
}

// CountNow counts n uses in the engine itself. With n 0 it checks whether one more would be
// allowed.
func (s *Service) CountNow(ctx context.Context, what, who string, n, limit int64, window time.Duration) (left int64, reset time.Time, err error) {
	now := s.st.Now()
	start := now.Truncate(window)
	reset = start.Add(window)
	have, err := s.meter.Count(ctx, windowKey(what, who, start), n, window)
	if err != nil {
		return 0, reset, StoreError(err)
	}
	if have > limit || n == 0 && have >= limit {
		return 0, reset, s.tooMany(what, limit, reset.Sub(now))
	}
	return limit - have, reset, nil
}

func (s *Service) tooMany(what string, limit int64, wait time.Duration) error {
	s.opt.Observe.NoteRefused(what)
	var e *linnet.Error
	switch n, unit := linnet.RoundWait(wait); unit {
	case time.Hour:
		e = linnet.Errorf(linnet.TooMany, "Too many requests. Try again in %d hours.", n)
	case time.Minute:
		e = linnet.Errorf(linnet.TooMany, "Too many requests. Try again in %d minutes.", n)
	default:
		e = linnet.Errorf(linnet.TooMany, "Too many requests. Try again in %d seconds.", n)
	}
	e.RetryAfter, e.Limit = wait, limit
	return e
}
