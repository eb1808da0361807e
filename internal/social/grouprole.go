package social

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// endOwner ends a user's ownership of a group. It returns false if there is no other owner.
func (s *Groups) endOwner(ctx context.Context, group, who linnet.ID) (bool, error) {
	k := record.GroupOwners()
	for range core.PageRounds {
		owners, err := s.st.All(ctx, k.OwnedKey(group), linnet.MaxGroupStaff)
		if err != nil {
			return false, err
		}
		if !slices.Contains(owners, who) {
			return true, nil
		}
		i := slices.IndexFunc(owners, func(id linnet.ID) bool { return id != who })
		if i < 0 {
			return false, nil
		}
		_, err = s.social.Change(ctx, relations.RelationChange{Kind: k, Owner: group, Other: who, Conds: []kv.Cond{db.Related(k, group, owners[i])}})
		if !errors.Is(err, db.ErrCondition) { // the other owner has left since
			return true, err
		}
	}
	return false, linnet.Errorf(linnet.Conflict, "Someone else is changing the group's owners. Try again.")
}

// LastOwner reports whether a user is the only owner of a group, and so can't step down.
func (s *Groups) LastOwner(ctx context.Context, group, who linnet.ID) (bool, error) {
	owners, err := s.st.All(ctx, record.GroupOwners().OwnedKey(group), linnet.MaxGroupStaff)
	return len(owners) == 1 && owners[0] == who, core.StoreError(err)
}

// withoutRole ends the role of a former member or deleted user. If no owner remains, the
// longest-serving moderator becomes the owner, or else the oldest member. Without members the group
// closes. It can run more than once.
func (s *Groups) withoutRole(ctx context.Context, group, who linnet.ID) error {
	ended, err := s.endOwner(ctx, group, who)
	if err == nil && !ended {
		err = s.succeed(ctx, group, who)
	}
	if err != nil {
		return err
	}
	_, err = s.social.Change(ctx, relations.RelationChange{Kind: record.GroupModerators(), Owner: group, Other: who})
	return err
}

// succeed appoints a successor of the last owner of a group, or closes the group if there is none.
func (s *Groups) succeed(ctx context.Context, group, last linnet.ID) error {
	heir, err := s.heir(ctx, group, last)
	if err != nil {
		return err
	}
	if heir == 0 {
		if err := s.social.Deletion.DeleteUser(ctx, group); err != nil && linnet.KindOf(err) != linnet.NotFound {
			return err
		}
		return nil
	}
	_, err = s.social.Change(ctx, relations.RelationChange{Kind: record.GroupOwners(), Owner: group, Other: heir, Live: true,
		Ends: []record.RelationKind{record.GroupModerators()}})
	if err == nil {
		_, err = s.endOwner(ctx, group, last)
	}
	return err
}

// heir returns the next owner of a group: a moderator, or else the longest-serving of up to a
// thousand members who still exists.
func (s *Groups) heir(ctx context.Context, group, last linnet.ID) (linnet.ID, error) {
	moderators, err := s.st.All(ctx, record.GroupModerators().OwnedKey(group), linnet.MaxGroupStaff)
	if err != nil {
		return 0, err
	}
	members, _, err := s.st.After(ctx, record.Follows().CopyKey(group), kv.Member{}, timeline.BatchSize)
	if err != nil {
		return 0, err
	}
	ids := slices.Concat(moderators, members)
	b := s.st.Batch()
	in := b.RelatedOwners(record.Follows(), group, moderators)
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return 0, err
	}
	for i, ref := range refs {
		if u := ref.User; u != nil && u.ID != last && !u.Hidden() && (i >= len(moderators) || in.Has(u.ID)) {
			return u.ID, nil
		}
	}
	return 0, nil
}

