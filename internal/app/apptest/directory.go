package apptest

import (
	"linnet/internal/kv/memkv"
	"linnet/internal/store"
	"testing"
	"time"
)

// WithClock returns an app over memory with a clock that the test moves. It starts at a full hour.
func WithClock(t *testing.T) (*World, *Clock) {
	c := &Clock{}
	c.Set(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour)))
	return NewWith(t, memkv.New(memkv.Options{Now: c.Now}), store.Options{Now: c.Now}), c
}
