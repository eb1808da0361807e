package store

import (
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// user: the login points back, the user is listed and found by name.
func (x *auditing) user(key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	listed := &kv.Scores{Key: shardKey(kUsers, key.Shard), Members: []string{key.ID}}
	x.ask(func() {
		u, born, ok := x.decodeUser(id, get)
		switch {
		case !ok:
			return
		case !born:
			x.found(RuleRecord, key, fmt.Sprintf("%s was never born", u.Login), UserAffair(id))
			return
		}
		if id.System() {
			x.claim(key, u)
			return
		}
		x.Users++
		x.Feeds = append(x.Feeds, HomeKey(id), TopKey(id))
		if !listed.Found[0] {
			x.found(RuleOrphan, key, fmt.Sprintf("%s is not in %v", u.Login, listed.Key), UserAffair(id))
		} else if listed.Values[0] != id.Millis() {
			x.found(RuleRecord, listed.Key, fmt.Sprintf("user %v stands at %d", id, listed.Values[0]))
		}
		x.claim(key, u)
		x.indexed(u)
		x.inStates(u)
		x.group(u)
	}, get, listed)
}

func (x *auditing) decodeUser(id linnet.ID, get *kv.Get) (u *linnet.User, born, ok bool) {
	if get.Version == 0 {
		return nil, false, false
	}
	u, born, err := decodeUser(id, get)
	if err != nil {
		x.found(RuleRecord, get.Key, err.Error())
		return nil, false, false
	}
	return u, born, true
}

// claim: the login is the user's.
func (x *auditing) claim(key kv.Key, u *linnet.User) {
	get := &kv.Get{Key: loginKey(u.Login)}
	x.ask(func() {
		var r loginRecord
		if get.Version == 0 {
			x.found(RuleUnique, key, fmt.Sprintf("login %s is claimed by nobody", u.Login), UserAffair(u.ID))
		} else if read(x, get, &r) && linnet.ID(r.User) != u.ID {
			x.found(RuleUnique, key, fmt.Sprintf("login %s belongs to user %v", u.Login, linnet.ID(r.User)), UserAffair(u.ID))
		}
	}, get)
}

// indexed: the user is found by each word of the name.
func (x *auditing) indexed(u *linnet.User) {
	for _, w := range nameWords(u) {
		q := &kv.Scores{Key: namesKey(cutRunes(w, namePrefix)), Members: []string{w + ":" + u.ID.String()}}
		x.ask(func() {
			if !q.Found[0] {
				x.found(RuleIndex, q.Key, fmt.Sprintf("%q is missing", q.Members[0]), UserAffair(u.ID))
			}
		}, q)
	}
}

// counts: nothing is counted of what is not there. What is there is compared
// where the sets are looked at.
func (x *auditing) counts(key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, id)
	q := &kv.Counters{Key: key, Names: []string{"followers", "following", "statuses", conversationsCounter, Blocks().ownerCounter, mutesCounter, "requests", "requesting"}}
	x.ask(func() {
		sets := [...]kv.Key{Follows().CopyKey(id), Follows().OwnedKey(id), postsKey(id), conversationsKey(id), Blocks().OwnedKey(id), MutesKey(id),
			Requests().CopyKey(id), Requests().OwnedKey(id)}
		for i, set := range sets {
			x.unfilled(key, q.Names[i], q.Values[i], set)
		}
	}, q)
}

// login: its owner exists and bears it.
func (x *auditing) login(key kv.Key) {
	if loginKey(key.ID) != key {
		x.found(RuleRecord, key, "the key is not that of a login")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r loginRecord
		if !read(x, get, &r) {
			return
		}
		id := linnet.ID(r.User)
		owner := &kv.Get{Key: userKey(id)}
		x.ask(func() {
			u, born, ok := x.decodeUser(id, owner)
			switch {
			case r.Gone && owner.Version == 0:
			case owner.Version == 0:
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who does not exist", id), UserAffair(id))
			case ok && !strings.EqualFold(u.Login, key.ID):
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who is called %s", id, u.Login))
			case ok && !born:
				x.found(RuleUnique, key, fmt.Sprintf("it belongs to user %v, who was never born", id), UserAffair(id))
			}
		}, owner)
	}, get)
}

// users: each member is a born user; the shard's totals are theirs.
func (x *auditing) users(key kv.Key) {
	var statuses int64
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || id.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user of this shard", m.Member))
			return
		}
		get, counts := &kv.Get{Key: userKey(id)}, &kv.Counters{Key: countsKey(id), Names: []string{"statuses"}}
		x.ask(func() {
			statuses += counts.Values[0]
			if _, born, ok := x.decodeUser(id, get); ok && !born || get.Version == 0 {
				x.found(RuleOrphan, key, fmt.Sprintf("user %v is listed but was never born", id), UserAffair(id))
			}
		}, get, counts)
	}, func(w whole) {
		x.sized(w, shardKey(kStats, key.Shard), "users")
		stats := &kv.Counters{Key: shardKey(kStats, key.Shard), Names: []string{"statuses"}}
		x.ask(func() {
			if stats.Values[0] != statuses {
				x.found(RuleCounter, stats.Key, fmt.Sprintf("statuses is %d, but those of the users add up to %d", stats.Values[0], statuses))
			}
		}, stats)
	})
}

// stats: nothing is counted where nobody lives.
func (x *auditing) stats(key kv.Key) {
	q := &kv.Counters{Key: key, Names: []string{"users", "statuses", activeName(x.s.Now()), groupsCounter}}
	x.ask(func() {
		for i, set := range [...]string{kUsers, kUsers, kActive, kGroups} {
			x.unfilled(key, q.Names[i], q.Values[i], shardKey(set, key.Shard))
		}
	}, q)
}

// active: its members exist, and those of this month are counted.
func (x *auditing) active(key kv.Key) {
	var now int64
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || id.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a user of this shard", m.Member))
			return
		}
		if m.Score == month(x.s.Now()) {
			now++
		}
		x.belongs(key, id)
	}, func(w whole) {
		w.n = now
		x.sized(w, shardKey(kStats, key.Shard), activeName(x.s.Now()))
	})
}

// names: each entry is a word of the name of a user who exists.
func (x *auditing) names(key kv.Key) {
	x.each(key, func(m kv.Member) {
		i := strings.LastIndexByte(m.Member, ':')
		id, ok := linnet.ParseID(m.Member[i+1:])
		if i < 0 || !ok || namesKey(cutRunes(m.Member[:i], namePrefix)) != key {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an entry of this index", m.Member))
			return
		}
		get := &kv.Get{Key: userKey(id)}
		x.ask(func() {
			u, _, ok := x.decodeUser(id, get)
			if get.Version == 0 || ok && !slices.Contains(nameWords(u), m.Member[:i]) {
				x.found(RuleIndex, key, fmt.Sprintf("%q leads to nobody of that name", m.Member), UserAffair(id))
			}
		}, get)
	}, nil)
}
