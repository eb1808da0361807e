package social

import (
	"cmp"
	"context"
	"net/netip"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// DeleteOwnAccount deletes one's own account for ever, if the password is right.
// An administrator gives the role to somebody else first.
func (s *Service) DeleteOwnAccount(ctx context.Context, me linnet.ID, password string, from netip.Addr) error {
	u, _, err := s.identity.CheckOwnPassword(ctx, me, password, from)
	if err != nil {
		return err
	}
	if u.Role == linnet.Admin {
		return linnet.Errorf(linnet.Forbidden, "An administrator's account cannot be deleted here. Give the role to somebody else first, or use the command linnet user delete.")
	}
	return s.DeleteUser(ctx, me)
}

// DeleteUser deletes an account: from the answer on the user does not exist, the
// sessions end, and a task removes what the user has written and done. The login
// stays claimed. NotFound if there is no such user.
func (s *Service) DeleteUser(ctx context.Context, id linnet.ID) error {
	return s.RemoveUser(ctx, id, nil, func(*linnet.User) error { return nil })
}

// RemoveUser is DeleteUser if may allows it, by the record as it is at that
// moment. An act of a moderator that is given is logged by the task.
func (s *Service) RemoveUser(ctx context.Context, id linnet.ID, act *core.ActArgs, may func(*linnet.User) error) error {
	u, err := core.Surely(ctx, func(ctx context.Context) (*linnet.User, error) {
		u, err := s.core.LookupUser(ctx, id)
		if err == nil && u == nil {
			err = core.ErrNoUser
		}
		return u, err
	})
	if err = cmp.Or(err, core.NotSystem(id)); err != nil {
		return err
	}
	if act != nil {
		act.Detail = u.Login
	}
	t, err := s.tasks.New(id.Shard(), TaskForgetUser, forgetArgs{User: id, Login: u.Login, Name: u.Name, Act: act,
		Seen: !u.Unapproved && u.Group != linnet.Chat})
	if err != nil {
		return err
	}
	deleted, err := s.st.Accounts.DeleteUser(ctx, id, t, may)
	if err != nil {
		return core.StoreError(err)
	}
	if !deleted {
		return core.ErrNoUser
	}
	if err := s.identity.EndSessions(ctx, id); err != nil { // the task ends what is left of them
		s.opt.Log.Warn("end the sessions of a deleted user", "err", err)
	}
	s.tasks.Run(ctx, t)
	return nil
}

// forgetArgs describe a user who is already gone.
type forgetArgs struct {
	User  linnet.ID     `json:"user"`
	Login string        `json:"login"`
	Name  string        `json:"name,omitempty"`
	Seen  bool          `json:"seen,omitempty"` // everybody could see the account
	Act   *core.ActArgs `json:"act,omitempty"`  // to be logged
	timeline.Cursor
}

// The stages of forgetting a user. Relations with others come before statuses:
// their feeds are then forgotten once, and taking back a status finds nobody whose
// feed it would have to be taken out of.
const (
	forgetName = iota
	forgetFollowers
	forgetRequesters
	forgetListed
	forgetWatchers
	forgetFollowing
	forgetRequesting
	forgetWatching
	forgetFavourites
	forgetStatuses
	forgetLists
	forgetNotes
	forgetConversations
	forgetHalves
	forgetRest
	// Stages lie in the arguments of tasks: those that came later have later numbers.
	forgetOwned
	forgetModerated
	forgetOffered
	forgetOwners
	forgetModerators
	forgetOffers
	forgetBlocks
	forgetBlockers
)

// stageAfter is the stage that follows another: roles in groups and invitations
// come after the relations among people, which know what follows from their end.
func stageAfter(stage int) int {
	switch stage {
	case forgetWatching:
		return forgetOwned
	case forgetBlockers:
		return forgetFavourites
	}
	return stage + 1
}

// forgetPass is how many relations or statuses one pass ends: each takes several
// round trips.
const forgetPass = 100

// forgetUser does a piece of what is left of a deleted user.
func (s *Service) forgetUser(ctx context.Context, a forgetArgs) (*forgetArgs, error) {
	for budget := forgetPass; budget > 0; {
		n, next, err := s.forgetStage(ctx, a)
		if err != nil {
			return nil, err
		}
		if a.Stage == forgetRest {
			return nil, nil
		}
		a.Cursor, budget = next, budget-n
	}
	return &a, nil
}

// forgottenRelation is the relation that a stage ends: others' to the user, or the
// user's to others. ok is false for other stages.
func forgottenRelation(stage int) (k record.EdgeKind, byOthers, ok bool) {
	switch stage {
	case forgetFollowers, forgetFollowing:
		k = record.Follows()
	case forgetRequesters, forgetRequesting:
		k = record.Requests()
	case forgetListed:
		k = record.Listings()
	case forgetWatchers, forgetWatching:
		k = record.Watches()
	case forgetFavourites:
		k = record.Favourites()
	case forgetOwners:
		k = record.GroupOwners()
	case forgetModerators:
		k = record.GroupModerators()
	case forgetOffered, forgetOffers:
		k = record.GroupOffers()
	case forgetBlocks, forgetBlockers:
		k = record.Blocks()
	default:
		return k, false, false
	}
	switch stage {
	case forgetFollowers, forgetRequesters, forgetListed, forgetWatchers, forgetOffered, forgetBlockers:
		return k, true, true
	}
	return k, false, true
}

func (s *Service) forgetStage(ctx context.Context, a forgetArgs) (int, timeline.Cursor, error) {
	if k, byOthers, ok := forgottenRelation(a.Stage); ok && byOthers {
		return s.forgetByOthers(ctx, k, a)
	} else if ok {
		return s.forgetTo(ctx, k, a)
	}
	next := timeline.Cursor{Stage: stageAfter(a.Stage)}
	switch a.Stage {
	case forgetName:
		if err := s.identity.EndSessions(ctx, a.User); err != nil {
			return 0, a.Cursor, err
		}
		if a.Act != nil {
			if err := s.st.Staff.LogAct(ctx, a.Act.Record()); err != nil {
				return 0, a.Cursor, err
			}
		}
		if err := s.st.Accounts.IndexDirectory(ctx, a.User); err != nil {
			return 0, a.Cursor, err
		}
		return 1, next, s.st.Accounts.ForgetName(ctx, linnet.User{ID: a.User, Login: a.Login, Name: a.Name}, a.Seen)
	case forgetOwned:
		return s.forgetRoles(ctx, record.GroupOwners(), a)
	case forgetModerated:
		return s.forgetRoles(ctx, record.GroupModerators(), a)
	case forgetStatuses:
		return s.forgetPosts(ctx, a)
	case forgetLists:
		n, err := s.listing.Forget(ctx, a.User)
		if err != nil {
			return 0, a.Cursor, err
		}
		return n, next, nil
	case forgetNotes:
		return s.forgetOwn(ctx, a, s.st.Relations.ForgetNotes)
	case forgetConversations:
		return s.forgetOwn(ctx, a, s.st.Inbox.ForgetConversations)
	case forgetHalves:
		return s.forgetTombstones(ctx, a)
	}
	if err := s.st.Feeds.ForgetOwnFeeds(ctx, a.User); err != nil {
		return 0, a.Cursor, err
	}
	return 0, a.Cursor, s.st.Accounts.ForgetUser(ctx, a.User)
}

// forgetByOthers ends what others relate to the user: their halves are theirs, so
// the walk goes on behind them.
func (s *Service) forgetByOthers(ctx context.Context, k record.EdgeKind, a forgetArgs) (int, timeline.Cursor, error) {
	ids, from, err := s.st.After(ctx, k.CopyKey(a.User), a.From, forgetPass)
	if err != nil {
		return 0, a.Cursor, err
	}
	for _, owner := range ids {
		if err := s.endRelation(ctx, k, owner, a.User); err != nil {
			return 0, a.Cursor, err
		}
	}
	return len(ids), a.Next(len(ids) == forgetPass, from, stageAfter(a.Stage)), nil
}

// forgetTo ends what the user relates to others.
func (s *Service) forgetTo(ctx context.Context, k record.EdgeKind, a forgetArgs) (int, timeline.Cursor, error) {
	ids, _, err := s.st.After(ctx, k.OwnedKey(a.User), kv.Member{}, forgetPass)
	if err != nil {
		return 0, a.Cursor, err
	}
	for _, other := range ids {
		if err := s.endRelation(ctx, k, a.User, other); err != nil {
			return 0, a.Cursor, err
		}
	}
	return len(ids), a.Next(len(ids) == forgetPass, kv.Member{}, stageAfter(a.Stage)), nil
}

// forgetRoles ends what the user is in groups, if leaving them has not.
func (s *Service) forgetRoles(ctx context.Context, k record.EdgeKind, a forgetArgs) (int, timeline.Cursor, error) {
	ids, from, err := s.st.After(ctx, k.CopyKey(a.User), a.From, forgetPass)
	if err != nil {
		return 0, a.Cursor, err
	}
	for _, group := range ids {
		if err := s.membership.EndRole(ctx, group, a.User); err != nil {
			return 0, a.Cursor, err
		}
	}
	return len(ids), a.Next(len(ids) == forgetPass, from, stageAfter(a.Stage)), nil
}

// endRelation ends a relation on both sides at once, without a task: it is called
// by one.
func (s *Service) endRelation(ctx context.Context, k record.EdgeKind, owner, other linnet.ID) error {
	if _, err := s.st.Relations.SetEdge(ctx, endOf(k, owner, other)); err != nil {
		return err
	}
	return s.Relate(ctx, EdgeArgs{k.Name, owner, other})
}

// forgetOwn removes records of the user's own.
func (s *Service) forgetOwn(ctx context.Context, a forgetArgs, forget func(context.Context, linnet.ID, int) (int, error)) (int, timeline.Cursor, error) {
	n, err := forget(ctx, a.User, forgetPass)
	return n, a.Next(n == forgetPass, kv.Member{}, stageAfter(a.Stage)), err
}

// forgetPosts deletes the user's statuses.
func (s *Service) forgetPosts(ctx context.Context, a forgetArgs) (int, timeline.Cursor, error) {
	b := s.st.Batch()
	ref := b.Posts(a.User, db.Span{Limit: forgetPass})
	if err := b.Run(ctx); err != nil {
		return 0, a.Cursor, err
	}
	posts := ref.Posts()
	b = s.st.Batch()
	refs := make([]*db.StatusRef, len(posts))
	for i, p := range posts {
		refs[i] = b.Status(p.ID)
	}
	if err := b.Run(ctx); err != nil {
		return 0, a.Cursor, err
	}
	for _, ref := range refs {
		if ref.Status == nil {
			continue
		}
		if _, err := s.erase(ctx, ref.Status, func(t task.Task) { s.tasks.Run(ctx, t) }); err != nil {
			return 0, a.Cursor, err
		}
	}
	return len(posts), a.Next(len(posts) == forgetPass, kv.Member{}, stageAfter(a.Stage)), nil
}

// forgetTombstones makes sure that every relation which the user has ended has
// ended on its other side too, before nothing tells of it any more.
func (s *Service) forgetTombstones(ctx context.Context, a forgetArgs) (int, timeline.Cursor, error) {
	for _, k := range record.EdgeKinds() {
		if !k.OfUser() {
			continue
		}
		n, err := s.st.Relations.ForgetHalves(ctx, k, a.User, forgetPass)
		if err != nil || n > 0 {
			return n, a.Cursor, err
		}
	}
	return 0, timeline.Cursor{Stage: stageAfter(a.Stage)}, nil
}
