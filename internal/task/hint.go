package task

import (
	"context"
	"strconv"
	"sync"
	"time"

	"linnet/internal/kv"
)

// Engine is what a queue needs of an engine.
type Engine interface {
	kv.Store
	kv.Bus
}

// topic carries hints: the shards in which somebody has left a task that is due now.
// Who misses a hint finds the task at the next sweep of all shards.
const topic = "work"

// hint tells the servers that sweep of a task that was left in a shard. What becomes of
// it makes no difference to the task.
func hint(ctx context.Context, bus kv.Bus, shard uint16) {
	_ = bus.Publish(ctx, topic, []byte(strconv.Itoa(int(shard))))
}

// hints are those that were heard and not looked after yet.
type hints struct {
	wake chan struct{}

	mu     sync.Mutex
	shards map[uint16]bool
	missed bool // there may have been others
}

func newHints() *hints {
	return &hints{wake: make(chan struct{}, 1), shards: map[uint16]bool{}}
}

func (h *hints) note(do func()) {
	h.mu.Lock()
	do()
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

func (h *hints) take() (shards map[uint16]bool, missed bool) {
	defer h.mu.Unlock()
	h.mu.Lock()
	shards, missed = h.shards, h.missed
	h.shards, h.missed = map[uint16]bool{}, false
	return shards, missed
}

// hear listens to hints until ctx ends.
func (h *hints) hear(ctx context.Context, bus kv.Bus) {
	for ctx.Err() == nil {
		sub, err := bus.Subscribe(ctx, topic)
		if err == nil {
			h.note(func() { h.missed = true }) // what came before
			h.listen(ctx, sub)
			sub.Close()
		}
		sleep(ctx, beatEvery)
	}
}

func (h *hints) listen(ctx context.Context, sub kv.Subscription) {
	for {
		select {
		case <-ctx.Done():
			return
		case m, ok := <-sub.Messages():
			if !ok {
				return
			}
			if n, err := strconv.ParseUint(string(m.Payload), 10, 16); err == nil && n < kv.Shards {
				h.note(func() { h.shards[uint16(n)] = true })
			}
		}
	}
}

// await waits for a hint, until a time at most.
func (h *hints) await(ctx context.Context, until time.Time) {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-h.wake:
	case <-t.C:
	case <-ctx.Done():
	}
}
