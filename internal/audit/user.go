package audit

import (
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// user: the login points back, the user is listed and found by name.
func checkUser(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	listed := &kv.Scores{Key: record.ShardKey(record.KindUsers, key.Shard), Members: []string{key.ID}}
	x.ask(func() {
		u, born, ok := x.decodeUser(id, get)
		switch {
		case !ok:
			return
		case !born:
			x.found(RuleRecord, key, fmt.Sprintf("%s was never created", u.Login), record.UserAffair(id))
			return
		}
		if id.System() {
			x.claim(key, u)
			return
		}
		x.Users++
		x.Feeds = append(x.Feeds, record.HomeKey(id), record.TopKey(id))
		if !listed.Found[0] {
			x.found(RuleOrphan, key, fmt.Sprintf("%s is not in %v", u.Login, listed.Key), record.UserAffair(id))
		} else if listed.Values[0] != id.Millis() {
			x.found(RuleRecord, listed.Key, fmt.Sprintf("user %v is at %d", id, listed.Values[0]))
		}
		x.claim(key, u)
		x.indexed(u)
		x.inStates(u)
		x.group(u)
		x.hasFiles(key, u.Avatar, u.Banner)
	}, get, listed)
}

func (x *auditing) decodeUser(id linnet.ID, get *kv.Get) (u *linnet.User, born, ok bool) {
	if get.Version == 0 {
		return nil, false, false
	}
	u, born, err := record.DecodeUser(id, get)
	if err != nil {
		x.found(RuleRecord, get.Key, err.Error())
		return nil, false, false
	}
	return u, born, true
}

// claim: the login is the user's.
func (x *auditing) claim(key kv.Key, u *linnet.User) {
	get := &kv.Get{Key: record.LoginKey(u.Login)}
	x.ask(func() {
		var r record.Login
		if get.Version == 0 {
			x.found(RuleUnique, key, fmt.Sprintf("no record claims login %s", u.Login), record.UserAffair(u.ID))
		} else if read(x, get, &r) && linnet.ID(r.User) != u.ID {
			x.found(RuleUnique, key, fmt.Sprintf("login %s belongs to user %v", u.Login, linnet.ID(r.User)), record.UserAffair(u.ID))
		}
	}, get)
}

// indexed: the user is found by each word of the name.
func (x *auditing) indexed(u *linnet.User) {
	for _, w := range record.NameWords(u) {
		q := &kv.Scores{Key: record.NamesKey(record.CutRunes(w, record.NamePrefix)), Members: []string{w + ":" + u.ID.String()}}
		x.ask(func() {
			if !q.Found[0] {
				x.found(RuleIndex, q.Key, fmt.Sprintf("%q is missing", q.Members[0]), record.UserAffair(u.ID))
			}
		}, q)
	}
}

// checkCounts checks that nothing is counted for a missing owner. The checks of sets compare the
// other counters.
func checkCounts(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, id)
	q := &kv.Counters{Key: key, Names: []string{"followers", "following", "statuses", record.ConversationsCounter, record.Blocks().OwnerCounter, record.MutesCounter, "requests", "requesting", record.FollowedTagsCounter}}
	x.ask(func() {
		sets := [...]kv.Key{record.Follows().CopyKey(id), record.Follows().OwnedKey(id), record.PostsKey(id), record.ConversationsKey(id), record.Blocks().OwnedKey(id), record.MutesKey(id),
			record.Requests().CopyKey(id), record.Requests().OwnedKey(id), record.RelationshipsKey(id)}
		for i, set := range sets {
			x.unfilled(key, q.Names[i], q.Values[i], set)
		}
	}, q)
}

// login: its owner exists and bears it.
func checkLogin(x *auditing, key kv.Key) {
	if record.LoginKey(key.ID) != key {
		x.found(RuleRecord, key, "the key is not of a login")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Login
		if !read(x, get, &r) {
			return
		}
		id := linnet.ID(r.User)
		owner := &kv.Get{Key: record.UserKey(id)}
		x.ask(func() {
			u, born, ok := x.decodeUser(id, owner)
			switch {
			case r.Gone && owner.Version == 0:
			case owner.Version == 0:
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who does not exist", id), record.UserAffair(id))
			case ok && !strings.EqualFold(u.Login, key.ID):
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who is called %s", id, u.Login))
			case ok && !born:
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who was never created", id), record.UserAffair(id))
			}
		}, owner)
	}, get)
}

// users: each member is a born user; the shard's totals are theirs.
func checkUsers(x *auditing, key kv.Key) {
	var statuses int64
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || id.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user of this shard", m.Member))
			return
		}
		get, counts := &kv.Get{Key: record.UserKey(id)}, &kv.Counters{Key: record.CountsKey(id), Names: []string{"statuses"}}
		x.ask(func() {
			statuses += counts.Values[0]
			if _, born, ok := x.decodeUser(id, get); ok && !born || get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("user %v is listed but was never created", id), record.UserAffair(id))
			}
		}, get, counts)
	}, func(w whole) {
		x.sized(w, record.ShardKey(record.KindStats, key.Shard), "users")
		stats := &kv.Counters{Key: record.ShardKey(record.KindStats, key.Shard), Names: []string{"statuses"}}
		x.ask(func() {
			if stats.Values[0] != statuses {
				x.found(RuleCounter, stats.Key, fmt.Sprintf("statuses is %d, but the users' statuses add up to %d", stats.Values[0], statuses))
			}
		}, stats)
	})
}

// checkStats checks that nothing is counted in an empty shard.
func checkStats(x *auditing, key kv.Key) {
	q := &kv.Counters{Key: key, Names: []string{"users", "statuses", record.ActiveName(x.now()), record.GroupsCounter}}
	x.ask(func() {
		for i, set := range [...]string{record.KindUsers, record.KindUsers, record.KindActive, record.KindGroups} {
			x.unfilled(key, q.Names[i], q.Values[i], record.ShardKey(set, key.Shard))
		}
	}, q)
}

// checkActive checks that members exist and that those of this month are counted.
func checkActive(x *auditing, key kv.Key) {
	var now int64
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || id.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user of this shard", m.Member))
			return
		}
		if m.Score == record.Month(x.now()) {
			now++
		}
		x.belongs(key, id)
	}, func(w whole) {
		w.n = now
		x.sized(w, record.ShardKey(record.KindStats, key.Shard), record.ActiveName(x.now()))
	})
}

// names: each entry is a word of the name of a user who exists.
func checkNames(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		i := strings.LastIndexByte(m.Member, ':')
		id, ok := linnet.ParseID(m.Member[i+1:])
		if i < 0 || !ok || record.NamesKey(record.CutRunes(m.Member[:i], record.NamePrefix)) != key {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an entry of this index", m.Member))
			return
		}
		get := &kv.Get{Key: record.UserKey(id)}
		x.ask(func() {
			u, _, ok := x.decodeUser(id, get)
			if get.Version == 0 || ok && !slices.Contains(record.NameWords(u), m.Member[:i]) {
				x.found(RuleIndex, key, fmt.Sprintf("%q points to no user of that name", m.Member), record.UserAffair(id))
			}
		}, get)
	}, nil)
}
