package reading

import (
	"context"
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// GroupTimeline shows what was posted in a group, the newest first, as its
// account's reposts; of a chat what was said since the viewer came, as far back as
// their conversation is kept. NotFound for a closed group that the viewer is not in.
func (s *Service) GroupTimeline(ctx context.Context, viewer, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	g, err := s.view.Standing(ctx, viewer, group)
	if err == nil && !g.Inside() {
		err = view.ErrNoGroup
	}
	if err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		if g.Group.Group == linnet.Chat {
			ids, err := s.st.Inbox.Messages(ctx, viewer, inbox.ChatConversationID(viewer, group), sp)
			return timeline.PageOf(ids, sp), err
		}
		l, err := s.ReadProfile(ctx, group, sp, func(p record.Post) bool { return p.Repost })
		l.At = linnet.FilterHome
		return l, err
	}
	return s.Page(ctx, viewer, p, Source{Name: func() string { return fmt.Sprint("group ", viewer, " ", group) }, Read: next, Keep: view.Wanted, Skip: view.Skip{Unwanted: true}})
}
