package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// checkDirectory checks that each entry is a listed user in the right slice.
func checkDirectory(x *auditing, key kv.Key) {
	order := linnet.DirectoryOrder(key.ID)
	if (order != linnet.DirectoryActive && order != linnet.DirectoryNew) || record.DirectoryKey(order, int(key.Shard)*record.DirectorySlices/kv.Shards) != key {
		x.found(RuleRecord, key, "it is not a slice of the directory")
		return
	}
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || record.DirectoryKey(order, record.DirectorySlice(id)) != key {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user of this slice", m.Member))
			return
		}
		get := &kv.Get{Key: record.UserKey(id)}
		x.ask(func() {
			u, born, ok := x.decodeUser(id, get)
			if get.Version == 0 || ok && (!born || !u.Listed()) {
				x.found(RuleIndex, key, fmt.Sprintf("user %v does not exist or cannot be found", id), record.UserAffair(id))
			}
		}, get)
	}, nil)
}
