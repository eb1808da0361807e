package social

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// GroupsAround returns the groups that me is a member of, is invited to or has requested to join.
// The latest changes can be missing.
func (s *Groups) GroupsAround(ctx context.Context, me linnet.ID) (out linnet.MyGroups, err error) {
	in, err := s.MyGroups(ctx, me)
	if err != nil {
		return out, err
	}
	ids := make([]linnet.ID, len(in))
	for i := range in {
		ids[i] = in[i].ID
	}
	b := s.st.Batch()
	owns, moderates := b.RelatedOwners(record.GroupOwners(), me, ids), b.RelatedOwners(record.GroupModerators(), me, ids)
	if err := b.Run(ctx); err != nil {
		return out, core.StoreError(err)
	}
	for i := range in {
		role := linnet.GroupMember
		switch {
		case owns.Has(ids[i]):
			role = linnet.GroupOwner
		case moderates.Has(ids[i]):
			role = linnet.GroupModerator
		}
		out.In = append(out.In, linnet.GroupIn{UserView: in[i], Role: role})
	}
	if out.Invited, err = s.groupsAmong(ctx, me, record.GroupOffers().CopyKey(me), linnet.MaxOffersShown, ids); err != nil {
		return out, err
	}
	out.Asked, err = s.groupsAmong(ctx, me, record.Requests().OwnedKey(me), linnet.MaxFollowRequests, nil)
	return out, err
}

// groupsAmong returns the groups among the first entries of a set, except for some.
func (s *Groups) groupsAmong(ctx context.Context, me linnet.ID, key kv.Key, most int, but []linnet.ID) ([]linnet.UserView, error) {
	ids, err := s.st.All(ctx, key, most)
	if err != nil {
		return nil, core.StoreError(err)
	}
	users, err := s.view.Users(ctx, me, ids)
	return slices.DeleteFunc(users, func(u linnet.UserView) bool {
		return u.Group == linnet.NoGroup || slices.Contains(but, u.ID)
	}), err
}

// ViewGroup is like Group and adds the viewer's relation to the group.
func (s *Groups) ViewGroup(ctx context.Context, viewer, id linnet.ID) (v linnet.GroupView, err error) {
	g, err := s.view.GroupRelation(ctx, viewer, id)
	if err != nil {
		return v, err
	}
	if v.UserView, err = s.view.User(ctx, viewer, id); err != nil || viewer == 0 {
		v.Inside = err == nil && g.Inside()
		return v, err
	}
	r, err := s.social.Relationship(ctx, viewer, id)
	if err != nil {
		return v, err
	}
	v.Mine, v.Inside = g.Relation(&r), g.Inside()
	if g.Role < linnet.GroupModerator {
		return v, nil
	}
	b := s.st.Batch()
	asking := b.RequestsTo(id)
	if err := b.Run(ctx); err != nil {
		return v, core.StoreError(err)
	}
	v.Requests = *asking
	return v, nil
}

// GroupAs is like ViewGroup. It returns Forbidden unless me has at least the given role.
func (s *Groups) GroupAs(ctx context.Context, me, id linnet.ID, role linnet.GroupRole) (linnet.GroupView, error) {
	if _, err := s.Needs(ctx, me, id, role); err != nil {
		return linnet.GroupView{}, err
	}
	return s.ViewGroup(ctx, me, id)
}

// MutableGroup is like ViewGroup. It returns Forbidden unless me can change and delete the group,
// as its owners and moderators of the server can.
func (s *Groups) MutableGroup(ctx context.Context, me, id linnet.ID) (linnet.GroupView, error) {
	if _, err := s.mayRun(ctx, me, id); err != nil {
		return linnet.GroupView{}, err
	}
	return s.ViewGroup(ctx, me, id)
}
