package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
)

// NotifyEdited notifies users who boosted a status of its edit. It skips the author, groups, and
// users who block or mute the author or the thread. It can run more than once: each user has one
// notification, of the last edit.
func (s *Service) NotifyEdited(ctx context.Context, st *linnet.Status, who []linnet.ID) error {
	if len(who) == 0 {
		return nil
	}
	decisions, err := s.Decide(ctx, st, linnet.Notification{Type: linnet.NotifyEdit, From: st.Author, Status: st.ID}, who)
	if err != nil {
		return err
	}
	b := s.st.Batch()
	users := make([]*db.UserRef, len(who))
	for i, id := range who {
		users[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	var notified []linnet.ID
	for i, id := range who {
		if u := users[i].User; u == nil || u.Group != linnet.NoGroup || id == st.Author || decisions[i].Decision == dropped {
			continue
		}
		push, err := s.NewPush(decisions[i].Pushed, id, inbox.EditNotice(id, st, st.LastEdit()).ID)
		if err != nil {
			return err
		}
		made, err := s.st.Inbox.NotifyEdited(ctx, id, st, push.Ops()...)
		if err != nil {
			return err
		}
		if made {
			s.Push(ctx, push)
			notified = append(notified, id)
		}
	}
	if len(notified) > 0 {
		s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventNotification, Status: st.ID, Author: st.Author, Watchers: notified, Edited: st.LastEdit()})
	}
	return nil
}
