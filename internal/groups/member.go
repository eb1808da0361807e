package groups

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/store/relations"
	"linnet/internal/view"
)

// wanted is the wish of me to be in a group. Who is invited comes in; a chat is there
// for nobody else.
func (s *Service) wanted(ctx context.Context, me linnet.ID, u *linnet.User, silenced bool) (c relations.EdgeChange, err error) {
	g, err := s.view.Standing(ctx, me, u.ID)
	if err != nil {
		return c, err
	}
	c = relations.EdgeChange{Kind: record.Follows(), Owner: me, Other: u.ID, Live: true, Joins: true, Below: linnet.MaxFollowing,
		Ends: []record.EdgeKind{record.Requests()}, Conds: db.NoBlocks(me, u.ID)}
	switch {
	case g.Role > linnet.Outsider: // only what was chosen about it changes
		return c, nil
	case g.Offered:
		c.Conds = append(c.Conds, db.RelatedBy(record.GroupOffers(), u.ID, me))
	case u.Locked || silenced:
		return relations.EdgeChange{Kind: record.Requests(), Owner: me, Other: u.ID, Live: true,
			Below: linnet.MaxFollowRequests, Unless: record.Follows(), Conds: db.NoBlocks(me, u.ID)}, s.roomFor(ctx, me)
	}
	return c, s.roomFor(ctx, me)
}

// roomFor refuses somebody who is in as many groups as one may be.
func (s *Service) roomFor(ctx context.Context, who linnet.ID) error {
	in, err := s.st.Relations.Joined(ctx, who)
	if err != nil {
		return core.StoreError(err)
	}
	if len(in) >= linnet.MaxGroupsJoined {
		return linnet.Errorf(linnet.Invalid, "You have already joined %d groups, the maximum.", linnet.MaxGroupsJoined)
	}
	return nil
}

// stepDown ends what me is in a group besides a member, before me leaves it, and
// an invitation. The last owner stays.
func (s *Service) stepDown(ctx context.Context, me, group linnet.ID) error {
	g, err := s.view.Standing(ctx, me, group)
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
	for _, k := range [...]record.EdgeKind{record.GroupModerators(), record.GroupOffers()} {
		if _, err := s.social.Change(ctx, relations.EdgeChange{Kind: k, Owner: group, Other: me}); err != nil {
			return core.StoreError(err)
		}
	}
	return nil
}

// left does what follows when somebody is no longer in a group, or it in the
// world: a role ends, and nothing of a chat stays. It may be repeated.
func (s *Service) left(ctx context.Context, group *linnet.User, a social.EdgeArgs) error {
	if group == nil || group.Group == linnet.Chat {
		gone := db.Unrelated(record.Follows(), a.Owner, a.Other)
		if _, err := s.st.Inbox.DropConversation(ctx, a.Owner, inbox.ChatConversationID(a.Owner, a.Other), gone); err != nil {
			return err
		}
	}
	if group == nil || group.Group == linnet.NoGroup {
		return nil
	}
	return s.withoutRole(ctx, group.ID, a.Owner)
}

// joined does what follows when somebody has come into a group: they need not be
// invited any more.
func (s *Service) joined(ctx context.Context, group *linnet.User, a social.EdgeArgs) error {
	_, err := s.social.Change(ctx, relations.EdgeChange{Kind: record.GroupOffers(), Owner: group.ID, Other: a.Owner})
	return err
}

// GroupMembers shows who is in a group, the latest first; or with a role above
// that of members, who has it. NotFound for a closed group that the viewer is not
// in.
func (s *Service) GroupMembers(ctx context.Context, viewer, group linnet.ID, role linnet.GroupRole, p linnet.Page) (out linnet.Slice[linnet.Membership], err error) {
	g, err := s.view.Standing(ctx, viewer, group)
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
		return s.memberships(ctx, group, users)
	})
}

func (s *Service) memberships(ctx context.Context, group linnet.ID, users []linnet.UserView) ([]linnet.Membership, error) {
	ids := make([]linnet.ID, len(users))
	for i := range users {
		ids[i] = users[i].ID
	}
	b := s.st.Batch()
	owner, moderator := b.EdgeHas(record.GroupOwners(), group, ids), b.EdgeHas(record.GroupModerators(), group, ids)
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]linnet.Membership, len(users))
	for i := range users {
		out[i] = linnet.Membership{UserView: users[i], Role: view.RoleIn(ids[i], owner, moderator)}
	}
	return out, nil
}

// GroupRequests shows who asks to be let into a group, to those who decide on it.
func (s *Service) GroupRequests(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.social.FollowRequests(ctx, group, p)
}

// AcceptMember lets somebody into a group who asks for it. NotFound if they do not.
func (s *Service) AcceptMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	if err := s.roomFor(ctx, who); err != nil {
		return err
	}
	return s.social.Accept(ctx, group, who)
}

// RequestState says whether somebody asks to be let into a group, or is in it, to those who
// decide on it.
func (s *Service) RequestState(ctx context.Context, me, group, who linnet.ID) (asks, in bool, err error) {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return false, false, err
	}
	b := s.st.Batch()
	asking, member := b.EdgeHas(record.Requests(), who, []linnet.ID{group}), b.EdgeHas(record.Follows(), who, []linnet.ID{group})
	if err := b.Run(ctx); err != nil {
		return false, false, core.StoreError(err)
	}
	return asking.Has(group), member.Has(group), nil
}

// RejectMember refuses somebody who asks to be let into a group.
func (s *Service) RejectMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	_, err := s.social.RejectRequest(ctx, group, who)
	return err
}

// KickMember ends that somebody is in a group; they may come back as others come.
// When it returns they see nothing that is for members. NotFound if they are not
// in it.
func (s *Service) KickMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.over(ctx, me, group, who); err != nil {
		return err
	}
	changed, err := s.social.Change(ctx, relations.EdgeChange{Kind: record.Follows(), Owner: who, Other: group,
		Ends: []record.EdgeKind{record.Watches()}, While: record.Follows()})
	if errors.Is(err, db.ErrCondition) || err == nil && !changed {
		return errNoMember
	}
	return core.StoreError(err)
}

// BanMember keeps somebody out of a group, be they in it or not, until UnbanMember:
// the group blocks them.
func (s *Service) BanMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.over(ctx, me, group, who); err != nil {
		return err
	}
	if _, err := s.social.Block(ctx, group, who); err != nil {
		return err
	}
	_, err := s.social.Change(ctx, relations.EdgeChange{Kind: record.GroupOffers(), Owner: group, Other: who})
	return core.StoreError(err)
}

// UnbanMember lets somebody come back into a group as others come.
func (s *Service) UnbanMember(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	_, err := s.social.Unblock(ctx, group, who)
	return err
}

// GroupBans shows who is banned from a group, to those who run it.
func (s *Service) GroupBans(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.social.Blocks(ctx, group, p)
}
