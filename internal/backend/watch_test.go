package backend_test

import (
	"context"
	"testing"

	"linnet/internal/backend"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/memkv"
)

// TestWatchMoveEnds checks that the watch of a server that stops ends without an error.
func TestWatchMoveEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := &backend.Backend{Fence: fencekv.New(memkv.New(memkv.Options{}), fencekv.Options{})}
	if err := b.WatchMove(ctx); err != nil {
		t.Errorf("after the stop: %v", err)
	}
}
