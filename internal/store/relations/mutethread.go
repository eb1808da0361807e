package relations

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// MuteThread keeps or ends that a user wants no notifications of the thread that
// begins with root: a relationship flag towards that status.
func (s *Store) MuteThread(ctx context.Context, user, root linnet.ID, on bool) error {
	return s.SetRelationshipFlag(ctx, user, root, record.MutesThread, on)
}
