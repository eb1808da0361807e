package discovery

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/timeline"
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
	show := s.promotions.topTimeline
	switch id {
	case linnet.TopList:
	case linnet.CatchUpList:
		show = s.catchUpTimeline
	default:
		return s.lists.Timeline(ctx, me, id, p)
	}
	if _, err := s.lists.List(ctx, me, id); err != nil {
		return linnet.Slice[linnet.StatusView]{}, err
	}
	return show(ctx, me, p)
}
