package rediskv

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
)

// Count implements kv.Meter. Reading a meter (n = 0) does not create one. With kv.ErrUnknown the
// count may have been made.
func (e *Engine) Count(ctx context.Context, key string, n int64, ttl time.Duration) (int64, error) {
	if err := kv.CheckCount(key, ttl); err != nil {
		return 0, err
	}
	if err := e.enter(ctx); err != nil {
		return 0, fmt.Errorf("count %q: %w", key, err)
	}
	defer e.leave()
	short, cancel := e.limit(ctx)
	defer cancel()
	t := &texts{}
	keys, args := []string{e.meterKey(key)}, []string{t.int(n), t.millis(ttl)}
	b := e.front.B()
	value, err := e.front.Do(short, e.scripts.count.call(b, false, keys, args)).AsInt64()
	if isNoScript(err) {
		value, err = e.front.Do(short, e.scripts.count.call(b, true, keys, args)).AsInt64()
	}
	if err != nil {
		return 0, fmt.Errorf("count %q: %w", key, classify(ctx, err, writing))
	}
	return value, nil
}
