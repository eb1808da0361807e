package view

import (
	"cmp"
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// A follow concerns two users. Others see it only if neither of the two hides it. This file
// implements that for all pages, counts and suggestions.

// MaySeeNetwork reports whether a viewer can see a user's followers and follows. m is the viewer's
// relation to the user. VisibleMembers decides about closed groups.
func MaySeeNetwork(viewer linnet.ID, u *linnet.User, m db.ViewerState) bool {
	return !u.Hidden() && (u.ID == viewer || !u.HideNetwork && !m.Blocked())
}

// VisibleMembers returns the accounts whose members or followers the viewer can see: all users and
// open groups, and closed groups that the viewer is a member of.
func (s *Service) VisibleMembers(ctx context.Context, viewer linnet.ID, users []*linnet.User) (map[linnet.ID]bool, error) {
	inside := make(map[linnet.ID]bool, len(users))
	var closed []linnet.ID
	for _, u := range users {
		inside[u.ID] = u.ID == viewer || !u.Group.Closed()
		if !inside[u.ID] {
			closed = append(closed, u.ID)
		}
	}
	if viewer == 0 || len(closed) == 0 {
		return inside, nil
	}
	b := s.st.Batch()
	in := b.Related(record.Follows(), viewer, closed)
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	for _, id := range closed {
		inside[id] = in.Has(id)
	}
	return inside, nil
}

// isInside is like VisibleMembers for one account.
func (s *Service) isInside(ctx context.Context, viewer linnet.ID, u *linnet.User) (bool, error) {
	if !u.Group.Closed() || u.ID == viewer {
		return true, nil
	}
	in, err := s.VisibleMembers(ctx, viewer, []*linnet.User{u})
	return in[u.ID], err
}

// Followers returns the followers of a user, newest first.
// https://docs.joinmastodon.org/methods/accounts/#followers
func (s *Service) Followers(ctx context.Context, viewer, of linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return s.network(ctx, viewer, of, record.Follows().CopyKey(of), p)
}

// Following returns the followees of a user, newest first.
// https://docs.joinmastodon.org/methods/accounts/#following
func (s *Service) Following(ctx context.Context, viewer, of linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return s.network(ctx, viewer, of, record.Follows().OwnedKey(of), p)
}

func (s *Service) network(ctx context.Context, viewer, of linnet.ID, key kv.Key, p linnet.Page) (out linnet.Slice[linnet.UserView], err error) {
	b := s.st.Batch()
	reader, ref := b.Reader(viewer), b.User(of)
	reader.AskRelationship(of)
	if err := b.Run(ctx); err != nil {
		return out, core.StoreError(err)
	}
	u := ref.User
	if u == nil || u.Unapproved && viewer != of {
		return out, core.ErrNoUser
	}
	if in, err := s.isInside(ctx, viewer, u); err != nil || !in {
		return out, cmp.Or(err, error(ErrNoGroup))
	}
	if !MaySeeNetwork(viewer, u, reader.Relationship(of)) {
		return out, nil
	}
	// Members of a closed group see all its members.
	all := viewer == of || u.Group.Closed()
	return EntryPage(ctx, s, key, UsersPage(p), UserID, func(ids []linnet.ID) ([]linnet.UserView, error) {
		if all {
			return s.WithoutBlocked(ctx, viewer, ids)
		}
		return s.OpenOf(ctx, viewer, ids)
	})
}

// OpenOf returns the users whose relations the viewer can see: without users who hide them, except
// the viewer, and without closed groups that the viewer is not a member of.
func (s *Service) OpenOf(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.UserView, error) {
	users, err := s.WithoutBlocked(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	users = slices.DeleteFunc(users, func(u linnet.UserView) bool { return !MaySeeNetwork(viewer, &u.User, db.NoViewerState) })
	return s.Known(ctx, viewer, users, true)
}

// FamiliarFollowers returns, for each account, its followers among the followees of me, at most
// most per account ("followers in common" of Retwis). It reads the first MaxIDsInQuery of ids. An
// account has none if me can't see its followers. Accounts that hide their follows are left out.
// https://docs.joinmastodon.org/methods/accounts/#familiar_followers
func (s *Service) FamiliarFollowers(ctx context.Context, me linnet.ID, ids []linnet.ID, most int) ([]linnet.FamiliarFollowers, error) {
	ids = ids[:min(len(ids), linnet.MaxIDsInQuery)]
	out := make([]linnet.FamiliarFollowers, len(ids))
	open, err := s.browsable(ctx, me, ids)
	if err != nil {
		return nil, err
	}
	var short []*linnet.FamiliarFollowers // results that can still grow
	for i, id := range ids {
		out[i].ID = id
		if open[id] {
			short = append(short, &out[i])
		}
	}
	if len(short) == 0 {
		return out, nil
	}
	mine, err := s.st.All(ctx, record.Follows().OwnedKey(me), linnet.MaxFollowing)
	if err != nil {
		return nil, core.StoreError(err)
	}
	for chunk := range slices.Chunk(mine, kv.MaxRange) {
		if err := s.addFamiliar(ctx, me, chunk, short, most); err != nil {
			return nil, err
		}
		short = slices.DeleteFunc(short, func(f *linnet.FamiliarFollowers) bool { return len(f.Users) == most })
		if len(short) == 0 {
			break
		}
	}
	return out, nil
}

// addFamiliar adds to each result the accounts of a chunk of me's followees that follow its account
// and whose follows me can see, up to most in total.
func (s *Service) addFamiliar(ctx context.Context, me linnet.ID, chunk []linnet.ID, to []*linnet.FamiliarFollowers, most int) error {
	b := s.st.Batch()
	follow := make([]*db.Membership, len(to))
	for i, f := range to {
		follow[i] = b.RelatedOwners(record.Follows(), f.ID, chunk)
	}
	if err := b.Run(ctx); err != nil {
		return core.StoreError(err)
	}
	seen := map[linnet.ID]bool{}
	var some []linnet.ID
	for _, m := range follow {
		for _, id := range m.Found() {
			if !seen[id] {
				seen[id] = true
				some = append(some, id)
			}
		}
	}
	users, err := s.OpenOf(ctx, me, some)
	if err != nil {
		return err
	}
	views := make(map[linnet.ID]linnet.UserView, len(users))
	for _, u := range users {
		views[u.ID] = u
	}
	for i, f := range to {
		for _, id := range follow[i].Found() {
			if u, ok := views[id]; ok && len(f.Users) < most {
				f.Users = append(f.Users, u)
			}
		}
	}
	return nil
}

// browsable returns the accounts whose followers the viewer can see.
func (s *Service) browsable(ctx context.Context, viewer linnet.ID, ids []linnet.ID) (map[linnet.ID]bool, error) {
	refs, reader, err := s.WithRelationships(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	var users []*linnet.User
	for i, ref := range refs {
		if ref.User != nil && MaySeeNetwork(viewer, ref.User, reader.Relationship(ids[i])) {
			users = append(users, ref.User)
		}
	}
	return s.VisibleMembers(ctx, viewer, users)
}
