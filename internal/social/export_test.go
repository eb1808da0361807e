package social

import (
	"context"

	"linnet/internal/linnet"
)

// KeptHome is how many statuses the page of somebody's home has that is kept now.
func (s *Service) KeptHome(of linnet.ID) int {
	if k, ok := s.homes.GetIfPresent(of); ok && k.watch.Holds() {
		return len(k.page.Items)
	}
	return 0
}

// Relate runs the task of a relation, for tests of its order.
func (s *Service) Relate(ctx context.Context, kind string, owner, other linnet.ID) error {
	return s.relate(ctx, edgeArgs{kind, owner, other})
}
