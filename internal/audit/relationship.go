package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// checkRelationships checks that each flag names a user, has a known kind and matches the set of
// relations of that kind, and that followed tags are counted.
func checkRelationships(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	tags := int64(0)
	x.each(key, func(m kv.Member) {
		if tag, ok := record.FollowedTagOf(m.Member); ok {
			if tags++; tag == "" || m.Score >= record.LanguagesScore {
				x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a followed tag", m.Member, m.Score))
			}
			return
		}
		other, mark := db.FlagStates(m)
		if other == 0 || mark == 0 {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a relationship flag", m.Member))
			return
		}
		c := record.RelationshipFlag(m.Member[len(m.Member)-1])
		set, ok := record.RelationshipSet(user, c)
		if !ok {
			return
		}
		q := &kv.Scores{Key: set, Members: []string{other.String()}}
		x.ask(func() {
			if !q.Found[0] {
				x.found(RuleEdge, key, fmt.Sprintf("has %q, but %v has not %v", m.Member, set, other))
			}
		}, q)
	}, func(w whole) {
		w.n = tags
		x.sized(w, record.CountsKey(user), record.FollowedTagsCounter)
	})
}

// relationshipOf checks that each relation of a user's set has a relationship flag.
func (x *auditing) relationshipOf(key kv.Key, c record.RelationshipFlag) {
	user, ok := linnet.ParseID(key.ID)
	if !ok || user.Shard() != key.Shard {
		return // reported elsewhere
	}
	x.pages(whole{key: key}, func(page []kv.Member) {
		q := &kv.Scores{Key: record.RelationshipsKey(user)}
		for _, m := range page {
			q.Members = append(q.Members, m.Member+string(c))
		}
		x.ask(func() {
			for i, found := range q.Found {
				if !found {
					x.found(RuleEdge, key, fmt.Sprintf("has %s, but %v has not %s", page[i].Member, q.Key, q.Members[i]))
				}
			}
		}, q)
	}, nil)
}

// mutes: counted, and each with its relationship flag.
func checkMutes(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		if _, ok := linnet.ParseID(m.Member); !ok {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an id", m.Member))
		}
	}, func(w whole) { x.sized(w, record.CountsKey(user), record.MutesCounter) })
	x.relationshipOf(key, record.Mutes)
}
