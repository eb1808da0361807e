package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Pushed reads whether a user has a push subscription. The result is filled by Run. It is cached,
// because every action with a notification needs it.
func (b *Batch) Pushed(user linnet.ID) *bool {
	some := new(bool)
	c, epoch := b.s.cache, b.s.cache.epoch(user)
	if cached, ok := c.pushed.Get(user); ok && c.alive.Load() {
		*some = cached
		return some
	}
	q := &kv.Range{Key: record.PushesKey(user), Limit: 1}
	b.ask(q, func() error {
		*some = len(q.Members) > 0
		c.store(user, epoch, func() { c.pushed.Set(user, *some) })
		return nil
	})
	return some
}
