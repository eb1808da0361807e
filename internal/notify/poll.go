package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/inbox"
)

// NotifyPollEnded notifies users that a poll has ended. It skips users who block or mute the author
// or the thread. It can run more than once: each user has one notification.
func (s *Service) NotifyPollEnded(ctx context.Context, st *linnet.Status, who []linnet.ID) error {
	if len(who) == 0 {
		return nil
	}
	b := s.st.Batch()
	muted, pushed := make([]*bool, len(who)), make([]*bool, len(who))
	for i, id := range who {
		muted[i], pushed[i] = b.NoticesMuted(id, st.Author, ThreadOf(st)), b.Pushed(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	notified := make([]linnet.ID, 0, len(who))
	for i, id := range who {
		if *muted[i] {
			continue
		}
		n := inbox.PollNotice(id, st)
		push, err := s.NewPush(*pushed[i], id, n.ID)
		if err != nil {
			return err
		}
		made, err := s.st.Inbox.NotifyPresent(ctx, id, n, push.Ops()...)
		if err != nil {
			return err
		}
		if made {
			s.Push(ctx, push)
			notified = append(notified, id)
		}
	}
	if len(notified) > 0 {
		s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventNotification, Status: st.ID, Author: st.Author, Watchers: notified, Ended: st.Poll.Expires.UnixMilli()})
	}
	return nil
}
