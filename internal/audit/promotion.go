package audit

import (
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// promotion checks that its original exists, is public or unlisted, has passed the level, and that
// the promotion is in the sets of the original and its author.
func (x *auditing) promotion(key kv.Key, p *linnet.Status) {
	if p.RepostAuthor.Shard() != key.Shard || p.RepostOf.Shard() != key.Shard {
		x.found(RuleRecord, key, "it is not in the shard of the promoted status")
		return
	}
	member := []string{p.ID.String()}
	at, by := &kv.Scores{Key: record.PromotedKey(p.RepostOf), Members: member}, &kv.Scores{Key: record.PromotionSource(p.RepostAuthor), Members: member}
	x.ask(func() {
		if !at.Found[0] || at.Values[0] != int64(p.Level) {
			x.found(RuleIndex, key, fmt.Sprintf("it is not in %v at level %d", at.Key, p.Level), record.StatusAffair(p.RepostOf))
		}
		if !by.Found[0] {
			x.found(RuleIndex, key, fmt.Sprintf("it is not in %v", by.Key), record.StatusAffair(p.RepostOf), record.UserAffair(p.RepostAuthor))
		}
	}, at, by)
	x.withStatus(p.RepostOf, func(st *linnet.Status) {
		switch {
		case st == nil:
			x.found(RuleDeleted, key, fmt.Sprintf("it promotes %v, which does not exist", p.RepostOf), record.StatusAffair(p.RepostOf))
		case !st.Promotable():
			x.found(RulePrivate, key, fmt.Sprintf("it promotes %v, which is %v", st.ID, st.Visibility))
		case st.Author != p.RepostAuthor || p.Level < 1 || p.Level > st.Level:
			x.found(RuleRecord, key, fmt.Sprintf("level %d of %v by %v, which is by %v and has passed %d", p.Level, st.ID, p.RepostAuthor, st.Author, st.Level))
		}
	})
}

// checkPromotions checks that each entry is a promotion of a status that the user has written or
// voted for.
func checkPromotions(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		x.withStatus(id, func(p *linnet.Status) {
			switch {
			case p == nil:
				x.found(RuleDeleted, key, fmt.Sprintf("%q is not a promotion", m.Member), record.StatusAffair(id))
			case !p.Promotion() || p.RepostAuthor != user && !slices.Contains(p.Promoters, user) || m.Score != id.Millis():
				x.found(RuleIndex, key, fmt.Sprintf("%q does not belong here", m.Member))
			}
		})
	}, nil)
}

// promoted: each entry is a promotion of the status, at most one a level.
func checkPromoted(x *auditing, key kv.Key) {
	status, ok := x.keyID(key)
	if !ok {
		return
	}
	x.withStatus(status, func(st *linnet.Status) {
		if st == nil {
			x.found(RuleOrphan, key, "there is no such status", record.StatusAffair(status))
		}
	})
	level := int64(0)
	x.each(key, func(m kv.Member) {
		if m.Score <= level {
			x.found(RuleIndex, key, fmt.Sprintf("%q is a second promotion of level %d", m.Member, m.Score))
		}
		level = m.Score
		id, _ := linnet.ParseID(m.Member)
		x.withStatus(id, func(p *linnet.Status) {
			if p == nil || !p.Promotion() || p.RepostOf != status || int64(p.Level) != m.Score {
				x.found(RuleIndex, key, fmt.Sprintf("%q is not a promotion of level %d", m.Member, m.Score), record.StatusAffair(status), record.StatusAffair(id))
			}
		})
	}, nil)
}
