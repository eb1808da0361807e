package social

import (
	"context"

	"linnet/internal/linnet"
)

var errGroupList = linnet.Errorf(linnet.Forbidden, "This list belongs to a group you've joined and can't be changed. Delete it to leave the group.")

// listOf returns the list of a group.
func listOf(me linnet.ID, group *linnet.UserView) linnet.List {
	return linnet.List{ID: linnet.ListOfGroup(group.ID), Kind: linnet.GroupList, Owner: me, Title: "@" + group.Login, Replies: linnet.RepliesNone}
}

// groupLists returns the lists of the groups that me has joined.
func (s *Lists) groupLists(ctx context.Context, me linnet.ID) ([]linnet.List, error) {
	groups, err := s.groups.MyGroups(ctx, me)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.List, len(groups))
	for i := range groups {
		out[i] = listOf(me, &groups[i])
	}
	return out, nil
}

// groupList returns the list of a group. It returns an error if me is not a member.
func (s *Lists) groupList(ctx context.Context, me, group linnet.ID) (linnet.List, error) {
	g, err := s.view.Standing(ctx, me, group)
	if err == nil && g.Role == linnet.Outsider {
		err = errNoList
	}
	if err != nil {
		return linnet.List{}, err
	}
	return listOf(me, &linnet.UserView{User: *g.Group}), nil
}

// inGroupList returns the members of a group's list: the account of the group.
func (s *Lists) inGroupList(ctx context.Context, me, group linnet.ID) (linnet.Slice[linnet.UserView], error) {
	users, err := s.view.Users(ctx, me, []linnet.ID{group})
	return linnet.Slice[linnet.UserView]{Items: users}, err
}

// leaveByList removes me from the group of a list.
func (s *Lists) leaveByList(ctx context.Context, me, group linnet.ID) error {
	if _, err := s.groupList(ctx, me, group); err != nil {
		return err
	}
	_, err := s.social.Unfollow(ctx, me, group)
	return err
}

// groupListTimeline returns the timeline of a group. me must be a member.
func (s *Lists) groupListTimeline(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if _, err := s.groupList(ctx, me, group); err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	return s.reading.GroupTimeline(ctx, me, group, p)
}
