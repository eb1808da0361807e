package live_test

import (
	"context"
	"sync"

	"linnet/internal/kv"
)

// counting counts calls and open subscriptions.
type counting struct {
	kv.Engine
	mu    sync.Mutex
	calls int
	open  int
	tried int // attempts to subscribe
}

// tries returns the number of attempts to subscribe.
func (c *counting) tries() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tried
}

func (c *counting) count(calls, open int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls, c.open = c.calls+calls, c.open+open
}

func (c *counting) counts() (calls, open int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls, c.open
}

func (c *counting) Read(ctx context.Context, qs ...kv.Query) error {
	c.count(1, 0)
	return c.Engine.Read(ctx, qs...)
}

func (c *counting) Subscribe(ctx context.Context, topics ...string) (kv.Subscription, error) {
	c.mu.Lock()
	c.tried++
	c.mu.Unlock()
	sub, err := c.Engine.Subscribe(ctx, topics...)
	if err == nil {
		c.count(0, 1)
		sub = &counted{Subscription: sub, c: c}
	}
	return sub, err
}

type counted struct {
	kv.Subscription
	c    *counting
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { c.c.count(0, -1) })
	return c.Subscription.Close()
}
