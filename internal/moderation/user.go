package moderation

import (
	"context"

	"linnet/internal/linnet"
)

// SetRole gives a user a role, by a command.
func (s *Service) SetRole(ctx context.Context, login string, r linnet.Role) error {
	u, err := s.core.AccountNamed(ctx, login)
	if err != nil {
		return err
	}
	return s.Moderate(ctx, linnet.Measure{On: u.ID, Act: linnet.GiveRole, Role: r})
}
