package social

import (
	"context"

	"linnet/internal/linnet"
)

// EraseReposts deletes the reposts that some users made of a deleted status.
func (s *Service) EraseReposts(ctx context.Context, original linnet.ID, users []linnet.ID) error {
	for _, u := range users {
		id, err := s.st.RepostID(ctx, u, original)
		if err != nil {
			return err
		}
		if id == 0 {
			continue
		}
		b := s.st.Batch()
		ref := b.Status(id)
		if err := b.Run(ctx); err != nil {
			return err
		}
		if ref.Status == nil {
			continue
		}
		if _, err := s.posts.Erase(ctx, ref.Status, s.tasks.Start); err != nil {
			return err
		}
	}
	return nil
}