// over returns the role of a user in a group. It returns an error unless me runs the group and has
// a higher role.
func (s *Groups) over(ctx context.Context, me, group, who linnet.ID) (linnet.GroupRole, error) {
	g, err := s.Needs(ctx, me, group, linnet.GroupModerator)
	if err != nil {
		return 0, err
	}
	his, err := s.RoleOf(ctx, group, who)
	if err == nil && !g.Role.Over(his) {
		err = errNotOwner
		if g.Role == linnet.GroupOwner {
			err = linnet.Errorf(linnet.Forbidden, "You can't remove, ban or change the role of another owner. They have to step down first.")
		}
	}
	return his, err
}

// RoleOf returns the current role of a user in a group.
func (s *Groups) RoleOf(ctx context.Context, group, who linnet.ID) (linnet.GroupRole, error) {
	b := s.st.Batch()
	one := []linnet.ID{who}
	in := b.Related(record.Follows(), who, []linnet.ID{group})
	owner, moderator := b.Related(record.GroupOwners(), group, one), b.Related(record.GroupModerators(), group, one)
	if err := b.Run(ctx); err != nil {
		return 0, core.StoreError(err)
	}
	if !in.Has(group) {
		return linnet.Outsider, nil
	}
	return view.RoleIn(who, owner, moderator), nil
}

// SetGroupRole changes the role of a member. me must be an owner. Owners can only end their own
// ownership, and not the last one.
func (s *Groups) SetGroupRole(ctx context.Context, me, group, who linnet.ID, role linnet.GroupRole) (linnet.Membership, error) {
	none := linnet.Membership{}
	if _, err := s.Needs(ctx, me, group, linnet.GroupOwner); err != nil {
		return none, err
	}
	now, err := s.RoleOf(ctx, group, who)
	switch {
	case err != nil:
		return none, err
	case now == linnet.Outsider:
		return none, errNoMember
	case now == linnet.GroupOwner && role < now && who != me:
		return none, linnet.Errorf(linnet.Forbidden, "You can't remove, ban or change the role of another owner. They have to step down first.")
	}
	if err := s.setGroupRole(ctx, group, who, now, role); err != nil {
		return none, core.StoreError(err)
	}
	users, err := s.view.Users(ctx, me, []linnet.ID{who})
	if err != nil || len(users) == 0 {
		return none, errors.Join(err, errNoMember)
	}
	return linnet.Membership{UserView: users[0], Role: role}, nil
}

func (s *Groups) setGroupRole(ctx context.Context, group, who linnet.ID, now, role linnet.GroupRole) error {
	moderate := relations.RelationChange{Kind: record.GroupModerators(), Owner: group, Other: who, Live: role == linnet.GroupModerator}
	if role == linnet.GroupOwner {
		moderate = relations.RelationChange{Kind: record.GroupOwners(), Owner: group, Other: who, Live: true, Ends: []record.RelationKind{record.GroupModerators()}}
	}
	if role > now {
		if err := s.roomForRole(ctx, moderate.Kind, group); err != nil {
			return err
		}
	}
	if _, err := s.social.Change(ctx, moderate); err != nil {
		return err
	}
	if now == linnet.GroupOwner && role < now {
		if ended, err := s.endOwner(ctx, group, who); err != nil || !ended {
			return errors.Join(err, errLastOwner)
		}
	}
	// A member who leaves concurrently may not have seen the new role.
	if still, err := s.RoleOf(ctx, group, who); err != nil || still == linnet.Outsider {
		return errors.Join(err, s.withoutRole(ctx, group, who), errNoMember)
	}
	return nil
}

func (s *Groups) roomForRole(ctx context.Context, k record.RelationKind, group linnet.ID) error {
	have, err := s.st.All(ctx, k.OwnedKey(group), linnet.MaxGroupStaff)
	if err == nil && len(have) >= linnet.MaxGroupStaff {
		err = linnet.Errorf(linnet.Invalid, "At most %d people in a group can have this role. Give someone another role first.", linnet.MaxGroupStaff)
	}
	return err
}
