package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// admitFollow counts a follow or a request to follow. New accounts have a lower limit. Existing
// follows and requests do not count against it.
func (s *Service) admitFollow(ctx context.Context, me, other linnet.ID, imported bool) error {
	if !imported {
		if err := s.core.AllowFollow(ctx, me, other); err != nil {
			return err
		}
	}
	u, err := s.core.LookupUser(ctx, me)
	if err != nil || u == nil {
		return err
	}
	if until, err := s.core.LimitedUntil(ctx, u); err != nil || until.IsZero() {
		return err
	}
	r, err := s.Relationship(ctx, me, other)
	if err != nil || r.Following || r.Requested {
		return err
	}
	_, _, err = s.core.Allow(ctx, "newfollow", me.String(), linnet.NewFollowsAnHour, core.NewWindow)
	return err
}
