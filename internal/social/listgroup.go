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

// groupList returns the list of a group. It returns an error if me is not a member.
func (s *Lists) groupList(ctx context.Context, me, group linnet.ID) (linnet.List, error) {
	g, err := s.view.GroupRelation(ctx, me, group)
	if err == nil && g.Role == linnet.Outsider {
		err = errNoList
	}
	if err != nil {
		return linnet.List{}, err
	}
	return listOf(me, &linnet.UserView{User: *g.Group}), nil
}
