package audit

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// counter counts the members of a set. Both keys have the same id and shard.
type counter struct {
	set  string // kind of the set
	in   string // kind of the counters
	name string
	only func(*auditing, kv.Member) bool // members that are counted; nil for all
	copy bool                            // the set and the counter are written by a task
	sum  bool                            // a sum over the members, checked separately
}

// counters returns the counters of sets. The audit of a set compares its counter. An empty set has
// no key, so the audit of the counters looks for it.
func counters(now time.Time) []counter {
	all := []counter{
		{set: record.KindUsers, in: record.KindStats, name: "users"},
		{set: record.KindUsers, in: record.KindStats, name: "statuses", sum: true},
		{set: record.KindGroups, in: record.KindStats, name: record.GroupsCounter},
		{set: record.KindActive, in: record.KindStats, name: record.ActiveName(now),
			only: func(_ *auditing, m kv.Member) bool { return m.Score == record.Month(now) }},
		{set: record.KindActs, in: record.KindStats, name: "acts"},
		{set: record.KindInvites, in: record.KindStats, name: record.InvitesCounter},
		{set: record.KindInvitees, in: record.KindInviteUses, name: record.UsesCounter},
		{set: record.KindPosts, in: record.KindCounts, name: "statuses",
			only: func(x *auditing, m kv.Member) bool {
				return record.ParsePost(x.id, m.Member).Visibility != linnet.Direct
			}},
		{set: record.KindConversations, in: record.KindCounts, name: record.ConversationsCounter},
		{set: record.KindMutes, in: record.KindCounts, name: record.MutesCounter},
		{set: record.KindRelationships, in: record.KindCounts, name: record.FollowedTagsCounter,
			only: func(_ *auditing, m kv.Member) bool { _, ok := record.FollowedTagOf(m.Member); return ok }},
		{set: record.KindReplies, in: record.KindTally, name: "replies"},
		{set: record.KindClosed, in: record.KindTally, name: record.ClosedCounter},
		{set: record.KindQuotes, in: record.KindTally, name: record.QuotesCounter},
	}
	for _, name := range record.BallotNames() {
		all = append(all, counter{set: record.KindVoters, in: record.KindBallots, name: name, sum: true})
	}
	for _, name := range record.ReactionCounters() {
		all = append(all, counter{set: record.KindReactions, in: record.KindReactionCounts, name: name, sum: true})
	}
	for _, k := range record.RelationKinds() {
		if k.OwnerCounter != "" {
			all = append(all, counter{set: k.Owned, in: record.KindCounts, name: k.OwnerCounter})
		}
		if k.OtherKind != "" {
			all = append(all, counter{set: k.Copied, in: k.OtherKind, name: k.OtherCounter, copy: true})
		}
	}
	return all
}

// counterIndex finds counters by the kind of the set and by their kind.
type counterIndex struct {
	ofSet map[string]counter
	in    map[string][]counter
}

func indexCounters(now time.Time) counterIndex {
	index := counterIndex{map[string]counter{}, map[string][]counter{}}
	for _, c := range counters(now) {
		if index.in[c.in] = append(index.in[c.in], c); !c.sum {
			index.ofSet[c.set] = c
		}
	}
	return index
}

// count returns functions that count the members of the set of this audit, a page at a time, and
// compare the counter of the set, if it has one.
func (x *auditing) count() (add func([]kv.Member), end func(last *kv.Member)) {
	c, ok := x.counters.ofSet[x.key.Kind]
	if !ok {
		return func([]kv.Member) {}, nil
	}
	n := int64(0)
	add = func(page []kv.Member) {
		for _, m := range page {
			if c.only == nil || c.only(x, m) {
				n++
			}
		}
	}
	return add, func(last *kv.Member) {
		var waits []record.Subject
		if c.copy {
			waits = []record.Subject{record.StatusSubject(x.id)}
		}
		x.sized(kv.Key{Kind: c.in, Shard: x.key.Shard, ID: x.key.ID}, c.name, n, last, waits...)
	}
}

// sized compares a counter with the size of its set. The set was read up to last.
func (x *auditing) sized(counters kv.Key, name string, n int64, last *kv.Member, waits ...record.Subject) {
	q := &kv.Counters{Key: counters, Names: []string{name}}
	x.ask(func() {
		if q.Values[0] == n {
			return
		}
		f := broken(RuleCounter, "%s is %d, but %v has %d", name, q.Values[0], x.key, n).awaits(waits...)
		f.Key, f.Mark = counters, fmt.Sprint(last)
		x.report(f)
	}, q)
}

// ofTally expects the counted status. The counters of a deleted one must be 0.
func ofTally(x *auditing, then func()) {
	get := &kv.Get{Key: record.StatusKey(x.id)}
	x.ask(func() {
		if get.Version != 0 {
			then()
			return
		}
		q := &kv.Counters{Key: x.key, Names: record.StatusCounts()}
		x.ask(func() {
			if slices.ContainsFunc(q.Values, func(n int64) bool { return n != 0 }) {
				x.report(broken(RuleOrphan, "%v does not exist", get.Key).awaits(record.StatusSubject(x.id)))
			}
		}, q)
	}, get)
}

// countChoices counts the options that users have chosen. The score of a user in the set has a bit
// for each option, and is 0 for a deleted account. of returns the user's set, which must contain
// the id.
func (x *auditing) countChoices(options int, several bool, of func(user linnet.ID) kv.Key, end func(users int64, votes []int64)) {
	users, votes := int64(0), make([]int64, options)
	x.pages(x.key, func(page []kv.Member) {
		for _, m := range page {
			user, ok := linnet.ParseID(m.Member)
			if !ok || m.Score < 0 || m.Score >= 1<<options || !several && bits.OnesCount64(uint64(m.Score)) > 1 {
				x.found(RuleRecord, "%q with score %d is not a vote of a user", m.Member, m.Score)
				continue
			}
			if m.Score == 0 {
				continue
			}
			users++
			for i := range votes {
				votes[i] += m.Score >> i & 1
			}
			x.expect([]ref{in(of(user), x.id.String()).as(RuleRelation).awaits(record.UserSubject(user))})
		}
	}, func(*kv.Member) { end(users, votes) })
}

// countersAre expects the given values of counters, and 0 for all others.
func (x *auditing) countersAre(counters kv.Key, names []string, want ...int64) []ref {
	q := &kv.Counters{Key: counters, Names: names}
	want = append(want, make([]int64, len(names)-len(want))...)
	return together(q, len(names), func(i int) *Finding {
		if q.Values[i] == want[i] {
			return nil
		}
		f := broken(RuleCounter, "%s is %d, but the sum of %v is %d", names[i], q.Values[i], x.key, want[i])
		f.Key = counters
		return f
	})
}
