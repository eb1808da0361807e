package reading

import (
	"context"
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Mentions returns the statuses that mention me, even if their notifications were dismissed (the
// book's record of mentions).
func (s *Service) Mentions(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.Page(ctx, me, p, s.mentions(me))
}

// MentionPosts returns the same statuses without direct messages, which web pages show in
// conversations only.
func (s *Service) MentionPosts(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	src := s.mentions(me)
	src.Name = func() string { return fmt.Sprint("mentions without messages ", me) }
	src.Skip.Direct = true
	src.Rule = func(l *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
		return v.Visibility != linnet.Direct && defaultRule(l, seen, v)
	}
	return s.Page(ctx, me, p, src)
}

func (s *Service) mentions(me linnet.ID) Source {
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Inbox.Mentions(ctx, me, sp)
		return timeline.PageOf(ids, sp), err
	}
	return Source{Name: func() string { return fmt.Sprint("mentions ", me) }, Read: next, Rule: defaultRule, Skip: view.Skip{Unwanted: true}}
}
