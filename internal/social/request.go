package social

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
)

var errNoRequest = linnet.Errorf(linnet.NotFound, "Record not found")

// relationToFollow returns the relation that a follow of u by me creates. It is a request if u is
// locked or if moderators have silenced me. Otherwise it is a follow, which ends a pending request.
func (s *Service) relationToFollow(ctx context.Context, me linnet.ID, u *linnet.User) (c relations.RelationChange, err error) {
	if u == nil || u.Hidden() {
		return c, core.ErrNoUser
	}
	other := u.ID
	by, err := s.core.LookupUser(ctx, me)
	if err != nil {
		return c, err
	}
	if isGroup(u) {
		return s.Groups.relationToJoin(ctx, me, u, by != nil && by.Silenced)
	}
	if u.Locked || by != nil && by.Silenced {
		return relations.RelationChange{Kind: record.Requests(), Owner: me, Other: other, Live: true,
			Below: linnet.MaxFollowRequests, Unless: record.Follows(), Conds: db.NoBlocks(me, other)}, nil
	}
	return relations.RelationChange{Kind: record.Follows(), Owner: me, Other: other, Live: true,
		Below: linnet.MaxFollowing, Ends: []record.RelationKind{record.Requests()}, Conds: db.NoBlocks(me, other)}, nil
}

// errTooMany names the limit that a follow or request has reached.
func errTooMany(kind record.RelationKind) error {
	if kind == record.Requests() {
		return linnet.Errorf(linnet.Invalid, "You can have at most %d pending follow requests. Withdraw one, or wait until one has been answered.", linnet.MaxFollowRequests)
	}
	return linnet.Errorf(linnet.Invalid, "You can follow at most %d people. Unfollow someone first.", linnet.MaxFollowing)
}

// removeFollow ends, in one transaction, me's follow of other or the request for it, notifications
// of new posts and the endorsement on me's profile.
func (s *Service) removeFollow(ctx context.Context, me, other linnet.ID, conds ...kv.Cond) error {
	changed, err := s.Change(ctx, relations.RelationChange{Kind: record.Follows(), Owner: me, Other: other,
		Ends: []record.RelationKind{record.Requests(), record.Watches()}, Conds: conds,
		Ops: []kv.Op{kv.Remove{Key: record.Endorsed.Key(me), Member: other.String()}}})
	if err == nil && !changed { // no follow was left, for example because other removed the follower
		err = s.st.Relations.SetMember(ctx, record.Endorsed, me, other, false)
	}
	return err
}

// FollowRequests returns the users who request to follow me, newest first.
// https://docs.joinmastodon.org/methods/follow_requests/#get
func (s *Service) FollowRequests(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return s.view.People(ctx, me, record.Requests().CopyKey(me), p)
}

// AcceptRequest accepts a request to follow me. It returns NotFound if there is none.
// https://docs.joinmastodon.org/methods/follow_requests/#accept
func (s *Service) AcceptRequest(ctx context.Context, me, from linnet.ID) (linnet.Relationship, error) {
	if err := s.Accept(ctx, me, from); err != nil {
		return linnet.Relationship{}, err
	}
	return s.Relationship(ctx, me, from)
}

// Accept turns a request into a follow, in the shard of the requesting user.
func (s *Service) Accept(ctx context.Context, me, from linnet.ID) error {
	u, err := s.core.LookupUser(ctx, me)
	if err != nil {
		return err
	}
	changed, err := s.Change(ctx, relations.RelationChange{Kind: record.Follows(), Owner: from, Other: me, Live: true,
		Below: linnet.MaxFollowing, Ends: []record.RelationKind{record.Requests()}, While: record.Requests(),
		Joins: isGroup(u), Conds: db.NoBlocks(from, me)})
	switch {
	case errors.Is(err, relations.ErrLimit):
		return linnet.Errorf(linnet.Invalid, "This account can't follow you, because it already follows %d people and can't follow more.", linnet.MaxFollowing)
	case errors.Is(err, db.ErrCondition), err == nil && !changed:
		return errNoRequest
	}
	return core.StoreError(err)
}

// RejectRequest rejects a request to follow me. It returns NotFound if there is none.
// https://docs.joinmastodon.org/methods/follow_requests/#reject
func (s *Service) RejectRequest(ctx context.Context, me, from linnet.ID) (linnet.Relationship, error) {
	changed, err := s.Change(ctx, relations.RelationChange{Kind: record.Requests(), Owner: from, Other: me,
		Ends: []record.RelationKind{record.Watches()}, While: record.Requests()})
	if errors.Is(err, db.ErrCondition) || err == nil && !changed {
		return linnet.Relationship{}, errNoRequest
	}
	if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, from)
}

// RemoveFollower ends a user's follow of me, if there is one. When it returns, the user can no
// longer see me's followers-only posts.
// https://docs.joinmastodon.org/methods/accounts/#remove_from_followers
func (s *Service) RemoveFollower(ctx context.Context, me, follower linnet.ID) (linnet.Relationship, error) {
	if err := s.MustExist(ctx, me, follower); err != nil {
		return linnet.Relationship{}, err
	}
	_, err := s.Change(ctx, relations.RelationChange{Kind: record.Follows(), Owner: follower, Other: me,
		Ends: []record.RelationKind{record.Watches()}, While: record.Follows()})
	if err != nil && !errors.Is(err, db.ErrCondition) {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, follower)
}

// acceptPass is the number of requests accepted in one batch. Each takes as long as about twenty
// feeds.
const acceptPass = 50

type acceptArgs struct {
	User linnet.ID `json:"user"`
	From kv.Member `json:"from"`
}

// acceptAll accepts the requests that were pending when a user was unlocked, as Mastodon does. It
// stops if the user is locked again.
func (s *Service) acceptAll(ctx context.Context, a acceptArgs) (*acceptArgs, error) {
	ids, from, err := s.st.After(ctx, record.Requests().CopyKey(a.User), a.From, acceptPass)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		open, err := s.acceptIfOpen(ctx, a.User, id)
		if err != nil || !open {
			return nil, err
		}
	}
	if len(ids) < acceptPass {
		return nil, nil
	}
	return &acceptArgs{a.User, from}, nil
}

// acceptIfOpen accepts a request if the requested user is no longer locked, and reports whether the
// user is unlocked. A request that was cancelled or exceeds a limit is not an error. Requests of
// silenced users stay pending.
func (s *Service) acceptIfOpen(ctx context.Context, user, from linnet.ID) (open bool, err error) {
	u, err := s.st.UserNow(ctx, user)
	if err != nil || u == nil || u.Locked || u.Hidden() {
		return false, err
	}
	by, err := s.core.LookupUser(ctx, from)
	if err != nil || by == nil || by.Silenced || by.Hidden() {
		return true, err
	}
	err = s.Accept(ctx, user, from)
	if k := linnet.KindOf(err); err != nil && k != linnet.NotFound && k != linnet.Invalid {
		return true, err
	}
	return true, nil
}
