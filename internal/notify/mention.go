package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// NotifyMentioned records the mentions of a status and notifies the mentioned users.
func (s *Service) NotifyMentioned(ctx context.Context, st *linnet.Status) error {
	if len(st.Mentions) == 0 {
		return nil
	}
	n := linnet.Notification{Type: linnet.NotifyMention, From: st.Author, Status: st.ID}
	who := make([]linnet.ID, len(st.Mentions))
	for i, m := range st.Mentions {
		who[i] = m.ID
	}
	decisions, err := s.Decide(ctx, st, n, who)
	if err != nil {
		return err
	}
	for i, id := range who {
		one := DecidedNotice{s.st.Inbox.NewNotice(id, n), decisions[i]}
		one.Held = one.Decision == Held
		if id == st.Author {
			one.Decision = dropped
		}
		if err := s.mention(ctx, st, id, one); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) mention(ctx context.Context, st *linnet.Status, who linnet.ID, n DecidedNotice) error {
	var notice *linnet.Notification
	if n.Made() {
		notice = &n.Notification
	}
	push, err := s.PushOf(who, n)
	if err != nil {
		return err
	}
	added, err := s.st.Inbox.Mention(ctx, who, st.ID, notice, push.Ops()...)
	if err == nil && added && n.Delivered() {
		s.Push(ctx, push)
		s.core.Emit(ctx, who, core.Event{Type: linnet.EventNotification, To: who, Notice: n.ID})
	}
	return err
}
