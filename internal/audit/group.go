package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// joined: each is a group that the user follows, since the same moment.
func checkJoined(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		group, ok := linnet.ParseID(m.Member)
		if !ok {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an id", m.Member))
			return
		}
		follow := &kv.Scores{Key: record.Follows().OwnedKey(user), Members: []string{m.Member}}
		get := &kv.Get{Key: record.UserKey(group)}
		x.ask(func() {
			waits := []record.Affair{record.Follows().Affair(user, group), record.UserAffair(group)}
			if !follow.Found[0] || follow.Values[0] != m.Score {
				x.found(RuleGroup, key, fmt.Sprintf("group %s since %d is not in %v", m.Member, m.Score, follow.Key), waits...)
			}
			if get.Version == 0 {
				x.found(RuleGroup, key, fmt.Sprintf("there is no group %s", m.Member), waits...)
			} else if u, _, ok := x.decodeUser(group, get); ok && u.Group == linnet.NoGroup {
				x.found(RuleGroup, key, fmt.Sprintf("%s is not a group", u.Login))
			}
		}, follow, get)
	}, nil)
}

// group checks that a group has an owner and that its followers have it in their sets of groups.
func (x *auditing) group(u *linnet.User) {
	if u.Group == linnet.NoGroup {
		return
	}
	owners := &kv.Range{Key: record.GroupOwners().OwnedKey(u.ID), Limit: 1}
	x.ask(func() {
		if len(owners.Members) == 0 {
			x.found(RuleGroup, record.UserKey(u.ID), fmt.Sprintf("group %s has no owner", u.Login), record.UserAffair(u.ID))
		}
	}, owners)
	x.listed(u)
	key := record.Follows().CopyKey(u.ID)
	x.each(key, func(m kv.Member) {
		member, ok := linnet.ParseID(m.Member)
		if !ok {
			return // reported where the relations are compared
		}
		q := &kv.Scores{Key: record.JoinedKey(member), Members: []string{u.ID.String()}}
		x.ask(func() {
			if !q.Found[0] || q.Values[0] != m.Score {
				x.found(RuleGroup, key, fmt.Sprintf("member %v at %d is not in %v", member, m.Score, q.Key),
					record.Follows().Affair(member, u.ID), record.UserAffair(member))
			}
		}, q)
	}, nil)
}

// groupRelation checks that the owner is a group, that users with a role are members, and that
// invited users are not.
func (x *auditing) groupRelation(k record.EdgeKind, key kv.Key) {
	group, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: record.UserKey(group)}
	x.ask(func() {
		if u, _, ok := x.decodeUser(group, get); get.Version != 0 && ok && u.Group == linnet.NoGroup {
			x.found(RuleGroup, key, fmt.Sprintf("%s is not a group", u.Login))
		}
	}, get)
	invites := k == record.GroupOffers()
	x.each(key, func(m kv.Member) {
		who, ok := linnet.ParseID(m.Member)
		if !ok {
			return // reported where the relations are compared
		}
		q := &kv.Scores{Key: record.Follows().CopyKey(group), Members: []string{m.Member}}
		x.ask(func() {
			waits := []record.Affair{record.Follows().Affair(who, group), k.Affair(group, who), record.UserAffair(group), record.UserAffair(who)}
			switch {
			case invites && q.Found[0]:
				x.found(RuleGroup, key, fmt.Sprintf("%v is invited, but already a member", who), waits...)
			case !invites && !q.Found[0]:
				x.found(RuleGroup, key, fmt.Sprintf("%s %v is not a member", k.Name, who), waits...)
			}
		}, q)
	}, nil)
}
