package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
)

// NotifyStaff notifies all staff with a permission, once, except for the user concerned.
func (s *Service) NotifyStaff(ctx context.Context, may linnet.Permission, t linnet.NotificationType, from, about linnet.ID) error {
	staff, err := s.core.StaffWho(ctx, may)
	if err != nil {
		return err
	}
	for _, id := range staff {
		if id == from {
			continue
		}
		if err := s.Notify(ctx, id, inbox.StaffNotice(id, t, from, about)); err != nil {
			return err
		}
	}
	return nil
}

// Notify notifies a user, regardless of the notification policy. It can run more than once.
func (s *Service) Notify(ctx context.Context, to linnet.ID, n linnet.Notification) error {
	b := s.st.Batch()
	pushed := b.Pushed(to)
	if err := b.Run(ctx); err != nil {
		return err
	}
	push, err := s.NewPush(*pushed, to, n.ID)
	if err != nil {
		return err
	}
	if err := s.st.Inbox.Notify(ctx, to, n, push.Ops()...); err != nil {
		return err
	}
	s.Push(ctx, push)
	s.core.Emit(ctx, to, core.Event{Type: linnet.EventNotification, To: to, Notice: n.ID})
	return nil
}

// staffNotice loads a notification for staff. ok is false if me lacks the permission or its subject
// is deleted.
func (s *Service) staffNotice(ctx context.Context, me linnet.ID, n linnet.Notification, from *db.UserRef) (v linnet.NotificationView, ok bool, err error) {
	if err := s.core.Authorize(ctx, linnet.By(me), n.Type.For()); err != nil {
		if linnet.KindOf(err) == linnet.Forbidden {
			err = nil
		}
		return v, false, err
	}
	if from.User == nil {
		return v, false, nil
	}
	v = linnet.NotificationView{Notification: n, At: n.ID.Time(), By: s.view.SharedUser(from.Whole)}
	if n.Type != linnet.NotifyReport {
		return v, true, nil
	}
	found, err := s.st.Staff.Reports(ctx, []linnet.ID{n.Report})
	if err != nil || len(found) == 0 {
		return v, false, core.StoreError(err)
	}
	b := s.st.Batch()
	target := b.User(found[0].On)
	if err := b.Run(ctx); err != nil || target.User == nil {
		return v, false, core.StoreError(err)
	}
	v.Filed = &linnet.ReportView{Report: found[0], Target: s.view.FullView(target)}
	return v, true, nil
}
