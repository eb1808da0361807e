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

// GroupTimeline returns the posts in a group, newest first, as boosts by its account. For a chat
// these are the messages since the viewer joined, as far as the conversation is stored. It returns
// NotFound for a closed group that the viewer is not a member of.
func (s *Service) GroupTimeline(ctx context.Context, viewer, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	g, err := s.view.GroupRelation(ctx, viewer, group)
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
	return s.Page(ctx, viewer, p, Source{Name: func() string { return fmt.Sprint("group ", viewer, " ", group) }, Read: next, Rule: defaultRule, Skip: view.Skip{Unwanted: true}})
}
