package social

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/store/relations"
	"linnet/internal/view"
)

// relationToJoin returns the relation that a request of me to join a group creates. Invited users
// join at once. For other users, a chat doesn't exist.
func (s *Groups) relationToJoin(ctx context.Context, me linnet.ID, u *linnet.User, silenced bool) (c relations.RelationChange, err error) {
	g, err := s.view.GroupRelation(ctx, me, u.ID)
	if err != nil {
		return c, err
	}
	c = relations.RelationChange{Kind: record.Follows(), Owner: me, Other: u.ID, Live: true, Joins: true, Below: linnet.MaxFollowing,
		Ends: []record.RelationKind{record.Requests()}, Conds: db.NoBlocks(me, u.ID)}
	switch {
	case g.Role > linnet.Outsider: // only the options of the follow change
		return c, nil
	case g.Offered:
		c.Conds = append(c.Conds, db.RelatedBy(record.GroupOffers(), u.ID, me))
	case u.Locked || silenced:
		return relations.RelationChange{Kind: record.Requests(), Owner: me, Other: u.ID, Live: true,
			Below: linnet.MaxFollowRequests, Unless: record.Follows(), Conds: db.NoBlocks(me, u.ID)}, s.roomFor(ctx, me)
	}
	return c, s.roomFor(ctx, me)
}

// roomFor returns an error if a user is a member of the maximum number of groups.
func (s *Groups) roomFor(ctx context.Context, who linnet.ID) error {
	in, err := s.st.Relations.Memberships(ctx, who)
	if err != nil {
		return core.StoreError(err)
	}
	if len(in) >= linnet.MaxGroupsJoined {
		return linnet.Errorf(linnet.Invalid, "You can join at most %d groups. Leave one first.", linnet.MaxGroupsJoined)
	}
	return nil
}

// stepDown ends me's role in a group and an invitation, before me leaves. It returns errLastOwner
// for the last owner.
func (s *Groups) stepDown(ctx context.Context, me, group linnet.ID) error {
	g, err := s.view.GroupRelation(ctx, me, group)
	if err != nil {
		return err
	}
	if g.Role == linnet.GroupOwner {
		ended, err := s.endOwner(ctx, group, me)
		if err == nil && !ended {
			err = errLastOwner
		}
		if err != nil {
			return core.StoreError(err)
		}
	}
	for _, k := range [...]record.RelationKind{record.GroupModerators(), record.GroupOffers()} {
		if _, err := s.social.Change(ctx, relations.RelationChange{Kind: k, Owner: group, Other: me}); err != nil {
			return core.StoreError(err)
		}
	}
	return nil
}

// left applies the consequences of leaving a group or of its deletion: it ends roles and deletes
// the conversation of a chat. It can run more than once.
func (s *Groups) left(ctx context.Context, group *linnet.User, a RelationArgs) error {
	if group == nil || group.Group == linnet.Chat {
		left := db.Unrelated(record.Follows(), a.Owner, a.Other)
		if _, err := s.st.Inbox.DropConversation(ctx, a.Owner, inbox.ChatConversationID(a.Owner, a.Other), left); err != nil {
			return err
		}
	}
	if group == nil || group.Group == linnet.NoGroup {
		return nil
	}
	return s.withoutRole(ctx, group.ID, a.Owner)
}

// GroupMembers returns the members of a group, newest first, or the users with a higher role. It
// returns NotFound for a closed group that the viewer is not a member of.
func (s *Groups) GroupMembers(ctx context.Context, viewer, group linnet.ID, role linnet.GroupRole, p linnet.Page) (out linnet.Slice[linnet.Membership], err error) {
	g, err := s.view.GroupRelation(ctx, viewer, group)
	if err != nil {
		return out, err
	}
	if !g.Inside() {
		return out, view.ErrNoGroup
	}
	key := record.Follows().CopyKey(group)
	switch role {
	case linnet.GroupOwner:
		key = record.GroupOwners().OwnedKey(group)
	case linnet.GroupModerator:
		key = record.GroupModerators().OwnedKey(group)
	}
	return view.EntryPage(ctx, s.view, key, view.UsersPage(p), func(u *linnet.Membership) linnet.ID { return u.ID }, func(ids []linnet.ID) ([]linnet.Membership, error) {
		users, err := s.view.WithoutBlocked(ctx, viewer, ids)
		if err != nil {
			return nil, err
		}
		members := make([]linnet.ID, len(users))
		for i := range users {
			members[i] = users[i].ID
		}
		b := s.st.Batch()
		owner, moderator := b.Related(record.GroupOwners(), group, members), b.Related(record.GroupModerators(), group, members)
		if err := b.Run(ctx); err != nil {
			return nil, core.StoreError(err)
		}
		out := make([]linnet.Membership, len(users))
		for i := range users {
			out[i] = linnet.Membership{UserView: users[i], Role: view.RoleIn(members[i], owner, moderator)}
		}
		return out, nil
	})
}

// GroupRequests returns the users who request to join a group. me must be allowed to decide on
// them.
func (s *Groups) GroupRequests(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.social.FollowRequests(ctx, group, p)
}

// AcceptMember accepts a request to join a group. It returns NotFound if there is none.
func (s *Groups) AcceptMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	if err := s.roomFor(ctx, who); err != nil {
		return err
	}
	return s.social.Accept(ctx, group, who)
}

// RejectMember rejects a request to join a group.
func (s *Groups) RejectMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	_, err := s.social.RejectRequest(ctx, group, who)
	return err
}

// KickMember removes a member from a group. The user can join again. When it returns, the user no
// longer sees posts for members. It returns NotFound if the user is not a member.
func (s *Groups) KickMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.over(ctx, me, group, who); err != nil {
		return err
	}
	changed, err := s.social.Change(ctx, relations.RelationChange{Kind: record.Follows(), Owner: who, Other: group,
		Ends: []record.RelationKind{record.Watches()}, While: record.Follows()})
	if errors.Is(err, db.ErrCondition) || err == nil && !changed {
		return errNoMember
	}
	return core.StoreError(err)
}

// BanMember bans a user from a group until UnbanMember, member or not. The group then blocks the
// user.
func (s *Groups) BanMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.over(ctx, me, group, who); err != nil {
		return err
	}
	if _, err := s.social.Block(ctx, group, who); err != nil {
		return err
	}
	_, err := s.social.Change(ctx, relations.RelationChange{Kind: record.GroupOffers(), Owner: group, Other: who})
	return core.StoreError(err)
}

// UnbanMember lifts a ban.
func (s *Groups) UnbanMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	_, err := s.social.Unblock(ctx, group, who)
	return err
}

// GroupBans returns the users banned from a group. me must run the group.
func (s *Groups) GroupBans(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.social.Blocks(ctx, group, p)
}
