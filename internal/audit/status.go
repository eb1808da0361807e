package audit

import (
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
)

// withStatus reads a status that something names. st is nil if there is none;
// what cannot be read is reported where the status itself is checked.
func (x *auditing) withStatus(id linnet.ID, f func(st *linnet.Status)) {
	get := &kv.Get{Key: record.StatusKey(id)}
	x.ask(func() {
		if get.Version == 0 {
			f(nil)
		} else if st, err := record.DecodeStatus(id, get); err == nil {
			f(st)
		}
	}, get)
}

// status: it is in its author's profile, and wherever others find it.
func checkStatus(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		st, err := record.DecodeStatus(id, get)
		if err == nil && st.Promotion() {
			x.promotion(key, st)
			return
		}
		if err != nil || st.Author.Shard() != key.Shard {
			x.found(RuleRecord, key, fmt.Sprintf("not a status of this shard: %v", err))
			return
		}
		x.Statuses++
		x.belongs(key, st.Author)
		x.inProfile(st)
		x.inThread(st)
		x.isRepost(st)
		x.tellsMentioned(st)
		x.inPublic(st)
		for i := range st.Media {
			x.hasFiles(key, st.Media[i].Files()...)
		}
		for i := range st.Former {
			x.hasFiles(key, st.Former[i].Files()...)
		}
		x.isQuote(st)
		x.closes(st)
		x.hasVersions(st)
	}, get)
}

func (x *auditing) inProfile(st *linnet.Status) {
	q := &kv.Scores{Key: record.PostsKey(st.Author), Members: []string{record.ProfileEntry(st)}}
	x.ask(func() {
		switch {
		case !q.Found[0]:
			x.found(RuleProfile, record.StatusKey(st.ID), fmt.Sprintf("%q is not in %v", q.Members[0], q.Key))
		case q.Values[0] != st.ID.Millis():
			x.found(RuleProfile, q.Key, fmt.Sprintf("status %v is at %d", st.ID, q.Values[0]))
		}
	}, q)
}

// inThread: a reply is among the replies of its parent, if that exists.
func (x *auditing) inThread(st *linnet.Status) {
	if st.ThreadParent() == 0 { // an imported status can have the id of a deleted parent
		return
	}
	parent := &kv.Get{Key: record.StatusKey(st.ThreadParent())}
	key, _ := statuses.RepliesOf(st)
	q := &kv.Scores{Key: key, Members: []string{record.PostEntry(st)}}
	former := &kv.Scores{Key: record.RepliesKey(st.ThreadParent()), Members: q.Members}
	x.ask(func() {
		if parent.Version != 0 && !q.Found[0] && !former.Found[0] {
			x.found(RuleIndex, record.StatusKey(st.ID), fmt.Sprintf("%q is not in %v", q.Members[0], q.Key), record.StatusAffair(st.ID))
		}
	}, parent, q, former)
}

// isRepost: the record of the repost leads here, and the relation is in force.
func (x *auditing) isRepost(st *linnet.Status) {
	if st.RepostOf == 0 {
		return
	}
	key := record.StatusKey(st.ID)
	get := &kv.Get{Key: record.RepostKey(st.Author, st.RepostOf)}
	edge := &kv.Scores{Key: record.Reposts().OwnedKey(st.Author), Members: []string{st.RepostOf.String()}}
	original := &kv.Get{Key: record.StatusKey(st.RepostOf)}
	x.ask(func() {
		var r record.Idem
		if get.Version == 0 || read(x, get, &r) && linnet.ID(r.Status) != st.ID {
			x.found(RuleEdge, key, fmt.Sprintf("%v does not point here", get.Key))
		}
		if !edge.Found[0] {
			x.found(RuleEdge, key, fmt.Sprintf("%v is not in %v", st.RepostOf, edge.Key))
		}
		if original.Version == 0 {
			x.minor(RuleDeleted, key, fmt.Sprintf("it reposts %v, which does not exist", st.RepostOf), record.StatusAffair(st.RepostOf))
		}
	}, get, edge, original)
}

