package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
)

// NotifyQuote adds a status to the quotes of the quoted status and notifies its author. It can run
// more than once: there is one notification.
func (s *Service) NotifyQuote(ctx context.Context, st *linnet.Status) error {
	to, n := st.QuoteAuthor, DecidedNotice{}
	if to != st.Author {
		n.Notification = s.st.Inbox.NewNotice(to, linnet.Notification{Type: linnet.NotifyQuote, From: st.Author, Status: st.ID})
		decisions, err := s.Decide(ctx, st, n.Notification, []linnet.ID{to})
		if err != nil {
			return err
		}
		n.Decided, n.Held = decisions[0], decisions[0].Decision == Held
	}
	push, err := s.PushOf(to, n)
	if err != nil {
		return err
	}
	ops := push.Ops()
	if n.Made() {
		ops = append(ops, s.st.Inbox.NoticeOps(to, n.Notification)...)
	}
	added, err := s.st.Statuses.Quotes.Add(ctx, st, ops...)
	if err == nil && added && n.Delivered() {
		s.Push(ctx, push)
		s.core.Emit(ctx, to, core.Event{Type: linnet.EventNotification, To: to, Notice: n.ID})
	}
	return err
}

// NotifyQuoted notifies the authors of quotes of the edit of the quoted status. It skips the
// author, groups, and users who block or mute the author or the thread. It can run more than once:
// each quote has one notification, of the last edit.
func (s *Service) NotifyQuoted(ctx context.Context, st *linnet.Status, quotes []linnet.ID) error {
	if len(quotes) == 0 {
		return nil
	}
	b := s.st.Batch()
	refs := make([]*db.StatusRef, len(quotes))
	for i, id := range quotes {
		refs[i] = b.Status(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	var who []linnet.ID
	var by []*linnet.Status
	for _, ref := range refs {
		if q := ref.Status; q != nil && q.Quoting() && q.Author != st.Author {
			who, by = append(who, q.Author), append(by, q)
		}
	}
	decisions, err := s.Decide(ctx, st, linnet.Notification{Type: linnet.NotifyQuoted, From: st.Author, Status: st.ID}, who)
	if err != nil {
		return err
	}
	for i, id := range who {
		if decisions[i].Decision == dropped {
			continue
		}
		n := inbox.QuotedNotice(id, st, by[i].ID, st.LastEdit())
		push, err := s.NewPush(decisions[i].Pushed, id, n.ID)
		if err != nil {
			return err
		}
		made, err := s.st.Inbox.NotifyQuoted(ctx, id, st, by[i].ID, push.Ops()...)
		if err != nil {
			return err
		}
		if made {
			s.Push(ctx, push)
			s.core.Emit(ctx, id, core.Event{Type: linnet.EventNotification, To: id, Notice: n.ID})
		}
	}
	return nil
}
