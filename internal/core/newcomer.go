package core

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// NewWindow is the window of the limits of new accounts, and the time for which the same text can't
// be repeated.
const NewWindow = time.Hour

// LimitedUntil returns the end of the stricter limits for new accounts for a user, or zero if they
// don't apply. It makes no round trip for older accounts.
func (s *Service) LimitedUntil(ctx context.Context, u *linnet.User) (time.Time, error) {
	if !s.opt.LimitNew || u.Role != linnet.Member || s.st.Now().Sub(u.ID.Time()) >= linnet.MaxNewDays*24*time.Hour {
		return time.Time{}, nil
	}
	now, err := s.KnownSettings(ctx)
	if err != nil {
		return time.Time{}, err
	}
	until := u.ID.Time().Add(time.Duration(now.newDays) * 24 * time.Hour)
	if !s.st.Now().Before(until) {
		return time.Time{}, nil
	}
	return until, nil
}
