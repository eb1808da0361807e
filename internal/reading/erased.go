package reading

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// StatusDeleted reports whether a user has deleted a publicly visible status, among the last 1,000
// deletions, so that its page can say so. It returns false for other statuses and for viewers that
// the author blocks.
func (s *Service) StatusDeleted(ctx context.Context, viewer linnet.ID, login string, id linnet.ID) (bool, error) {
	u, err := s.view.UserByLogin(ctx, viewer, login)
	switch {
	case linnet.KindOf(err) == linnet.NotFound || err == nil && u.Hidden():
		return false, nil
	case err != nil:
		return false, err
	}
	if m, err := s.view.Relationship(ctx, viewer, u.ID); err != nil || m.BlockedBy() {
		return false, err
	}
	deleted, err := s.st.Statuses.Erased(ctx, u.ID, id)
	return deleted, core.StoreError(err)
}

// AccountDeleted reports whether a login belongs to a formerly public account that is suspended or
// deleted.
func (s *Service) AccountDeleted(ctx context.Context, viewer linnet.ID, login string) (bool, error) {
	u, err := s.view.UserByLogin(ctx, viewer, login)
	switch {
	case err == nil:
		return u.Suspended, nil
	case linnet.KindOf(err) != linnet.NotFound:
		return false, err
	}
	name, ok := s.core.LocalLogin(login)
	if !ok {
		return false, nil
	}
	deleted, err := s.st.Accounts.LoginDeleted(ctx, name)
	return deleted, core.StoreError(err)
}
