package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/relations"
)

// InviteToGroup invites users to a group. me must run the group. Invited users join without a
// request. Members are skipped.
func (s *Groups) InviteToGroup(ctx context.Context, me, group linnet.ID, who []linnet.ID) error {
	g, err := s.Needs(ctx, me, group, linnet.GroupModerator)
	if err != nil {
		return err
	}
	if len(who) > linnet.MaxGroupInvites {
		return linnet.FieldError("account_ids", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(who), linnet.MaxGroupInvites)
	}
	if err := s.mayInvite(ctx, me, who); err != nil {
		return err
	}
	open, err := s.st.All(ctx, record.GroupOffers().OwnedKey(group), linnet.MaxGroupOffers)
	if err != nil {
		return core.StoreError(err)
	}
	if len(open)+len(who) > linnet.MaxGroupOffers {
		return linnet.Errorf(linnet.Invalid, "A group can have at most %d open invitations. Wait until one has been answered.", linnet.MaxGroupOffers)
	}
	if g.Group.Group == linnet.Chat {
		members, err := s.st.All(ctx, record.Follows().CopyKey(group), linnet.MaxChatMembers)
		if err != nil {
			return core.StoreError(err)
		}
		if len(members)+len(open)+len(who) > linnet.MaxChatMembers {
			return linnet.Errorf(linnet.Invalid, "A chat can have at most %d people.", linnet.MaxChatMembers)
		}
	}
	return core.StoreError(s.offer(ctx, g.Group, me, who))
}

// GroupInvited returns the users with an open invitation, newest first. me must run the group.
func (s *Groups) GroupInvited(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return linnet.Slice[linnet.UserView]{}, err
	}
	return s.view.People(ctx, me, record.GroupOffers().OwnedKey(group), p)
}

// TakeBackInvite revokes an open invitation, if there is one. me must run the group.
func (s *Groups) TakeBackInvite(ctx context.Context, me, group, who linnet.ID) error {
	if _, err := s.Needs(ctx, me, group, linnet.GroupModerator); err != nil {
		return err
	}
	_, err := s.social.Change(ctx, relations.RelationChange{Kind: record.GroupOffers(), Owner: group, Other: who})
	return core.StoreError(err)
}

// mayInvite returns an error if one of the users doesn't exist, is a group, or shares a block with
// me.
func (s *Groups) mayInvite(ctx context.Context, me linnet.ID, who []linnet.ID) error {
	users, err := s.view.Users(ctx, me, who)
	if err != nil {
		return err
	}
	if len(users) < len(who) {
		return core.ErrNoUser
	}
	for _, u := range users {
		if u.Group != linnet.NoGroup {
			return linnet.FieldError("account_ids", "ERR_INVALID", "%q is a group and can't be invited", u.Login)
		}
		if err := s.social.MayApproach(ctx, me, u.ID); err != nil {
			return err
		}
	}
	return nil
}

// offer invites each user once and reports it.
func (s *Groups) offer(ctx context.Context, group *linnet.User, by linnet.ID, who []linnet.ID) error {
	if len(who) == 0 {
		return nil
	}
	b := s.st.Batch()
	in := b.RelatedOwners(record.Follows(), group.ID, who)
	if err := b.Run(ctx); err != nil {
		return err
	}
	for _, id := range who {
		if in.Has(id) {
			continue
		}
		if _, err := s.social.Change(ctx, relations.RelationChange{Kind: record.GroupOffers(), Owner: group.ID, Other: id, Live: true}); err != nil {
			return err
		}
		if err := s.facts.GroupInvited.Emit(ctx, event.GroupInvited{Group: group, By: by, To: id}); err != nil {
			return err
		}
	}
	return nil
}
