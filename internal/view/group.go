package view

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrNoGroup is returned if a group doesn't exist or the viewer can't know of it.
var ErrNoGroup = linnet.Errorf(linnet.NotFound, "Record not found")

// GroupRelation is the current relation of a user to a group, read without caches.
type GroupRelation struct {
	Group   *linnet.User
	Role    linnet.GroupRole
	Offered bool // the user is invited
}

// Inside reports whether the user can see the members and posts of the group.
func (g *GroupRelation) Inside() bool { return !g.Group.Group.Closed() || g.Role > linnet.Outsider }

// GroupRelation returns a group with a user's role. It returns NotFound if the group doesn't exist
// or the user can't know of it.
func (s *Service) GroupRelation(ctx context.Context, who, group linnet.ID) (g GroupRelation, err error) {
	b := s.st.Batch()
	ref := b.User(group)
	one, it := []linnet.ID{who}, []linnet.ID{group}
	in := b.Related(record.Follows(), who, it)
	owner, moderator := b.Related(record.GroupOwners(), group, one), b.Related(record.GroupModerators(), group, one)
	offered := b.RelatedOwners(record.GroupOffers(), who, it)
	if err := b.Run(ctx); err != nil {
		return g, core.StoreError(err)
	}
	if ref.User == nil || ref.User.Group == linnet.NoGroup || ref.User.Hidden() {
		return g, ErrNoGroup
	}
	g = GroupRelation{Group: ref.User, Offered: offered.Has(group)}
	if in.Has(group) {
		g.Role = RoleIn(who, owner, moderator)
	}
	if g.Group.Group == linnet.Chat && g.Role == linnet.Outsider && !g.Offered { // only members and invited users can know of a chat
		return g, ErrNoGroup
	}
	return g, nil
}

// RoleIn returns the role of a member, given the owners and moderators.
func RoleIn(who linnet.ID, owner, moderator *db.Membership) linnet.GroupRole {
	switch {
	case owner.Has(who):
		return linnet.GroupOwner
	case moderator.Has(who):
		return linnet.GroupModerator
	}
	return linnet.GroupMember
}

// Relation returns the user's relation to the group.
func (g *GroupRelation) Relation(r *linnet.Relationship) linnet.GroupRelation {
	return linnet.GroupRelation{ID: r.ID, Role: g.Role, Requested: r.Requested, Invited: g.Offered,
		Banned: r.BlockedBy, Reposts: r.Reposts, Notify: r.Notify, Muting: r.Muting}
}

// Known removes groups that a viewer can't know of from users: chats, and with closed also private
// groups, unless the viewer is a member or invited.
func (s *Service) Known(ctx context.Context, viewer linnet.ID, users []linnet.UserView, closed bool) ([]linnet.UserView, error) {
	var asked []linnet.ID
	secret := func(u *linnet.UserView) bool {
		return u.ID != viewer && (u.Group == linnet.Chat || closed && u.Group.Closed())
	}
	for i := range users {
		if secret(&users[i]) {
			asked = append(asked, users[i].ID)
		}
	}
	if len(asked) == 0 {
		return users, nil
	}
	b := s.st.Batch()
	in, offered := b.Related(record.Follows(), viewer, asked), b.RelatedOwners(record.GroupOffers(), viewer, asked)
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	return slices.DeleteFunc(users, func(u linnet.UserView) bool {
		return secret(&u) && !in.Has(u.ID) && !offered.Has(u.ID)
	}), nil
}
