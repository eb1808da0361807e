package task

import (
	"context"
	"strconv"
	"sync"
	"time"

	"linnet/internal/kv"
)

// Engine is the part of an engine that a queue uses.
type Engine interface {
	kv.Store
	kv.Bus
}

// topic carries hints: shards that have a new due task. A task with a missed hint is found by the
// next sweep of all shards.
const topic = "work"

// hint notifies servers that sweep of a task in a shard. Errors are ignored, because a sweep finds
// the task too.
func hint(ctx context.Context, bus kv.Bus, shard uint16) {
	_ = bus.Publish(ctx, topic, []byte(strconv.Itoa(int(shard))))
}

// hints are the received hints that are not processed yet.
type hints struct {
	wake chan struct{}

	mu     sync.Mutex
	shards map[uint16]bool
	missed bool // other hints may have been missed
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

// receive receives hints until ctx ends.
func (h *hints) receive(ctx context.Context, bus kv.Bus) {
	for ctx.Err() == nil {
		sub, err := bus.Subscribe(ctx, topic)
		if err == nil {
			h.note(func() { h.missed = true }) // earlier hints were not received
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

// await waits for a hint until a deadline.
func (h *hints) await(ctx context.Context, until time.Time) {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-h.wake:
	case <-t.C:
	case <-ctx.Done():
	}
}
