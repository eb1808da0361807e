package social

import (
	"context"

	"linnet/internal/linnet"
)

var errGroupList = linnet.Errorf(linnet.Forbidden, "This list stands for a group that you have joined and cannot be changed. Delete it to leave the group.")

// listOf is the list that stands for a group.
func listOf(me linnet.ID, group *linnet.UserView) linnet.List {
	return linnet.List{ID: linnet.ListOfGroup(group.ID), Kind: linnet.GroupList, Owner: me, Title: "@" + group.Login, Replies: linnet.RepliesNone}
}

// groupLists are the lists that stand for the groups that me has joined.
func (s *Service) groupLists(ctx context.Context, me linnet.ID) ([]linnet.List, error) {
	groups, err := s.MyGroups(ctx, me)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.List, len(groups))
	for i := range groups {
		out[i] = listOf(me, &groups[i])
	}
	return out, nil
}

// groupList is the list that stands for a group, if me is in it.
func (s *Service) groupList(ctx context.Context, me, group linnet.ID) (linnet.List, error) {
	g, err := s.standing(ctx, me, group)
	if err == nil && g.role == linnet.Outsider {
		err = errNoList
	}
	if err != nil {
		return linnet.List{}, err
	}
	return listOf(me, &linnet.UserView{User: *g.group}), nil
}

// groupStream says whether the stream of a group's list carries a status: what
// the group reposts, and what is posted in a chat.
func groupStream(group linnet.ID, sets readerSets, about subject) bool {
	posted := about.author == group && (about.repostOf != 0 || about.deleted)
	said := about.group == group && about.visibility == linnet.Direct
	return (posted || said) && sets.follows[group]
}

// outsideStream says whether a status is for the members of a group of which the
// listener is none. The sets of an open stream may not have heard yet that
// somebody was removed; what is asked here is as sure as a timeline, and lies in
// this server's memory as a rule.
func (s *Service) outsideStream(ctx context.Context, reader linnet.ID, about subject) (bool, error) {
	if about.within == 0 || reader == about.within {
		return false, nil
	}
	if reader == 0 {
		return true, nil
	}
	b := s.st.Batch()
	r := b.Reader(reader)
	r.AskJoined()
	if err := b.Run(ctx); err != nil {
		return false, err
	}
	since, in := r.InSince(about.within)
	return !in || about.visibility == linnet.Direct && since > about.id.Millis(), nil
}

// inGroupList is whom the list of a group holds: its account.
func (s *Service) inGroupList(ctx context.Context, me, group linnet.ID) (linnet.Slice[linnet.UserView], error) {
	users, err := s.Users(ctx, me, []linnet.ID{group})
	return linnet.Slice[linnet.UserView]{Items: users}, err
}

// leaveByList ends that me is in the group that a list stands for.
func (s *Service) leaveByList(ctx context.Context, me, group linnet.ID) error {
	if _, err := s.groupList(ctx, me, group); err != nil {
		return err
	}
	_, err := s.Unfollow(ctx, me, group)
	return err
}

// groupListTimeline is GroupTimeline for who is in the group.
func (s *Service) groupListTimeline(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	if _, err := s.groupList(ctx, me, group); err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	return s.GroupTimeline(ctx, me, group, p)
}
