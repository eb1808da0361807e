package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
)

// SignedUp notifies the staff of a new account.
func (s *Service) SignedUp(ctx context.Context, f event.SignedUp) error {
	return s.NotifyStaff(ctx, linnet.Notification{ID: f.User, Type: linnet.NotifySignUp, From: f.User})
}

// SecurityLogged notifies the owner of an account of an event that another person may have caused.
func (s *Service) SecurityLogged(ctx context.Context, f event.SecurityLogged) error {
	if !f.Event.ByOthers() {
		return nil
	}
	return s.Notify(ctx, f.User, s.st.Inbox.NewNotice(f.User, linnet.Notification{Type: linnet.NotifySecurity, From: f.User, Event: f.Event}))
}

// Unseen returns the titles of the newest unread notifications, at most limit, in the user's
// language, and the number of all unread ones up to linnet.DefaultUnread.
func (s *Service) Unseen(ctx context.Context, u *linnet.User, limit int) (titles []string, all int, err error) {
	shown := linnet.NotificationFilter{Shown: true}
	all, err = s.UnreadNotifications(ctx, u.ID, shown, 0)
	if err != nil || all == 0 {
		return nil, 0, err
	}
	page, err := s.Notifications(ctx, u.ID, shown, linnet.Page{Limit: min(all, limit)})
	if err != nil {
		return nil, 0, err
	}
	in := core.LanguageOf(u)
	for i := range page.Items {
		titles = append(titles, Title(in, &page.Items[i], u.ID))
	}
	return titles, all, nil
}