func (x *auditing) tellsMentioned(st *linnet.Status) {
	for _, m := range st.Mentions {
		exists := &kv.Scores{Key: record.ShardKey(record.KindUsers, m.ID.Shard()), Members: []string{m.ID.String()}}
		q := &kv.Scores{Key: record.IDKey(record.KindMentioned, m.ID), Members: []string{st.ID.String()}}
		x.ask(func() {
			if exists.Found[0] && !q.Found[0] {
				x.found(RuleIndex, record.StatusKey(st.ID), fmt.Sprintf("it mentions %s, but is not in %v", m.Login, q.Key), record.StatusAffair(st.ID))
			}
		}, exists, q)
	}
}

// inPublic checks that a status is in its public timelines, unless it may have been trimmed.
func (x *auditing) inPublic(st *linnet.Status) {
	global, tags := x.places(st)
	x.underOwnTags(st, tags)
	if global {
		x.inTimeline(st, record.GlobalKey(record.GlobalSlice(st.Author)), st.ID.String())
	}
	for _, t := range tags {
		x.inTimeline(st, record.TagKey(t), record.TagMember(st))
	}
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
		// Timelines have more entries than one read returns, so the newest ones of a read have not
		// been trimmed.
		x.withNewest(key, func(newest *kv.Range) {
			if n := len(newest.Members); n == newest.Limit && st.ID.Millis() <= newest.Members[n-1].Score {
				return
			}
			x.ask(func() {
				if !unlisted(st.Author, by) {
					x.found(RuleIndex, record.StatusKey(st.ID), fmt.Sprintf("it is not in %v", key), record.StatusAffair(st.ID), record.UserAffair(st.Author))
				}
			}, by)
		})
	}, q)
}

// unlisted reports whether public timelines do not show what a user posts.
func unlisted(id linnet.ID, get *kv.Get) bool {
	u, _, err := record.DecodeUser(id, get)
	return err == nil && (u.Hidden() || u.Silenced)
}

// checkTally checks that nothing is counted for a deleted status or a missing set.
func checkTally(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get, q := &kv.Get{Key: record.StatusKey(id)}, &kv.Counters{Key: key, Names: record.StatusCounts()}
	x.ask(func() {
		switch {
		case get.Version != 0:
			sets := [...]kv.Key{record.RepliesKey(id), record.Reposts().CopyKey(id), record.Favourites().CopyKey(id), record.ClosedRepliesKey(id), record.QuotesKey(id)}
			for i, set := range sets {
				x.unfilled(key, q.Names[i], q.Values[i], set)
			}
		case slices.ContainsFunc(q.Values, func(n int64) bool { return n != 0 }):
			x.found(RuleOrphan, key, "there is no such status", record.StatusAffair(id))
		}
	}, get, q)
}

// posts: each entry of a profile is a status of that author and those flags.
func checkPosts(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	var direct int64 // which are not counted
	x.each(key, func(m kv.Member) {
		id, _ := record.SplitEntry(m.Member)
		if record.ParsePost(user, m.Member).Visibility == linnet.Direct {
			direct++
		}
		x.withStatus(id, func(st *linnet.Status) {
			switch {
			case st == nil:
				x.found(RuleProfile, key, fmt.Sprintf("%q is not a status", m.Member))
			case st.Author != user:
				x.found(RuleProfile, key, fmt.Sprintf("status %v is by %v", id, st.Author))
			case record.ProfileEntry(st) != m.Member:
				x.found(RuleProfile, key, fmt.Sprintf("%q should be %q", m.Member, record.ProfileEntry(st)))
			}
		})
	}, func(w whole) {
		w.n -= direct
		x.sized(w, record.CountsKey(user), "statuses")
	})
}

// replies: each entry is a reply to the status, which exists.
func checkReplies(x *auditing, key kv.Key) { x.repliesIn(key, "replies") }

func checkClosedReplies(x *auditing, key kv.Key) { x.repliesIn(key, record.ClosedCounter) }

func (x *auditing) repliesIn(key kv.Key, counter string) {
	parent, ok := x.keyID(key)
	if !ok {
		return
	}
	x.withStatus(parent, func(st *linnet.Status) {
		if st == nil {
			x.found(RuleOrphan, key, "there is no such status", record.StatusAffair(parent))
			return
		}
		x.each(key, func(m kv.Member) { x.reply(key, parent, m) },
			func(w whole) { x.sized(w, record.TallyKey(parent), counter) })
	})
}

