package relations

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// MuteThread sets or deletes a user's mute of the thread that begins with root: a relationship flag
// for that status.
func (s *Store) MuteThread(ctx context.Context, user, root linnet.ID, on bool) error {
	return s.SetRelationshipFlag(ctx, user, root, record.MutesThread, on)
}
