package discovery

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Feeds provides catch-up, custom feeds and the timelines of lists. It is safe for concurrent use.
type Feeds struct {
	st  *store.Store
	opt core.Options

	timeline   *timeline.Service
	reading    *reading.Service
	social     *social.Service
	lists      *social.Lists
	promotions *Promotions
}

// NewFeeds returns the Feeds of a store.
func NewFeeds(b core.Base, t *timeline.Service, r *reading.Service, p *social.Service, l *social.Lists, top *Promotions) *Feeds {
	return &Feeds{st: b.Store, opt: b.Options, timeline: t, reading: r, social: p, lists: l, promotions: top}
}

// ListTimeline returns the timeline of a list of me, of a group or of the server.
// https://docs.joinmastodon.org/methods/timelines/#list
func (s *Feeds) ListTimeline(ctx context.Context, me, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	l, err := s.lists.List(ctx, me, id)
	if err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	switch id {
	case linnet.TopList:
		return s.promotions.topTimeline(ctx, me, p)
	case linnet.CatchUpList:
		return s.catchUpTimeline(ctx, me, p)
	}
	if group, ok := linnet.GroupOfList(id); ok {
		return s.reading.GroupTimeline(ctx, me, group, p)
	}
	rule, err := s.lists.MemberRule(ctx, l)
	if err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	return s.reading.FeedPage(ctx, me, s.timeline.ListFeed(id), p, func(ld *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
		return ld.OnceIn(&seen.Repeats, v, rule)
	})
}
