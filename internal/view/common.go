package view

import (
	"cmp"
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// CommonFollowers returns the accounts that me follows and that follow another account, newest
// first, with their total. It returns none if me can't see the followers of that account. It is
// "followers in common" of Retwis.
func (s *Service) CommonFollowers(ctx context.Context, me, of linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], int, error) {
	return s.common(ctx, me, of, p, func(b *db.Batch, ids []linnet.ID) *db.Membership {
		return b.RelatedOwners(record.Follows(), of, ids)
	})
}

// CommonFollowing returns the accounts that both me and another account follow, like
// CommonFollowers.
func (s *Service) CommonFollowing(ctx context.Context, me, of linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], int, error) {
	return s.common(ctx, me, of, p, func(b *db.Batch, ids []linnet.ID) *db.Membership {
		return b.Related(record.Follows(), of, ids)
	})
}

// common returns the followees of me that a query selects and whose relation me can see.
func (s *Service) common(ctx context.Context, me, of linnet.ID, p linnet.Page, among func(*db.Batch, []linnet.ID) *db.Membership) (out linnet.Slice[linnet.UserView], total int, err error) {
	p = UsersPage(p)
	below, err := p.Max.ID()
	above, err2 := cmp.Or(p.Min, p.Since).ID()
	if err := cmp.Or(err, err2); err != nil {
		return out, 0, err
	}
	open, err := s.browsable(ctx, me, []linnet.ID{of})
	if err != nil || !open[of] {
		return out, 0, err
	}
	mine, err := s.st.All(ctx, record.Follows().OwnedKey(me), linnet.MaxFollowing)
	if err != nil {
		return out, 0, core.StoreError(err)
	}
	var all []linnet.UserView
	for chunk := range slices.Chunk(mine, kv.MaxRange) {
		b := s.st.Batch()
		found := among(b, chunk)
		if err := b.Run(ctx); err != nil {
			return out, 0, core.StoreError(err)
		}
		users, err := s.OpenOf(ctx, me, found.Found())
		if err != nil {
			return out, 0, err
		}
		all = append(all, users...)
	}
	total = len(all)
	slices.SortFunc(all, func(a, b linnet.UserView) int { return cmp.Compare(b.ID, a.ID) })
	within := slices.DeleteFunc(all, func(u linnet.UserView) bool { return below != 0 && u.ID >= below || u.ID <= above })
	out.Items = linnet.CutPage(within, p)
	if n := len(out.Items); n > 0 {
		out.First, out.Last = linnet.CursorOf(out.Items[0].ID), linnet.CursorOf(out.Items[n-1].ID)
		if n == len(within) && p.Min == "" {
			out.End()
		}
	}
	return out, total, nil
}
