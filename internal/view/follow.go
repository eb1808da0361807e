package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// People shows a page of a set of users, without those with whom the viewer
// shares a block.
func (s *Service) People(ctx context.Context, viewer linnet.ID, key kv.Key, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return EntryPage(ctx, s, key, UsersPage(p), func(ids []linnet.ID) ([]linnet.UserView, error) { return s.WithoutBlocked(ctx, viewer, ids) })
}

// UsersPage holds a page of users to its limits.
func UsersPage(p linnet.Page) linnet.Page {
	if p.Limit == 0 {
		p.Limit = linnet.MaxPage
	}
	p.Limit = min(max(p.Limit, 1), linnet.MaxUsersPage)
	return p
}

// EntryPage shows a page of a set that is ordered by when its members came. A
// page of which nothing may be shown leads on to the next. Unlike timeline.FillPage it
// does not fill a page: the cursors are those of the set's members, which what is shown
// does not tell, and a page shorter than asked for is read no second time.
func EntryPage[T any](ctx context.Context, s *Service, key kv.Key, p linnet.Page,
	show func([]linnet.ID) ([]T, error)) (out linnet.Slice[T], err error) {
	for range core.PageRounds {
		entries, err := s.st.Members(ctx, key, p)
		if err != nil {
			return out, core.StoreError(err)
		}
		if len(entries) == 0 {
			return out, nil
		}
		ids := make([]linnet.ID, len(entries))
		for i, e := range entries {
			ids[i] = e.ID
		}
		if out.Items, err = show(ids); err != nil {
			return out, err
		}
		first, last := entries[0], entries[len(entries)-1]
		out.First, out.Last = linnet.EdgeCursor(first.Score, first.ID), linnet.EdgeCursor(last.Score, last.ID)
		if len(entries) < p.Limit && p.Min == "" {
			out.End()
			return out, nil
		}
		if len(out.Items) > 0 || p.Min != "" {
			return out, nil
		}
		p.Max = out.Last
	}
	return out, nil
}
