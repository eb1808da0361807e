package social

import (
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// The response to a follow or unfollow is the relationship. The request itself determines half of
// it, which is not read from the store.

// otherRelations is the part of a relationship that a follow doesn't determine.
type otherRelations struct {
	b                  *db.Batch
	me, other          linnet.ID
	reader             *db.Reader
	back, requests     *db.Membership
	note               *string
	watching, endorsed *db.Membership // options of the follow; nil if not queried
}

// addQueries adds the queries to a new batch. The results are available after the batch has run.
func (s *Service) addQueries(me, other linnet.ID) otherRelations {
	b, others := s.st.Batch(), []linnet.ID{other}
	q := otherRelations{b: b, me: me, other: other, reader: b.Reader(me), note: b.Note(me, other)}
	q.reader.AskRelationship(other)
	q.back, q.requests = b.RelatedOwners(record.Follows(), me, others), b.RelatedOwners(record.Requests(), me, others)
	return q
}

// askChosen also queries the options of a follow. They can exist before a new follow if the other
// side ended an earlier one.
func (q *otherRelations) askChosen() {
	others := []linnet.ID{q.other}
	q.watching, q.endorsed = q.b.Related(record.Watches(), q.me, others), q.b.InPrivateSet(record.Endorsed, q.me, others)
}

// following returns the relationship after me has followed other, in all languages. other is not a
// group. askChosen must have been called.
func (q *otherRelations) following() linnet.Relationship {
	r := q.left()
	r.Following, r.Reposts = true, !q.reader.Relationship(q.other).HidesReposts()
	r.Notify, r.Endorsed = q.watching.Has(q.other), q.endorsed.Has(q.other)
	return r
}

// left returns the relationship after me has unfollowed other. other is not a group.
func (q *otherRelations) left() linnet.Relationship {
	m := q.reader.Relationship(q.other)
	return linnet.Relationship{ID: q.other, FollowedBy: q.back.Has(q.other), RequestedBy: q.requests.Has(q.other), Note: *q.note,
		Blocking: m.Blocks(), BlockedBy: m.BlockedBy(), Muting: m.Mutes(), MutingNotices: m.MutesNotices(), MutedUntil: m.MuteEnds()}
}
