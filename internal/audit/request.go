package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// checkRequesting checks, in addition to the checks of every relation, that no user requests to
// follow a followee.
func checkRequesting(x *auditing, key kv.Key) {
	x.edgeOwner(record.Requests(), key)
	owner, ok := linnet.ParseID(key.ID)
	if !ok {
		return // reported already
	}
	x.pages(whole{key: key}, func(page []kv.Member) {
		q := &kv.Scores{Key: record.Follows().OwnedKey(owner)}
		for _, m := range page {
			q.Members = append(q.Members, m.Member)
		}
		x.ask(func() {
			for i, found := range q.Found {
				if found {
					x.found(RuleEdge, key, fmt.Sprintf("%s is requested, but already in %v", q.Members[i], q.Key))
				}
			}
		}, q)
	}, nil)
}
