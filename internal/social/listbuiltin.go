package social

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// builtInLists returns the server's timelines that me has turned on as lists. Apps can read them
// like other lists but not change them.
func (s *Lists) builtInLists(ctx context.Context, me linnet.ID) ([]linnet.List, error) {
	u, err := s.core.LookupUser(ctx, me)
	if err != nil || u == nil {
		return nil, err
	}
	var made []linnet.List
	if u.Shown.Top {
		made = append(made, topList(me))
	}
	if u.Shown.CatchUp {
		made = append(made, linnet.List{ID: linnet.CatchUpList, Kind: linnet.ScoredList, Owner: me, Title: "Catch-up"})
	}
	return made, nil
}

func topList(me linnet.ID) linnet.List {
	return linnet.List{ID: linnet.TopList, Kind: linnet.RankedList, Owner: me, Title: "Top"}
}

// ListsOnPages returns the lists of me for web pages. They always include "Top".
func (s *Lists) ListsOnPages(ctx context.Context, me linnet.ID) ([]linnet.List, error) {
	all, err := s.Lists(ctx, me)
	top := topList(me)
	if err != nil || slices.Contains(all, top) {
		return all, err
	}
	own := slices.IndexFunc(all, func(l linnet.List) bool { return l.Kind != linnet.OwnList })
	if own < 0 {
		own = len(all)
	}
	return slices.Insert(all, own, top), nil
}

// MutableList is like List. It returns Forbidden for lists of the server.
func (s *Lists) MutableList(ctx context.Context, me, id linnet.ID) (linnet.List, error) {
	l, err := s.List(ctx, me, id)
	if err == nil && l.Kind == linnet.GroupList {
		return l, errGroupList
	}
	if err == nil && l.ReadOnly() {
		err = linnet.Errorf(linnet.Forbidden, "The list %q is built in: you can read it, but not change it.", l.Title)
	}
	return l, err
}

// ShownLists returns the lists of the server that me has turned on.
func (s *Lists) ShownLists(ctx context.Context, me linnet.ID) (linnet.ShownLists, error) {
	u, err := s.core.LookupUser(ctx, me)
	if err == nil && u == nil {
		err = core.ErrNoUser
	}
	if err != nil {
		return linnet.ShownLists{}, err
	}
	return u.Shown, nil
}

// SetShownLists turns lists of the server on or off for me.
func (s *Lists) SetShownLists(ctx context.Context, me linnet.ID, c linnet.ShownListsChange) (linnet.ShownLists, error) {
	u, _, ok, err := s.st.Accounts.UpdateUser(ctx, me, func(u *linnet.User) error {
		core.Set(&u.Shown.Top, c.Top)
		core.Set(&u.Shown.CatchUp, c.CatchUp)
		return nil
	}, func([]string) (task.Task, error) { return task.Task{}, nil }) // the name doesn't change
	if err == nil && !ok {
		err = core.ErrNoUser
	}
	return u.Shown, core.StoreError(err)
}
