package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Pushed asks whether a user has a device to which notifications are pushed. The answer
// stands there after Run. It is kept: every act that somebody may be told of asks for it.
func (b *Batch) Pushed(user linnet.ID) *bool {
	some := new(bool)
	c, epoch := b.s.cache, b.s.cache.epoch(user)
	if kept, ok := c.pushed.Get(user); ok && c.alive.Load() {
		*some = kept
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
