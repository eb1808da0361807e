package core

import (
	"context"
	"time"

	"linnet/internal/linnet"
)

// NewWindow is the window of the limits of new accounts, and how long the same text can't be
// repeated.
const NewWindow = time.Hour

// Limited reports whether the tighter limits for new accounts hold for a user.
// For others than new accounts it takes no round trip.
func (s *Service) Limited(ctx context.Context, u *linnet.User) (bool, error) {
	age := s.st.Now().Sub(u.ID.Time())
	if !s.opt.LimitNew || u.Role != linnet.Member || age >= linnet.MaxNewDays*24*time.Hour {
		return false, nil
	}
	now, err := s.KnownSettings(ctx)
	if err != nil {
		return false, err
	}
	return age < time.Duration(now.newDays)*24*time.Hour, nil
}
