package discovery

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// The catch-up has the new entries of the home timeline since the reader's marker, the highest
// score first. docs/ranking.md has the details.

// catchUpRecipe returns the recipe of a user's catch-up.
func (s *Feeds) catchUpRecipe(me linnet.ID) *recipe {
	return &recipe{key: record.CatchUpKey(me), weights: linnet.UsualWeights(), sources: []rankSource{s.homeSource(me, 1)},
		guards: []kv.Cond{db.UserPresent(me)},
		since:  func(ctx context.Context) (linnet.ID, error) { return s.readUpTo(ctx, me) }}
}

// homeSource returns the home timeline without the reader's own statuses as a source.
func (s *Feeds) homeSource(me linnet.ID, weight float64) rankSource {
	return rankSource{weight: weight, next: timeline.NewFeedReader(s.timeline.Home(me)).Read,
		rule: func(context.Context) (keepRule, error) { return catchUpRule, nil }}
}

// catchUpRule is like reading.HomeRule, but excludes the reader's own statuses and direct messages.
func catchUpRule(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
	return v.Author != l.Viewer && v.Visibility != linnet.Direct && (v.Repost == nil || v.Repost.Author != l.Viewer) && reading.HomeRule(l, v)
}

// readUpTo returns the position up to which me has read the home timeline. Without a marker it is
// the position a day ago.
func (s *Feeds) readUpTo(ctx context.Context, me linnet.ID) (linnet.ID, error) {
	read, err := s.st.Inbox.Markers(ctx, me)
	if err != nil {
		return 0, err
	}
	if m := read[linnet.MarkerHome]; m.LastRead != 0 {
		return m.LastRead, nil
	}
	return linnet.MakeID(s.st.Now().Add(-linnet.CatchUpAge), 0, 0), nil
}

// CatchUp returns a page of the catch-up of me, with the reasons for the rank of each status.
func (s *Feeds) CatchUp(ctx context.Context, me linnet.ID, p linnet.RankPage) (linnet.Ranking, error) {
	x, err := s.ranking(ctx, me, s.catchUpRecipe(me))
	if err != nil {
		return linnet.Ranking{}, err
	}
	return x.page(ctx, p)
}

// RenewCatchUp deletes the ranking of me's catch-up, so that the next page computes it again.
func (s *Feeds) RenewCatchUp(ctx context.Context, me linnet.ID) error {
	return core.StoreError(s.st.Feeds.ForgetOrder(ctx, record.CatchUpKey(me)))
}

// CaughtUp sets the home marker of me to an entry, usually the linnet.Ranking.Newest that was
// shown, and restarts the catch-up after it. It never moves the marker back.
func (s *Feeds) CaughtUp(ctx context.Context, me, upTo linnet.ID) error {
	read, err := s.readUpTo(ctx, me)
	if err != nil {
		return core.StoreError(err)
	}
	if upTo > read {
		if _, err := s.reading.SaveMarkers(ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerHome: upTo}); err != nil {
			return err
		}
	}
	return s.RenewCatchUp(ctx, me)
}

// catchUpTimeline returns the catch-up as a list timeline, whose pages go by rank: entries below
// max_id have a lower score. An id that isn't in the ranking is after the end as max_id, and is
// ignored otherwise.
func (s *Feeds) catchUpTimeline(ctx context.Context, me linnet.ID, p linnet.Page) (out linnet.Slice[linnet.StatusView], err error) {
	sp, err := timeline.Span(p, linnet.MaxPage)
	if err != nil {
		return out, err
	}
	x, err := s.ranking(ctx, me, s.catchUpRecipe(me))
	if err != nil {
		return out, err
	}
	from, to := 0, len(x.o.Entries)
	if sp.Below != 0 {
		if from = x.rank(sp.Below) + 1; from == 0 {
			from = to
		}
	}
	if i := x.rank(sp.Above); i >= 0 {
		to = i
	}
	if sp.Asc {
		items, err := x.up(ctx, to, sp.Limit)
		return rankSlice(items), err
	}
	items, at, err := x.down(ctx, from, max(from, to), sp.Limit)
	if out = rankSlice(items); at >= to {
		out.End()
	}
	return out, err
}

func rankSlice(items []linnet.Ranked) (out linnet.Slice[linnet.StatusView]) {
	out.Items = make([]linnet.StatusView, len(items))
	for i := range items {
		out.Items[i] = items[i].StatusView
	}
	if n := len(items); n > 0 {
		out.First, out.Last = linnet.CursorOf(items[0].ID), linnet.CursorOf(items[n-1].ID)
	}
	return out
}
