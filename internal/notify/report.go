package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/inbox"
)

// TellStaff gives all moderators but the one concerned a notification, once.
func (s *Service) TellStaff(ctx context.Context, t linnet.NotificationType, from, about linnet.ID) error {
	staff, err := s.st.Accounts.Staff(ctx)
	if err != nil {
		return err
	}
	for _, id := range staff {
		if id == from {
			continue
		}
		n := inbox.StaffNotice(id, t, from, about)
		if err := s.st.Inbox.Notify(ctx, id, n); err != nil {
			return err
		}
		s.core.Emit(ctx, id, core.Event{Type: linnet.EventNotification, To: id, Notice: n.ID})
	}
	return nil
}
