package core

import (
	"context"

	"linnet/internal/linnet"
)

// CheckStaff is Forbidden for who is no moderator.
func (s *Service) CheckStaff(ctx context.Context, me linnet.ID) error {
	_, err := s.Staff(ctx, me)
	return err
}
