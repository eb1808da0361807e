package reading

import (
	"context"
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Quotes returns the statuses that quote one (or the original of a boost), newest first. The author
// sees all visible ones, others the public ones. Statuses by users that the viewer blocks or mutes
// are left out.
// https://docs.joinmastodon.org/methods/statuses/#quotes
func (s *Service) Quotes(ctx context.Context, viewer, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	of, err := s.view.Status(ctx, viewer, id)
	if err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	if of.Repost != nil {
		of = *of.Repost
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Statuses.Quotes.Of(ctx, of.ID, viewer == of.Author, sp)
		return timeline.PageOf(ids, sp), err
	}
	keep := func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
		return v.QuoteOf == of.ID && v.Quoting() && !l.Unwanted(v) && (!v.By.Silenced || viewer == of.Author || viewer == v.Author || l.Followed(v.Author))
	}
	return s.Page(ctx, viewer, p, Source{Name: func() string { return fmt.Sprint("quotes ", viewer, " ", of.ID) }, Read: next, Rule: keep, Skip: view.Skip{Unwanted: true}})
}
