package memkv

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
)

type meter struct {
	n     int64
	until time.Time
}

// Count implements kv.Meter.
func (e *Engine) Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error) {
	if err := kv.CheckCount(key, ttl); err != nil {
		return 0, err
	}
	defer e.mu.Unlock()
	e.mu.Lock()
	if err := e.usable(ctx); err != nil {
		return 0, fmt.Errorf("count %q: %w", key, err)
	}
	now := e.now()
	m, ok := e.meters[key]
	if !ok || !now.Before(m.until) {
		if n == 0 { // reading a count starts no lifetime
			return 0, nil
		}
		m = meter{until: now.Add(ttl)}
	}
	m.n += n
	e.meters[key] = m
	return m.n, nil
}
