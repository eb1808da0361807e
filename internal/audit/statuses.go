package audit

import (
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// statusRows are the rows of statuses, and of the sets that contain them.
func statusRows() map[string]row {
	return map[string]row{
		record.KindStatus:       {key: idKey, value: decoded(record.DecodeStatus, statusRefs)},
		record.KindTally:        {owner: ofTally},
		record.KindVersion:      {key: versionKey, value: decoded(record.DecodeStatus, versionRefs)},
		record.KindRepost:       {key: pair, value: stored(repostRecordRefs)},
		record.KindPosts:        {owner: ofUser, set: members(profileRefs)},
		record.KindReplies:      {owner: ofStatus, set: members(replyRefs)},
		record.KindClosed:       {owner: ofStatus, set: members(replyRefs)},
		record.KindQuotes:       {owner: ofStatus, set: ids(quoteRefs)},
		record.KindClosedQuotes: {owner: ofStatus, set: ids(quoteRefs)},
		record.KindMentioned:    {owner: ofUser, set: ids(mentionRefs)},
		record.KindErased:       {owner: ofUser, set: shardIDs(erasedRefs)},
		record.KindPins:         {owner: ofUser, value: stored(pinRefs)},
		record.KindBookmarks:    {owner: ofUser, set: ids(anyID)},

		record.KindPromotions: {owner: ofUser, set: ids(promotionsRefs)},
		record.KindPromoted:   {owner: ofStatus, set: ids(promotedRefs), check: checkPromotedLevels},

		record.KindGlobal:   {key: anyOf(record.GlobalKeys()...), set: ids(globalRefs)},
		record.KindTag:      {key: keyFrom(record.TagKey), set: members(tagRefs)},
		record.KindUserTag:  {key: dotted, check: checkUserTag},
		record.KindUserTags: {owner: ofUser},
		record.KindFeatured: {owner: ofUser, value: stored(featuredRefs)},

		record.KindBallots: {owner: ofPoll},
		record.KindVoters:  {owner: ofPoll, check: checkVoters},
		record.KindVoted:   {owner: ofUser, set: ids(anyID)},
	}
}

// statusRefs expects a status in its author's profile and in all indexes.
func statusRefs(x *auditing, st *linnet.Status) []ref {
	if st.Promotion() {
		return promotionRefs(x, st)
	}
	if st.Author.Shard() != x.key.Shard {
		return wrong("the author, user %v, belongs to another shard", st.Author)
	}
	x.Statuses++
	affair := record.StatusSubject(st.ID)
	refs := []ref{user(st.Author), in(record.PostsKey(st.Author), record.ProfileEntry(st)).as(RuleProfile)}
	if parent := st.ThreadParent(); parent != 0 { // an imported status can have the id of a deleted parent
		set, _ := statuses.RepliesOf(st)
		entry := record.PostEntry(st)
		listed := either(in(set, entry), in(record.RepliesKey(parent), entry)) // earlier releases had one set
		refs = append(refs, when(exists(record.StatusKey(parent)), listed).awaits(affair))
	}
	if st.RepostOf != 0 {
		named := func(r *record.Idem) bool { return linnet.ID(r.Status) == st.ID }
		refs = append(refs, refersBack(record.RepostKey(st.Author, st.RepostOf), named).as(RuleRelation),
			in(record.Reposts().OwnedKey(st.Author), st.RepostOf.String()).as(RuleRelation),
			exists(record.StatusKey(st.RepostOf)).as(RuleDeleted).awaits(record.StatusSubject(st.RepostOf)).harmless())
	}
	for _, m := range st.Mentions {
		refs = append(refs, when(user(m.ID), in(record.IDKey(record.KindMentioned, m.ID), st.ID.String())).awaits(affair))
	}
	for version := range st.Edits {
		refs = append(refs, exists(record.VersionKey(st.ID, version)).as(RuleIndex))
	}
	if st.Poll != nil && !st.Poll.Closed {
		refs = append(refs, queued(task.Key(st.ID.Shard(), statuses.ClosingID(st))).awaits(affair))
	}
	global, tags := x.publicTimelines(st)
	if global {
		x.inTimeline(st, record.GlobalKey(record.GlobalSlice(st.Author)), st.ID.String())
	}
	for _, t := range tags {
		x.inTimeline(st, record.TagKey(t), record.TagMember(st))
		x.expect([]ref{in(record.UserTagKey(st.Author, t), st.ID.String())})
	}
	return append(refs, quotingRefs(st)...)
}

// quotingRefs expects a status among the quotes of the quoted one, unless the quote was revoked.
func quotingRefs(st *linnet.Status) []ref {
	if st.QuoteOf == 0 && (st.QuoteRevoked || st.QuoteAuthor != 0) || st.QuoteOf != 0 && st.QuoteOf.Shard() != st.QuoteAuthor.Shard() {
		return wrong("the record quotes %v by %v, which is incomplete", st.QuoteOf, st.QuoteAuthor)
	}
	if !st.Quoting() {
		return nil
	}
	set, _ := statuses.QuotesOf(st)
	return []ref{when(exists(record.StatusKey(st.QuoteOf)), in(set, st.ID.String())).awaits(record.StatusSubject(st.ID))}
}

// versionKey accepts a key that is a status and a number.
func versionKey(x *auditing) (ok bool) {
	if x.id, _, ok = record.VersionOf(x.key); !ok {
		x.found(RuleRecord, "the key does not consist of a status of its shard and a number")
	}
	return ok
}

func versionRefs(x *auditing, was *linnet.Status) []ref {
	_, version, _ := record.VersionOf(x.key)
	return []ref{status(x.id, func(st *linnet.Status) *Finding {
		switch {
		case st == nil:
			return broken(RuleOrphan, "%v does not exist", record.StatusKey(x.id))
		case version >= len(st.Edits):
			return broken(RuleOrphan, "the status was edited %d times", len(st.Edits))
		case st.Author != was.Author:
			return broken(RuleRecord, "the version is by user %v, but the status is by user %v", was.Author, st.Author)
		}
		return nil
	})}
}

// repostRecordRefs expects the boost that a user has made of a status.
func repostRecordRefs(x *auditing, r *record.Idem) []ref {
	id := linnet.ID(r.Status)
	return []ref{status(id, func(st *linnet.Status) *Finding {
		if st == nil || st.Author != x.id || st.RepostOf != x.second() {
			return broken(RuleRelation, "status %v is not a repost of this one", id)
		}
		return nil
	})}
}

func profileRefs(x *auditing, m kv.Member) []ref {
	id, _ := record.SplitEntry(m.Member)
	return []ref{status(id, func(st *linnet.Status) *Finding {
		switch {
		case st == nil:
			return broken(RuleProfile, "status %q does not exist", m.Member)
		case st.Author != x.id:
			return broken(RuleProfile, "status %v is by user %v", id, st.Author)
		case record.ProfileEntry(st) != m.Member:
			return broken(RuleProfile, "%q should be %q", m.Member, record.ProfileEntry(st))
		case m.Score != id.Millis():
			return broken(RuleProfile, "%q has the wrong score %d", m.Member, m.Score)
		}
		return nil
	})}
}

func replyRefs(x *auditing, m kv.Member) []ref {
	id, _ := record.SplitEntry(m.Member)
	return []ref{status(id, func(st *linnet.Status) *Finding {
		switch {
		case st == nil:
			return deleted(id)
		case st.ThreadParent() != x.id:
			return broken(RuleIndex, "status %v is not a reply to this one", id)
		case record.PostEntry(st) != m.Member:
			return broken(RuleIndex, "%q should be %q", m.Member, record.PostEntry(st))
		}
		return nil
	})}
}

func quoteRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	if m.Score != id.Millis() {
		return wrong("%q has the wrong score %d", m.Member, m.Score)
	}
	return []ref{status(id, func(st *linnet.Status) *Finding {
		if st == nil {
			return deleted(id)
		}
		switch set, _ := statuses.QuotesOf(st); {
		case st.QuoteOf != x.id:
			return broken(RuleIndex, "status %v does not quote this one", id)
		case st.QuoteRevoked:
			return broken(RuleIndex, "quote %v was revoked", id).awaits(record.StatusSubject(id))
		case set != x.key:
			return broken(RulePrivate, "quote %v should be in %v", id, set)
		}
		return nil
	})}
}

func mentionRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{status(id, func(st *linnet.Status) *Finding {
		switch {
		case st == nil:
			return deleted(id)
		case !slices.ContainsFunc(st.Mentions, func(p linnet.Mention) bool { return p.ID == x.id }):
			return broken(RulePrivate, "status %v does not mention user %v", id, x.id).awaits(record.StatusSubject(id))
		}
		return nil
	})}
}

// erasedRefs expects that a status is deleted.
func erasedRefs(_ *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{not(exists(record.StatusKey(id)), "status %v is not deleted", id).as(RuleDeleted)}
}

func pinRefs(x *auditing, r *record.Pins) (refs []ref) {
	for _, p := range r.Statuses {
		id := linnet.ID(p)
		refs = append(refs, status(id, func(st *linnet.Status) *Finding {
			switch {
			case st == nil:
				return deleted(id)
			case st.Author != x.id || !st.Pinned:
				return broken(RuleRecord, "status %v is not a status of this user that can be pinned", id)
			}
			return nil
		}))
	}
	return refs
}

func featuredRefs(_ *auditing, r *record.Featured) []ref {
	tags := make([]string, len(r.Tags))
	for i, t := range r.Tags {
		tags[i] = t.Tag
	}
	return distinct(tags, linnet.MaxFeaturedTags)
}

