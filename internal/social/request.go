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
	"linnet/internal/task"
)

var errNoRequest = linnet.Errorf(linnet.NotFound, "Record not found")

// wanted is the wish of me to follow somebody, as read at this moment. Whoever is locked is asked, and so is
// everybody by those whom moderators have silenced; others are followed, and a
// request that waited for their answer ends with it.
func (s *Service) wanted(ctx context.Context, me linnet.ID, u *linnet.User) (c relations.EdgeChange, err error) {
	if u == nil || u.Hidden() {
		return c, core.ErrNoUser
	}
	other := u.ID
	by, err := s.core.LookupUser(ctx, me)
	if err != nil {
		return c, err
	}
	if isGroup(u) {
		return s.membership.Wanted(ctx, me, u, by != nil && by.Silenced)
	}
	if u.Locked || by != nil && by.Silenced {
		return relations.EdgeChange{Kind: record.Requests(), Owner: me, Other: other, Live: true,
			Below: linnet.MaxFollowRequests, Unless: record.Follows(), Conds: db.NoBlocks(me, other)}, nil
	}
	return relations.EdgeChange{Kind: record.Follows(), Owner: me, Other: other, Live: true,
		Below: linnet.MaxFollowing, Ends: []record.EdgeKind{record.Requests()}, Conds: db.NoBlocks(me, other)}, nil
}

// errTooMany says which limit a wish to follow has met.
func errTooMany(kind record.EdgeKind) error {
	if kind == record.Requests() {
		return linnet.Errorf(linnet.Invalid, "You already have %d pending follow requests, the maximum.", linnet.MaxFollowRequests)
	}
	return linnet.Errorf(linnet.Invalid, "You already follow %d people, the maximum.", linnet.MaxFollowing)
}

// letGo ends, in one transaction, whatever me has to do with other as a follower: the
// follow, the request for one, being told of each status, and that other is featured.
func (s *Service) letGo(ctx context.Context, me, other linnet.ID, conds ...kv.Cond) error {
	changed, err := s.Change(ctx, relations.EdgeChange{Kind: record.Follows(), Owner: me, Other: other,
		Ends: []record.EdgeKind{record.Requests(), record.Watches()}, Conds: conds,
		Ops: []kv.Op{kv.Remove{Key: record.Endorsed.Key(me), Member: other.String()}}})
	if err == nil && !changed { // there was nothing left to end, as where the other side had ended it
		err = s.st.Relations.Keep(ctx, record.Endorsed, me, other, false)
	}
	return err
}

// FollowRequests shows who asks to follow me, the latest first.
// https://docs.joinmastodon.org/methods/follow_requests/#get
func (s *Service) FollowRequests(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return s.view.People(ctx, me, record.Requests().CopyKey(me), p)
}

// AcceptRequest lets somebody follow me who asks for it. NotFound if nobody of
// that id does, at this moment.
// https://docs.joinmastodon.org/methods/follow_requests/#accept
func (s *Service) AcceptRequest(ctx context.Context, me, from linnet.ID) (linnet.Relationship, error) {
	if err := s.Accept(ctx, me, from); err != nil {
		return linnet.Relationship{}, err
	}
	return s.Relationship(ctx, me, from)
}

// Accept turns a request into a follow, where it lies: at the one who asks.
func (s *Service) Accept(ctx context.Context, me, from linnet.ID) error {
	u, err := s.core.LookupUser(ctx, me)
	if err != nil {
		return err
	}
	changed, err := s.Change(ctx, relations.EdgeChange{Kind: record.Follows(), Owner: from, Other: me, Live: true,
		Below: linnet.MaxFollowing, Ends: []record.EdgeKind{record.Requests()}, While: record.Requests(),
		Joins: isGroup(u), Conds: db.NoBlocks(from, me)})
	switch {
	case errors.Is(err, relations.ErrLimit):
		return linnet.Errorf(linnet.Invalid, "This account already follows %d people, the maximum.", linnet.MaxFollowing)
	case errors.Is(err, db.ErrCondition), err == nil && !changed:
		return errNoRequest
	}
	return core.StoreError(err)
}

// RejectRequest ends a request to follow me. NotFound if there is none.
// https://docs.joinmastodon.org/methods/follow_requests/#reject
func (s *Service) RejectRequest(ctx context.Context, me, from linnet.ID) (linnet.Relationship, error) {
	changed, err := s.Change(ctx, relations.EdgeChange{Kind: record.Requests(), Owner: from, Other: me,
		Ends: []record.EdgeKind{record.Watches()}, While: record.Requests()})
	if errors.Is(err, db.ErrCondition) || err == nil && !changed {
		return linnet.Relationship{}, errNoRequest
	}
	if err != nil {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, from)
}

// RemoveFollower ends somebody's follow of me, if there is one. When it returns,
// nothing that is for followers alone is shown to them any more.
// https://docs.joinmastodon.org/methods/accounts/#remove_from_followers
func (s *Service) RemoveFollower(ctx context.Context, me, follower linnet.ID) (linnet.Relationship, error) {
	if err := s.MustExist(ctx, me, follower); err != nil {
		return linnet.Relationship{}, err
	}
	_, err := s.Change(ctx, relations.EdgeChange{Kind: record.Follows(), Owner: follower, Other: me,
		Ends: []record.EdgeKind{record.Watches()}, While: record.Follows()})
	if err != nil && !errors.Is(err, db.ErrCondition) {
		return linnet.Relationship{}, core.StoreError(err)
	}
	return s.Relationship(ctx, me, follower)
}

// acceptPass is how many requests one pass accepts: each takes as long as some
// twenty feeds.
const acceptPass = 50

type acceptArgs struct {
	User linnet.ID `json:"user"`
	From kv.Member `json:"from"`
}

// unlocked makes the task that lets those follow who wait, and the changes that
// write it, if a change of a record unlocks its user.
func (s *Service) unlocked(old, new *linnet.User) (t task.Task, ops []kv.Op, err error) {
	if !old.Locked || new.Locked {
		return t, nil, nil
	}
	t, err = s.tasks.New(new.ID.Shard(), taskAccept, acceptArgs{User: new.ID})
	return t, t.Ops(), err
}

// acceptAll lets everybody follow who asked before a user was unlocked, as
// Mastodon does. It ends when the user is locked again.
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

// acceptIfOpen accepts a request to somebody who is no longer locked, and says
// whether they are. A request that was taken back meanwhile, or that meets a
// limit, is no fault; what a silenced person asks is not answered for anybody.
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
