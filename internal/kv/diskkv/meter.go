package diskkv

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"linnet/internal/kv"
)

const (
	meterStripes = 64
	// maxMeters limits one stripe, so that all together take at most about 150 MiB. Beyond it any
	// counter may be dropped.
	maxMeters = 16384
)

// meters are expiring counters in memory.
type meters struct {
	seed    maphash.Seed
	stripes [meterStripes]meterStripe
}

type meterStripe struct {
	mu sync.Mutex
	m  map[string]meter
}

type meter struct {
	n     int64
	until time.Time
}

func newMeters() *meters {
	ms := &meters{seed: maphash.MakeSeed()}
	for i := range ms.stripes {
		ms.stripes[i].m = map[string]meter{}
	}
	return ms
}

// Count implements kv.Meter.
func (e *Engine) Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error) {
	if err := kv.CheckCount(key, ttl); err != nil {
		return 0, err
	}
	if err := e.usable(ctx); err != nil {
		return 0, fmt.Errorf("count %q: %w", key, err)
	}
	return e.meters.count(key, n, ttl, e.opts.Now()), nil
}

func (ms *meters) count(key string, n int64, ttl time.Duration, now time.Time) int64 {
	s := &ms.stripes[maphash.String(ms.seed, key)%meterStripes]
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.m[key]
	if !ok || !now.Before(m.until) {
		if n == 0 { // reading does not create a counter
			return 0
		}
		if !ok {
			s.makeRoom(now)
			key = strings.Clone(key)
		}
		m = meter{until: now.Add(ttl)}
	}
	m.n += n
	s.m[key] = m
	return m.n
}

func (s *meterStripe) makeRoom(now time.Time) {
	if len(s.m) < maxMeters {
		return
	}
	s.expire(now)
	for k := range s.m {
		if len(s.m) < maxMeters*7/8 {
			return
		}
		delete(s.m, k)
	}
}

func (s *meterStripe) expire(now time.Time) {
	for k, m := range s.m {
		if !now.Before(m.until) {
			delete(s.m, k)
		}
	}
}

func (ms *meters) sweep(now time.Time) {
	for i := range ms.stripes {
		s := &ms.stripes[i]
		s.mu.Lock()
		s.expire(now)
		s.mu.Unlock()
	}
}
