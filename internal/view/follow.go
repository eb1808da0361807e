package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// People returns a page of a set of users, without users who block the viewer or are blocked.
func (s *Service) People(ctx context.Context, viewer linnet.ID, key kv.Key, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return EntryPage(ctx, s, key, UsersPage(p), UserID, func(ids []linnet.ID) ([]linnet.UserView, error) { return s.WithoutBlocked(ctx, viewer, ids) })
}

// UsersPage applies the limits of pages of users.
func UsersPage(p linnet.Page) linnet.Page {
	if p.Limit == 0 {
		p.Limit = linnet.MaxPage
	}
	p.Limit = min(max(p.Limit, 1), linnet.MaxUsersPage)
	return p
}

// UserID returns the member of a set of users that an item shows.
func UserID(u *linnet.UserView) linnet.ID { return u.ID }

// EntryPage returns a page of a set sorted by the time members were added. show returns the visible
// ones of some members, in order, and id returns the member of an item. The page is filled with
// visible items, and its cursors are positions of its items. If too many members in a row are
// hidden, the page is short and has an encrypted cursor.
func EntryPage[T any](ctx context.Context, s *Service, key kv.Key, p linnet.Page, id func(*T) linnet.ID,
	show func([]linnet.ID) ([]T, error)) (out linnet.Slice[T], err error) {
	list := key.String
	if p, err = s.core.OpenPage(ctx, list, p); err != nil {
		return out, err
	}
	scan := entries[T]{id: id, show: show, scores: map[linnet.ID]int64{}, limit: p.Limit, asc: p.Min != ""}
	for range core.PageRounds {
		members, err := s.st.Members(ctx, key, p)
		if err != nil {
			return out, core.StoreError(err)
		}
		if err := scan.add(members); err != nil {
			return out, err
		}
		if scan.end = len(members) < p.Limit; scan.end || len(scan.items) >= scan.limit {
			break
		}
		if scan.asc {
			p.Min = entryCursor(members[0])
		} else {
			p.Max = entryCursor(members[len(members)-1])
		}
		p.Limit = min(4*p.Limit, kv.MaxRange)
	}
	out = scan.slice()
	if scan.end || len(out.Items) == scan.limit {
		return out, nil
	}
	stopped, at := &out.Last, p.Max
	if scan.asc {
		stopped, at = &out.First, p.Min
	}
	*stopped, err = s.core.SealCursor(ctx, list, at)
	return out, err
}

func entryCursor(e db.Entry) linnet.Cursor { return linnet.ScoredCursor(e.Score, e.ID) }

// entries collects the visible members of a set for a page.
type entries[T any] struct {
	id     func(*T) linnet.ID
	show   func([]linnet.ID) ([]T, error)
	items  []T
	scores map[linnet.ID]int64 // of the members that were read
	limit  int
	asc    bool
	end    bool // the set has no further members
}

// add adds the visible ones of the members that were read next.
func (x *entries[T]) add(members []db.Entry) error {
	if len(members) == 0 {
		return nil
	}
	ids := make([]linnet.ID, len(members))
	for i, e := range members {
		ids[i], x.scores[e.ID] = e.ID, e.Score
	}
	found, err := x.show(ids)
	if x.asc {
		x.items = append(found, x.items...)
	} else {
		x.items = append(x.items, found...)
	}
	return err
}

// slice returns the page: the items nearest to the start of the scan, with their cursors.
func (x *entries[T]) slice() (out linnet.Slice[T]) {
	over := len(x.items) - x.limit
	switch out.Items = x.items; {
	case over > 0 && x.asc:
		out.Items = x.items[over:]
	case over > 0:
		out.Items = x.items[:x.limit]
	}
	n := len(out.Items)
	if n == 0 {
		return out
	}
	cursor := func(item *T) linnet.Cursor { return linnet.ScoredCursor(x.scores[x.id(item)], x.id(item)) }
	out.First, out.Last = cursor(&out.Items[0]), cursor(&out.Items[n-1])
	if x.end && over <= 0 && !x.asc {
		out.End()
	}
	return out
}
