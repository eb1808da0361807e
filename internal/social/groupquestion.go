package social

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/view"
)

// Question is a question in a message of a group: whether a user can join, or whether the reader
// wants to join.
type Question struct {
	Group   linnet.ID
	By      string // login of the user who requests to join, or who invites the reader
	Invites bool   // an invitation
}

// QuestionState is the current state of a question. The zero value is a question that the reader
// can't answer.
type QuestionState struct {
	Known   bool            // the reader can answer it, or could before it was answered
	By      linnet.UserView // zero if the inviter doesn't exist any more
	Pending bool
	Member  bool // the user who requested to join is a member, or the invited reader is
}

// Questions returns the states of questions to me, in one batch. me must be a moderator or owner of
// the groups that users request to join.
func (s *Groups) Questions(ctx context.Context, me linnet.ID, all []Question) ([]QuestionState, error) {
	if len(all) == 0 {
		return nil, nil
	}
	logins, groups := make([]string, len(all)), make([]linnet.ID, len(all))
	for i, q := range all {
		logins[i], groups[i] = q.By, q.Group
	}
	ids, err := s.st.Accounts.UsersByLogin(ctx, logins)
	if err != nil {
		return nil, core.StoreError(err)
	}
	users, err := s.view.Users(ctx, me, slices.DeleteFunc(slices.Clone(ids), func(id linnet.ID) bool { return id == 0 }))
	if err != nil {
		return nil, err
	}
	known := make(map[linnet.ID]linnet.UserView, len(users))
	for _, u := range users {
		known[u.ID] = u
	}
	b := s.st.Batch()
	mine, offers := b.Related(record.Follows(), me, groups), b.RelatedOwners(record.GroupOffers(), me, groups)
	type read struct {
		group                            *db.UserRef
		owners, moderators, asks, member *db.Membership
	}
	reads := make([]read, len(all))
	for i, q := range all {
		r := read{group: b.User(q.Group)}
		if !q.Invites && ids[i] != 0 {
			one, it := []linnet.ID{me}, []linnet.ID{q.Group}
			r.owners, r.moderators = b.Related(record.GroupOwners(), q.Group, one), b.Related(record.GroupModerators(), q.Group, one)
			r.asks, r.member = b.Related(record.Requests(), ids[i], it), b.Related(record.Follows(), ids[i], it)
		}
		reads[i] = r
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]QuestionState, len(all))
	for i, q := range all {
		r, by := reads[i], known[ids[i]]
		in := mine.Has(q.Group)
		switch {
		case r.group.User == nil || r.group.User.Hidden():
		case q.Invites:
			out[i] = QuestionState{Known: true, By: by, Pending: offers.Has(q.Group) && !in, Member: in}
		case in && by.ID != 0 && view.RoleIn(me, r.owners, r.moderators) >= linnet.GroupModerator:
			out[i] = QuestionState{Known: true, By: by, Pending: r.asks.Has(q.Group), Member: r.member.Has(q.Group)}
		}
	}
	return out, nil
}
