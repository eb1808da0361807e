package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/inbox"
)

// NotifyStaff notifies all staff with the permission for a type of notification, once, except for
// the sender. The id of n is the id or the time of its subject.
func (s *Service) NotifyStaff(ctx context.Context, n linnet.Notification) error {
	staff, err := s.core.StaffWho(ctx, n.Type.Kind().For)
	if err != nil {
		return err
	}
	for _, id := range staff {
		if id == n.From {
			continue
		}
		if err := s.Notify(ctx, id, inbox.StaffNotice(id, n)); err != nil {
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

// loadForStaff loads the report of a notification for staff. It returns false if me lacks the
// permission or the report is deleted.
func (s *Service) loadForStaff(ctx context.Context, me linnet.ID, v *linnet.NotificationView) (bool, error) {
	if err := s.core.Authorize(ctx, linnet.By(me), v.Type.Kind().For); err != nil {
		if linnet.KindOf(err) == linnet.Forbidden {
			err = nil
		}
		return false, err
	}
	if v.Report == 0 {
		return true, nil
	}
	found, err := s.st.Staff.Reports(ctx, []linnet.ID{v.Report})
	if err != nil || len(found) == 0 {
		return false, core.StoreError(err)
	}
	b := s.st.Batch()
	target := b.User(found[0].On)
	if err := b.Run(ctx); err != nil || target.User == nil {
		return false, core.StoreError(err)
	}
	v.Filed = &linnet.ReportView{Report: found[0], Target: s.view.FullView(target)}
	return true, nil
}
