package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// groups: each member is a group among the users of the shard; the shard's total is
// theirs.
func checkGroups(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || id.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a group of this shard", m.Member))
			return
		}
		get := &kv.Get{Key: record.UserKey(id)}
		x.ask(func() {
			if u, _, ok := x.decodeUser(id, get); get.Version == 0 || ok && u.Group == linnet.NoGroup {
				x.found(RuleGroup, key, fmt.Sprintf("user %v does not exist or is not a group", id), record.UserAffair(id))
			}
		}, get)
	}, func(w whole) { x.sized(w, record.ShardKey(record.KindStats, key.Shard), record.GroupsCounter) })
}

// listed checks that a group is in the set of groups of its shard, in a store with these sets.
func (x *auditing) listed(u *linnet.User) {
	mark, in := &kv.Get{Key: record.GroupsMarkKey()}, &kv.Scores{Key: record.GroupsKey(u.ID.Shard()), Members: []string{u.ID.String()}}
	x.ask(func() {
		var r record.GroupsMark
		if read(x, mark, &r) && r.Listed && !in.Found[0] {
			x.found(RuleGroup, record.UserKey(u.ID), fmt.Sprintf("group %s is not in %v", u.Login, in.Key), record.UserAffair(u.ID))
		}
	}, mark, in)
}
