package social

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// mentions records for everybody whom a status mentions that it does, and tells
// those who want to be told.
func (s *Service) mentions(ctx context.Context, st *linnet.Status) error {
	if len(st.Mentions) == 0 {
		return nil
	}
	n := linnet.Notification{Type: linnet.NotifyMention, From: st.Author, Status: st.ID}
	who := make([]linnet.ID, len(st.Mentions))
	for i, m := range st.Mentions {
		who[i] = m.ID
	}
	verdicts, err := s.judge(ctx, st, n, who)
	if err != nil {
		return err
	}
	for i, id := range who {
		one := judged{s.st.NewNotice(id, n), verdicts[i]}
		one.Held = one.verdict == held
		if id == st.Author {
			one.verdict = dropped
		}
		if err := s.mention(ctx, st, id, one); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) mention(ctx context.Context, st *linnet.Status, who linnet.ID, n judged) error {
	var notice *linnet.Notification
	if n.made() {
		notice = &n.Notification
	}
	added, err := s.st.Mention(ctx, who, st.ID, notice)
	if err == nil && added && n.told() {
		s.hub.publish(ctx, who, event{Type: linnet.EventNotification, To: who, Notice: n.ID})
	}
	return err
}

// Mentions shows the statuses that mention me, whatever became of their
// notifications (the book's record of who mentions someone).
func (s *Service) Mentions(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	next := func(ctx context.Context, sp store.Span) (look, error) {
		ids, err := s.st.Mentions(ctx, me, sp)
		return lookAt(ids, sp), err
	}
	return s.page(ctx, me, p, next, wanted)
}
