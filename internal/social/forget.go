package social

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// DeleteOwnAccount deletes one's own account for ever, if the password is right.
// An administrator gives the role to somebody else first.
func (s *Service) DeleteOwnAccount(ctx context.Context, me linnet.ID, password, address string) error {
	u, _, err := s.checkOwnPassword(ctx, me, password, address)
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
	u, err := s.user(ctx, id)
	if err != nil {
		return err
	}
	if u == nil {
		return errNoUser
	}
	t, err := task.New(id.Shard(), taskForgetUser, forgetArgs{User: id, Login: u.Login, Name: u.Name}, s.st.Now())
	if err != nil {
		return err
	}
	deleted, err := s.st.DeleteUser(ctx, id, t)
	if err != nil {
		return kvError(err)
	}
	if !deleted {
		return errNoUser
	}
	if err := s.endSessions(ctx, id); err != nil { // the task ends what is left of them
		s.opt.Log.Warn("end the sessions of a deleted user", "err", err)
	}
	s.tasks.Run(ctx, t)
	return nil
}

// forgetArgs describe a user who is already gone.
type forgetArgs struct {
	User  linnet.ID `json:"user"`
	Login string    `json:"login"`
	Name  string    `json:"name,omitempty"`
	walk
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
)

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
		a.walk, budget = next, budget-n
	}
	return &a, nil
}

func (s *Service) forgetStage(ctx context.Context, a forgetArgs) (int, walk, error) {
	next := walk{Stage: a.Stage + 1}
	switch a.Stage {
	case forgetName:
		if err := s.endSessions(ctx, a.User); err != nil {
			return 0, a.walk, err
		}
		return 1, next, s.st.ForgetName(ctx, linnet.User{ID: a.User, Login: a.Login, Name: a.Name})
	case forgetFollowers:
		return s.forgetByOthers(ctx, store.Follows(), a)
	case forgetRequesters:
		return s.forgetByOthers(ctx, store.Requests(), a)
	case forgetListed:
		return s.forgetByOthers(ctx, store.Listings(), a)
	case forgetWatchers:
		return s.forgetByOthers(ctx, store.Watches(), a)
	case forgetFollowing:
		return s.forgetOwned(ctx, store.Follows(), a)
	case forgetRequesting:
		return s.forgetOwned(ctx, store.Requests(), a)
	case forgetWatching:
		return s.forgetOwned(ctx, store.Watches(), a)
	case forgetFavourites:
		return s.forgetOwned(ctx, store.Favourites(), a)
	case forgetStatuses:
		return s.forgetPosts(ctx, a)
	case forgetLists:
		return s.forgetListsOf(ctx, a)
	case forgetNotes:
		return s.forgetOwn(ctx, a, s.st.ForgetNotes)
	case forgetConversations:
		return s.forgetOwn(ctx, a, s.st.ForgetConversations)
	case forgetHalves:
		return s.forgetTombstones(ctx, a)
	}
	return 0, a.walk, s.st.ForgetUser(ctx, a.User)
}

// forgetByOthers ends what others relate to the user: their halves are theirs, so
// the walk goes on behind them.
func (s *Service) forgetByOthers(ctx context.Context, k store.EdgeKind, a forgetArgs) (int, walk, error) {
	ids, from, err := s.st.After(ctx, k.CopyKey(a.User), a.From, forgetPass)
	if err != nil {
		return 0, a.walk, err
	}
	for _, owner := range ids {
		if err := s.endRelation(ctx, k, owner, a.User); err != nil {
			return 0, a.walk, err
		}
	}
	return len(ids), a.next(len(ids) == forgetPass, from, a.Stage+1), nil
}

// forgetOwned ends what the user relates to others.
func (s *Service) forgetOwned(ctx context.Context, k store.EdgeKind, a forgetArgs) (int, walk, error) {
	ids, _, err := s.st.After(ctx, k.OwnedKey(a.User), store.Position{}, forgetPass)
	if err != nil {
		return 0, a.walk, err
	}
	for _, other := range ids {
		if err := s.endRelation(ctx, k, a.User, other); err != nil {
			return 0, a.walk, err
		}
	}
	return len(ids), a.next(len(ids) == forgetPass, store.Position{}, a.Stage+1), nil
}

// endRelation ends a relation on both sides at once, without a task: it is called
// by one.
func (s *Service) endRelation(ctx context.Context, k store.EdgeKind, owner, other linnet.ID) error {
	if _, err := s.st.SetEdge(ctx, store.EdgeChange{Kind: k, Owner: owner, Other: other}); err != nil {
		return err
	}
	return s.relate(ctx, edgeArgs{k.Name, owner, other})
}

// forgetOwn removes records of the user's own.
func (s *Service) forgetOwn(ctx context.Context, a forgetArgs, forget func(context.Context, linnet.ID, int) (int, error)) (int, walk, error) {
	n, err := forget(ctx, a.User, forgetPass)
	return n, a.next(n == forgetPass, store.Position{}, a.Stage+1), err
}

// forgetPosts deletes the user's statuses.
func (s *Service) forgetPosts(ctx context.Context, a forgetArgs) (int, walk, error) {
	b := s.st.Batch()
	ref := b.Posts(a.User, store.Span{Limit: forgetPass})
	if err := b.Run(ctx); err != nil {
		return 0, a.walk, err
	}
	posts := ref.Posts()
	b = s.st.Batch()
	refs := make([]*store.StatusRef, len(posts))
	for i, p := range posts {
		refs[i] = b.Status(p.ID)
	}
	if err := b.Run(ctx); err != nil {
		return 0, a.walk, err
	}
	for _, ref := range refs {
		if ref.Status == nil {
			continue
		}
		if err := s.erase(ctx, ref.Status, func(t task.Task) { s.tasks.Run(ctx, t) }); err != nil {
			return 0, a.walk, err
		}
	}
	return len(posts), a.next(len(posts) == forgetPass, store.Position{}, a.Stage+1), nil
}

func (s *Service) forgetListsOf(ctx context.Context, a forgetArgs) (int, walk, error) {
	lists, err := s.st.ListsOf(ctx, a.User)
	if err != nil {
		return 0, a.walk, err
	}
	for _, l := range lists {
		if err := s.deleteList(ctx, &l); err != nil {
			return 0, a.walk, err
		}
	}
	return len(lists), walk{Stage: a.Stage + 1}, nil
}

// forgetTombstones makes sure that every relation which the user has ended has
// ended on its other side too, before nothing tells of it any more.
func (s *Service) forgetTombstones(ctx context.Context, a forgetArgs) (int, walk, error) {
	for _, k := range store.EdgeKinds() {
		if !k.OfUser() {
			continue
		}
		n, err := s.st.ForgetHalves(ctx, k, a.User, forgetPass)
		if err != nil || n > 0 {
			return n, a.walk, err
		}
	}
	return 0, walk{Stage: a.Stage + 1}, nil
}