// checkVoters compares votes with the poll and with its counters. Each voter's set names the poll.
func checkVoters(x *auditing) {
	x.countChoices(len(x.status.Poll.Options), x.status.Poll.Multiple, record.VotedKey, func(users int64, votes []int64) {
		x.expect(x.countersAre(record.BallotsKey(x.id), record.BallotNames(), append([]int64{users}, votes...)...))
	})
}

// promotionRefs expects that the original exists, is public or unlisted and has reached the level,
// and that the promotion is in the sets of the original and its author.
func promotionRefs(x *auditing, p *linnet.Status) []ref {
	if p.RepostAuthor.Shard() != x.key.Shard || p.RepostOf.Shard() != x.key.Shard {
		return wrong("the record is not in the shard of the promoted status")
	}
	affair := record.StatusSubject(p.RepostOf)
	return []ref{
		inAt(record.PromotedKey(p.RepostOf), p.ID.String(), int64(p.Level)).awaits(affair),
		in(record.PromotionSource(p.RepostAuthor), p.ID.String()).awaits(affair, record.UserSubject(p.RepostAuthor)),
		status(p.RepostOf, func(st *linnet.Status) *Finding {
			switch {
			case st == nil:
				return deleted(p.RepostOf)
			case !st.Promotable():
				return broken(RulePrivate, "the promoted status %v has visibility %v", st.ID, st.Visibility)
			case st.Author != p.RepostAuthor || p.Level < 1 || p.Level > st.Level:
				return broken(RuleRecord, "the promotion has level %d and names %v by user %v, but the status is by user %v and has reached level %d", p.Level, st.ID, p.RepostAuthor, st.Author, st.Level)
			}
			return nil
		}),
	}
}

// promotionsRefs expects a promotion of a status that the user has written or voted for.
func promotionsRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	return []ref{status(id, func(p *linnet.Status) *Finding {
		switch {
		case p == nil:
			return deleted(id)
		case !p.Promotion() || p.RepostAuthor != x.id && !slices.Contains(p.Promoters, x.id) || m.Score != id.Millis():
			return broken(RuleIndex, "%q does not belong in this set", m.Member)
		}
		return nil
	})}
}

func promotedRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	return []ref{status(id, func(p *linnet.Status) *Finding {
		if p == nil || !p.Promotion() || p.RepostOf != x.id || int64(p.Level) != m.Score {
			return broken(RuleIndex, "%q is not a promotion of level %d", m.Member, m.Score).awaits(record.StatusSubject(x.id), record.StatusSubject(id))
		}
		return nil
	})}
}

// checkPromotedLevels expects one promotion for each level.
func checkPromotedLevels(x *auditing) {
	level := int64(0)
	x.pages(x.key, func(page []kv.Member) {
		for _, m := range page {
			if m.Score <= level {
				x.found(RuleIndex, "%q is a second promotion of level %d", m.Member, m.Score)
			}
			level = m.Score
		}
	}, nil)
}

func (x *auditing) inTimeline(st *linnet.Status, key kv.Key, member string) {
	if x.cutOff(key, st.ID.Millis()) {
		return
	}
	q, by := &kv.Scores{Key: key, Members: []string{member}}, &kv.Get{Key: record.UserKey(st.Author)}
	x.ask(func() {
		if q.Found[0] || x.cutOff(key, st.ID.Millis()) {
			return
		}
		// Timelines can have more entries than one read returns, so the newest ones of a read have
		// not been trimmed.
		x.withNewest(key, func(newest *kv.Range) {
			if n := len(newest.Members); n == newest.Limit && st.ID.Millis() <= newest.Members[n-1].Score {
				return
			}
			x.ask(func() {
				if !unlisted(st.Author, by) {
					x.report(broken(RuleIndex, "%q is not in %v", member, key).awaits(record.StatusSubject(st.ID), record.UserSubject(st.Author)))
				}
			}, by)
		})
	}, q)
}

// unlisted reports whether public timelines hide a user's posts.
func unlisted(id linnet.ID, get *kv.Get) bool {
	u, _, err := record.DecodeUser(id, get)
	return err == nil && (u.Hidden() || u.Silenced)
}

func globalRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	return x.public(id, m, func(st *linnet.Status) bool {
		global, _ := x.publicTimelines(st)
		return global && record.GlobalKey(record.GlobalSlice(st.Author)) == x.key
	})
}

func tagRefs(x *auditing, m kv.Member) []ref {
	head, _, _ := strings.Cut(m.Member, ".")
	id, _ := linnet.ParseID(head)
	return x.public(id, m, func(st *linnet.Status) bool {
		_, tags := x.publicTimelines(st)
		return slices.Contains(tags, x.key.ID) && record.TagMember(st) == m.Member
	})
}

// public expects a public status that belongs in the timeline.
func (x *auditing) public(id linnet.ID, m kv.Member, belongs func(*linnet.Status) bool) []ref {
	return []ref{status(id, func(st *linnet.Status) *Finding {
		switch {
		case st == nil:
			return deleted(id)
		case st.Visibility != linnet.Public:
			return broken(RulePrivate, "status %v has visibility %v", id, st.Visibility)
		case !belongs(st):
			return broken(RuleIndex, "%q does not belong in this set", m.Member).awaits(record.StatusSubject(id))
		case m.Score != id.Millis():
			return broken(RuleIndex, "%q has the wrong score %d", m.Member, m.Score)
		}
		return nil
	})}
}

// checkUserTag checks that each entry is a public status of the user with the tag, and the counter.
// The counters of all tags of a user have one key.
func checkUserTag(x *auditing) {
	n := int64(0)
	x.pages(x.key, func(page []kv.Member) {
		n += int64(len(page))
		for _, m := range page {
			id, _ := linnet.ParseID(m.Member)
			x.expect(x.public(id, m, func(st *linnet.Status) bool {
				_, tags := x.publicTimelines(st)
				return st.Author == x.id && slices.Contains(tags, x.rest)
			}))
		}
	}, func(last *kv.Member) { x.sized(record.UserTagsKey(x.id), record.TagName(x.rest), n, last) })
}
