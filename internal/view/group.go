package view

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrNoGroup: there is no such group, or not for who asks.
var ErrNoGroup = linnet.Errorf(linnet.NotFound, "Record not found")

// Standing is how somebody stands to a group at this moment, past all caches of
// who follows whom.
type Standing struct {
	Group     *linnet.User
	Role      linnet.GroupRole
	Offered   bool // the other is invited
	requested bool
}

// knows says whether somebody may know that the group is there.
func (g *Standing) knows() bool {
	return g.Group.Group != linnet.Chat || g.Role > linnet.Outsider || g.Offered
}

// Inside says whether somebody may see who is in the group and what is posted.
func (g *Standing) Inside() bool { return !g.Group.Group.Closed() || g.Role > linnet.Outsider }

// Standing finds a group, with what who is in it. NotFound if there is no such
// group, or who may not know of it.
func (s *Service) Standing(ctx context.Context, who, group linnet.ID) (g Standing, err error) {
	b := s.st.Batch()
	ref := b.User(group)
	one, it := []linnet.ID{who}, []linnet.ID{group}
	in := b.EdgeHas(record.Follows(), who, it)
	owner, moderator := b.EdgeHas(record.GroupOwners(), group, one), b.EdgeHas(record.GroupModerators(), group, one)
	offered, requested := b.EdgeHasOwner(record.GroupOffers(), who, it), b.EdgeHas(record.Requests(), who, it)
	if err := b.Run(ctx); err != nil {
		return g, core.StoreError(err)
	}
	if ref.User == nil || ref.User.Group == linnet.NoGroup || ref.User.Hidden() {
		return g, ErrNoGroup
	}
	g = Standing{Group: ref.User, Offered: offered.Has(group), requested: requested.Has(group)}
	if in.Has(group) {
		g.Role = RoleIn(who, owner, moderator)
	}
	if !g.knows() {
		return g, ErrNoGroup
	}
	return g, nil
}

// RoleIn is the role of a member, from whether they are among those who run the
// group.
func RoleIn(who linnet.ID, owner, moderator *db.Membership) linnet.GroupRole {
	switch {
	case owner.Has(who):
		return linnet.GroupOwner
	case moderator.Has(who):
		return linnet.GroupModerator
	}
	return linnet.GroupMember
}

// Relation is how somebody of a standing is related to the group.
func (g *Standing) Relation(r *linnet.Relationship) linnet.GroupRelation {
	return linnet.GroupRelation{ID: r.ID, Role: g.Role, Requested: r.Requested, Invited: g.Offered,
		Banned: r.BlockedBy, Reposts: r.Reposts, Notify: r.Notify, Muting: r.Muting}
}

// Known leaves out of some users the groups that a viewer may not know of: chats,
// and with closed also private groups, unless the viewer is in them or invited.
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
	in, offered := b.EdgeHas(record.Follows(), viewer, asked), b.EdgeHasOwner(record.GroupOffers(), viewer, asked)
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	return slices.DeleteFunc(users, func(u linnet.UserView) bool {
		return secret(&u) && !in.Has(u.ID) && !offered.Has(u.ID)
	}), nil
}