func (x *auditing) reply(key kv.Key, parent linnet.ID, m kv.Member) {
	id, _ := record.SplitEntry(m.Member)
	x.withStatus(id, func(st *linnet.Status) {
		switch {
		case st == nil:
			x.found(RuleDeleted, key, fmt.Sprintf("reply %q does not exist", m.Member), record.StatusAffair(id))
		case st.ThreadParent() != parent:
			x.found(RuleIndex, key, fmt.Sprintf("status %v is not a reply to this one", id))
		case record.PostEntry(st) != m.Member:
			x.found(RuleIndex, key, fmt.Sprintf("%q should be %q", m.Member, record.PostEntry(st)))
		}
	})
}

// repost: it leads to a status that is this repost.
func checkRepost(x *auditing, key kv.Key) {
	by, of, _ := strings.Cut(key.ID, ".")
	user, ok1 := linnet.ParseID(by)
	original, ok2 := linnet.ParseID(of)
	if !ok1 || !ok2 || user.Shard() != key.Shard {
		x.found(RuleRecord, key, "the key is not a user of its shard and a status")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Idem
		if !read(x, get, &r) {
			return
		}
		x.withStatus(linnet.ID(r.Status), func(st *linnet.Status) {
			if st == nil || st.Author != user || st.RepostOf != original {
				x.found(RuleEdge, key, fmt.Sprintf("status %v is not this repost", linnet.ID(r.Status)))
			}
		})
	}, get)
}

// global: each entry belongs into the global timeline, and into this slice.
func checkGlobal(x *auditing, key kv.Key) {
	slice := slices.IndexFunc(record.GlobalKeys(), func(k kv.Key) bool { return k == key })
	if slice < 0 {
		x.found(RuleRecord, key, "there is no such slice")
		return
	}
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		x.publicly(key, m, id, func(st *linnet.Status) bool {
			global, _ := x.places(st)
			return global && record.GlobalSlice(st.Author) == slice
		})
	}, nil)
}

// tag: each entry is a public status with the tag.
func checkTag(x *auditing, key kv.Key) {
	if record.TagKey(key.ID) != key {
		x.found(RuleRecord, key, "the tag does not belong in this shard")
		return
	}
	x.each(key, func(m kv.Member) {
		head, _, _ := strings.Cut(m.Member, ".")
		id, _ := linnet.ParseID(head)
		x.publicly(key, m, id, func(st *linnet.Status) bool {
			_, tags := x.places(st)
			return slices.Contains(tags, key.ID) && record.TagMember(st) == m.Member
		})
	}, nil)
}

// publicly checks an entry of a public timeline.
func (x *auditing) publicly(key kv.Key, m kv.Member, id linnet.ID, in func(*linnet.Status) bool) {
	x.withStatus(id, func(st *linnet.Status) {
		switch {
		case st == nil:
			x.found(RuleDeleted, key, fmt.Sprintf("%q is not a status", m.Member), record.StatusAffair(id))
		case st.Visibility != linnet.Public:
			x.found(RulePrivate, key, fmt.Sprintf("status %v is %v", id, st.Visibility))
		case !in(st):
			x.found(RuleIndex, key, fmt.Sprintf("%q does not belong here", m.Member), record.StatusAffair(id))
		case m.Score != id.Millis():
			x.found(RuleIndex, key, fmt.Sprintf("%q is at %d", m.Member, m.Score))
		}
	})
}

// mentioned: each entry is a status that mentions the user.
func checkMentioned(x *auditing, key kv.Key) {
	user, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, user)
	x.each(key, func(m kv.Member) {
		id, _ := linnet.ParseID(m.Member)
		x.withStatus(id, func(st *linnet.Status) {
			switch {
			case st == nil:
				x.found(RuleDeleted, key, fmt.Sprintf("%q is not a status", m.Member), record.StatusAffair(id))
			case !slices.ContainsFunc(st.Mentions, func(p linnet.Mention) bool { return p.ID == user }):
				x.found(RulePrivate, key, fmt.Sprintf("status %v does not mention user %v", id, user), record.StatusAffair(id))
			}
		})
	}, nil)
}
