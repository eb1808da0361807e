package kvtest

import (
	"context"
	"sync"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
)

// handle is an opened engine over data that survives it, like a directory.
type handle struct {
	*memkv.Engine
	mu     *sync.RWMutex
	closed bool
}

func (h *handle) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	defer h.mu.RUnlock()
	h.mu.RLock()
	if h.closed {
		return -1, kv.ErrClosed
	}
	return h.Engine.Txn(ctx, conds, changes...)
}

func (h *handle) Close() error {
	defer h.mu.Unlock()
	h.mu.Lock()
	h.closed = true
	return nil
}

func TestRunReopen(t *testing.T) {
	clock := NewClock()
	start := func(t *testing.T) func() kv.Engine {
		e := memkv.New(memkv.Options{Now: clock.Now})
		t.Cleanup(func() { e.Close() })
		return func() kv.Engine { return &handle{Engine: e, mu: new(sync.RWMutex)} }
	}
	RunReopen(t, start, Caps{Advance: clock.Advance, FeedsMayPersist: true})
}
