package social

import (
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Who begins or ends a follow is told how the two stand then. What the act itself has
// settled is not asked for: that is half of it.

// standing is how me stands to other besides following, and asking to.
type standing struct {
	b                  *db.Batch
	me, other          linnet.ID
	reader             *db.Reader
	back, requests     *db.Membership
	note               *string
	watching, endorsed *db.Membership // what was chosen about a follow; nil: not asked for
}

// askStanding asks for it; the answers are there when b has run.
func (s *Service) askStanding(me, other linnet.ID) standing {
	b, others := s.st.Batch(), []linnet.ID{other}
	q := standing{b: b, me: me, other: other, reader: b.Reader(me), note: b.Note(me, other)}
	q.reader.AskRelationship(other)
	q.back, q.requests = b.EdgeHasOwner(record.Follows(), me, others), b.EdgeHasOwner(record.Requests(), me, others)
	return q
}

// askChosen asks also for what has been chosen about a follow, which may have been ended
// by the other side and begin again.
func (q *standing) askChosen() {
	others := []linnet.ID{q.other}
	q.watching, q.endorsed = q.b.EdgeHas(record.Watches(), q.me, others), q.b.Kept(record.Endorsed, q.me, others)
}

// following is how me stands to other, who is no group, now that me follows, in all
// languages: the transaction that made it so has left no request. What has been chosen was
// asked for.
func (q *standing) following() linnet.Relationship {
	r := q.left()
	r.Following, r.Reposts = true, !q.reader.Relationship(q.other).HidesReposts()
	r.Notify, r.Endorsed = q.watching.Has(q.other), q.endorsed.Has(q.other)
	return r
}

// left is how me stands to other, who is no group, now that me does not follow, nor asks
// to, and has chosen nothing about it.
func (q *standing) left() linnet.Relationship {
	m := q.reader.Relationship(q.other)
	return linnet.Relationship{ID: q.other, FollowedBy: q.back.Has(q.other), RequestedBy: q.requests.Has(q.other), Note: *q.note,
		Blocking: m.Blocks(), BlockedBy: m.BlockedBy(), Muting: m.Mutes(), MutingNotices: m.MutesNotices(), MutedUntil: m.MuteEnds()}
}
