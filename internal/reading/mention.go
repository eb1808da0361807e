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
// book's record of mentions). Direct messages are shown in conversations only.
func (s *Service) Mentions(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Inbox.Mentions(ctx, me, sp)
		return timeline.PageOf(ids, sp), err
	}
	keep := func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return v.Visibility != linnet.Direct && !l.Unwanted(v)
	}
	return s.Page(ctx, me, p, Source{Name: func() string { return fmt.Sprint("mentions ", me) }, Read: next, Keep: keep, Skip: view.Skip{Unwanted: true, Direct: true}})
}
