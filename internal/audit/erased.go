package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// checkErased checks that its statuses are deleted.
func checkErased(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || id.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a status of this shard", m.Member))
			return
		}
		get := &kv.Get{Key: record.StatusKey(id)}
		x.ask(func() {
			if get.Version != 0 {
				x.found(RuleDeleted, key, fmt.Sprintf("status %v is not deleted", id))
			}
		}, get)
	}, nil)
}
