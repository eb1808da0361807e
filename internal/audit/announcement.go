package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

func announcementChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindAnnouncement:   checkAnnouncement,
		record.KindAnnouncements:  checkAnnouncements,
		record.KindReactions:      checkReactions,
		record.KindReactionNames:  checkReactionNames,
		record.KindReactionCounts: checkReactionCounts,
		record.KindReacted:        checkOfUser,
		record.KindAnnounced:      checkOfUser,
	}
}

// announcement: it can be read, and is among all of them.
func checkAnnouncement(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get, in := &kv.Get{Key: key}, &kv.Scores{Key: record.AnnouncementsKey(), Members: []string{id.String()}}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		if _, err := record.DecodeAnnouncement(id, get); err != nil || key.Shard != 0 {
			x.found(RuleRecord, key, fmt.Sprintf("not an announcement of shard 0: %v", err))
		}
		if !in.Found[0] {
			x.found(RuleIndex, key, fmt.Sprintf("it is not in %v", in.Key))
		}
	}, get, in)
}

// announcements: each is there, and there are not too many.
func checkAnnouncements(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		x.announced(key, id)
	}, func(w whole) {
		if w.n > linnet.MaxAnnouncements {
			x.found(RuleRecord, key, fmt.Sprintf("there are %d announcements, more than %d", w.n, linnet.MaxAnnouncements))
		}
	})
}

// announced: the announcement that a record is about is there.
func (x *auditing) announced(key kv.Key, id linnet.ID) {
	get := &kv.Get{Key: record.AnnouncementKey(id)}
	x.ask(func() {
		if get.Version == 0 {
			x.found(RuleOrphan, key, fmt.Sprintf("announcement %v does not exist", id))
		}
	}, get)
}

// checkReactionNames checks that each name occurs once.
func checkReactionNames(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.announced(key, id)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.ReactionNames
		if !read(x, get, &r) {
			return
		}
		seen := map[string]bool{}
		for _, n := range r.Names {
			if seen[n] {
				x.found(RuleUnique, key, fmt.Sprintf("%q occurs twice", n))
			}
			seen[n] = true
		}
		if len(r.Names) > linnet.MaxReactions {
			x.found(RuleRecord, key, fmt.Sprintf("there are %d names, more than %d", len(r.Names), linnet.MaxReactions))
		}
	}, get)
}

// checkReactionCounts checks that no reactions are counted for a missing record. checkReactions
// compares the others.
func checkReactionCounts(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.announced(key, id)
	q, first := &kv.Counters{Key: key, Names: record.ReactionPlaces()}, &kv.Range{Key: record.ReactionsKey(id), Limit: 1}
	x.ask(func() {
		for i, n := range q.Values {
			if len(first.Members) == 0 && n != 0 {
				x.found(RuleCounter, key, fmt.Sprintf("%s is %d, but %v is empty", q.Names[i], n, first.Key))
			}
		}
	}, q, first)
}

// checkReactions checks that a user's announcements include this one, and that each reaction has a
// name and is counted.
func checkReactions(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	x.announced(key, id)
	counted := make([]int64, linnet.MaxReactions)
	x.each(key, func(m kv.Member) {
		user, ok := linnet.ParseID(m.Member)
		if !ok || m.Score < 0 || m.Score >= 1<<linnet.MaxReactions {
			x.found(RuleRecord, key, fmt.Sprintf("%q at %d has not reacted to an announcement", m.Member, m.Score))
			return
		}
		for i := range counted {
			if m.Score&(1<<i) != 0 {
				counted[i]++
			}
		}
		if m.Score != 0 { // otherwise of a deleted account, which can't react any more
			x.reactedTo(key, id, user)
		}
	}, func(whole) { x.reactionCounts(id, counted) })
}

func (x *auditing) reactedTo(key kv.Key, id, user linnet.ID) {
	q := &kv.Scores{Key: record.ReactedKey(user), Members: []string{id.String()}}
	x.ask(func() {
		if !q.Found[0] {
			x.found(RuleEdge, key, fmt.Sprintf("the reaction of %v is not in %v", user, q.Key), record.UserAffair(user))
		}
	}, q)
}

func (x *auditing) reactionCounts(id linnet.ID, counted []int64) {
	q, get := &kv.Counters{Key: record.ReactionCountsKey(id), Names: record.ReactionPlaces()}, &kv.Get{Key: record.ReactionNamesKey(id)}
	x.ask(func() {
		var r record.ReactionNames
		read(x, get, &r)
		for i, name := range q.Names {
			if q.Values[i] != counted[i] {
				x.found(RuleCounter, q.Key, fmt.Sprintf("%s is %d, there are %d", name, q.Values[i], counted[i]))
			}
			if counted[i] > 0 && i >= len(r.Names) {
				x.found(RuleRecord, q.Key, fmt.Sprintf("%s has no name", name))
			}
		}
	}, q, get)
}
