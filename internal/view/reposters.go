package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// VisibleReposters returns the users whose boosts of a status the viewer can see, in the same
// order.
func (s *Service) VisibleReposters(ctx context.Context, viewer, original linnet.ID, users []linnet.ID) ([]linnet.ID, error) {
	reposts, err := s.st.Statuses.RepostIDs(ctx, original, users...)
	if err != nil {
		return nil, core.StoreError(err)
	}
	l := s.Loader(viewer)
	defer l.Release()
	for user, id := range reposts {
		l.Want(id, user)
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	var out []linnet.ID
	for _, user := range users {
		if _, ok := l.View(reposts[user]); ok {
			out = append(out, user)
		}
	}
	return out, nil
}
