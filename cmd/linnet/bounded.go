package main

import (
	"context"
	"sync"
	"time"
)

// bounded is the context of one request: its parent's, with an end. Unlike
// context.WithDeadline it starts no timer until somebody waits for it, which most
// requests never do. It is safe for concurrent use.
type bounded struct {
	context.Context // of the connection
	end             time.Time

	mu     sync.Mutex
	timed  context.Context // made when somebody first waits
	cancel context.CancelFunc
	over   bool
}

// Deadline implements context.Context.
func (b *bounded) Deadline() (time.Time, bool) {
	if d, ok := b.Context.Deadline(); ok && d.Before(b.end) {
		return d, true
	}
	return b.end, true
}

// Done implements context.Context.
func (b *bounded) Done() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timed == nil {
		b.timed, b.cancel = context.WithDeadline(b.Context, b.end)
		if b.over {
			b.cancel()
		}
	}
	return b.timed.Done()
}

// Err implements context.Context.
func (b *bounded) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timed != nil {
		return b.timed.Err()
	}
	if err := b.Context.Err(); err != nil {
		return err
	}
	if b.over {
		return context.Canceled
	}
	if !time.Now().Before(b.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// Value implements context.Context. The timed context is asked, if there is one:
// package context finds out by it that a child needs no goroutine of its own.
func (b *bounded) Value(key any) any {
	b.mu.Lock()
	timed := b.timed
	b.mu.Unlock()
	if timed != nil {
		return timed.Value(key)
	}
	return b.Context.Value(key)
}

// finish ends the context with its request.
func (b *bounded) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	if b.cancel != nil {
		b.cancel()
	}
}
