package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Pushed asks whether a user has a device to which notifications are pushed. The answer
// stands there after Run.
func (b *Batch) Pushed(user linnet.ID) *bool {
	some := new(bool)
	q := &kv.Range{Key: record.PushesKey(user), Limit: 1}
	b.ask(q, func() error {
		*some = len(q.Members) > 0
		return nil
	})
	return some
}
