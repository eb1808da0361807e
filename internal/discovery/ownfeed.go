package discovery

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/text"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

var errNoFeed = linnet.Errorf(linnet.NotFound, "Record not found")

// OwnFeeds returns the custom feeds of me, oldest first.
func (s *Feeds) OwnFeeds(ctx context.Context, me linnet.ID) ([]linnet.OwnFeed, error) {
	feeds, _, err := s.st.Feeds.OwnFeeds(ctx, me)
	return feeds, core.StoreError(err)
}

// OwnFeed returns a custom feed of me.
func (s *Feeds) OwnFeed(ctx context.Context, me, id linnet.ID) (linnet.OwnFeed, error) {
	f, _, err := s.ownFeed(ctx, me, id)
	return f, err
}

func (s *Feeds) ownFeed(ctx context.Context, me, id linnet.ID) (linnet.OwnFeed, uint64, error) {
	feeds, version, err := s.st.Feeds.OwnFeeds(ctx, me)
	if err != nil {
		return linnet.OwnFeed{}, 0, core.StoreError(err)
	}
	i := feedAt(feeds, id)
	if i < 0 {
		return linnet.OwnFeed{}, 0, errNoFeed
	}
	return feeds[i], version, nil
}

func feedAt(feeds []linnet.OwnFeed, id linnet.ID) int {
	return slices.IndexFunc(feeds, func(f linnet.OwnFeed) bool { return f.ID == id })
}

// CreateOwnFeed creates a custom feed. The title is required. The other defaults are the same as
// for the catch-up: the home timeline, the usual weights and a window of linnet.FeedWindow.
func (s *Feeds) CreateOwnFeed(ctx context.Context, me linnet.ID, c linnet.OwnFeedChange) (linnet.OwnFeed, error) {
	f := linnet.OwnFeed{ID: s.st.NewID(me.Shard(), 0), Order: linnet.ByImportance, Weights: linnet.UsualWeights(), Window: linnet.FeedWindow,
		Sources: []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}}
	if c.Title == nil {
		c.Title = new(string)
	}
	if err := s.changeFeed(ctx, me, &f, c); err != nil {
		return f, err
	}
	return f, s.changeFeeds(ctx, me, func(all *[]linnet.OwnFeed) (linnet.ID, error) {
		if feedAt(*all, f.ID) >= 0 {
			return 0, nil // by an earlier attempt with a lost response
		}
		if len(*all) >= linnet.MaxOwnFeeds {
			return 0, linnet.Errorf(linnet.Invalid, "You can have at most %d feeds. Delete one first.", linnet.MaxOwnFeeds)
		}
		*all = append(*all, f)
		return f.ID, nil
	})
}

// UpdateOwnFeed changes a custom feed and deletes its ranking.
func (s *Feeds) UpdateOwnFeed(ctx context.Context, me, id linnet.ID, c linnet.OwnFeedChange) (f linnet.OwnFeed, err error) {
	return f, s.changeFeeds(ctx, me, func(all *[]linnet.OwnFeed) (linnet.ID, error) {
		i := feedAt(*all, id)
		if i < 0 {
			return 0, errNoFeed
		}
		f = (*all)[i]
		if err := s.changeFeed(ctx, me, &f, c); err != nil {
			return 0, err
		}
		(*all)[i] = f
		return id, nil
	})
}

// DeleteOwnFeed deletes a custom feed.
func (s *Feeds) DeleteOwnFeed(ctx context.Context, me, id linnet.ID) error {
	deleted := false
	return s.changeFeeds(ctx, me, func(all *[]linnet.OwnFeed) (linnet.ID, error) {
		i := feedAt(*all, id)
		switch {
		case i >= 0:
			*all, deleted = slices.Delete(*all, i, i+1), true
			return id, nil
		case deleted: // by an earlier attempt with a lost response
			return 0, nil
		}
		return 0, errNoFeed
	})
}

func (s *Feeds) changeFeeds(ctx context.Context, me linnet.ID, f func(*[]linnet.OwnFeed) (linnet.ID, error)) error {
	err := s.st.Feeds.ChangeOwnFeeds(ctx, me, f)
	if errors.Is(err, db.ErrDeleted) {
		err = core.ErrNoUser
	}
	return core.StoreError(err)
}

// OwnFeedTimeline returns a page of a feed, with the reasons for the rank of each status. The
// ranking of the first page is at most linnet.FeedFresh old.
func (s *Feeds) OwnFeedTimeline(ctx context.Context, me, id linnet.ID, p linnet.RankPage) (linnet.Ranking, error) {
	f, version, err := s.ownFeed(ctx, me, id)
	if err != nil {
		return linnet.Ranking{}, err
	}
	r := &recipe{key: record.RankingKey(id), owner: me, weights: f.Weights, guards: []kv.Cond{db.FeedsUnchanged(me, version)},
		since: func(context.Context) (linnet.ID, error) { return linnet.MakeID(s.st.Now().Add(-f.Window), 0, 0), nil },
		stale: func(o *record.RankOrder) bool { return p.After == "" && s.st.Now().Sub(o.At) > linnet.FeedFresh }}
	if f.Order == linnet.NewestFirst { // all have the same score, so the newest is first
		r.weights = linnet.Weights{}
	}
	for _, src := range f.Sources {
		if f.Order == linnet.NewestFirst {
			src.Weight = 1
		}
		r.sources = append(r.sources, filtered(s.feedSource(me, src, f.Filter), f.Filter))
	}
	x, err := s.ranking(ctx, me, r)
	if err != nil {
		return linnet.Ranking{}, err
	}
	return x.page(ctx, p)
}

// filtered returns a source without the entries that a feed excludes. It reads as many entries as
// without the filter, so the feed can be shorter but no page costs more.
func filtered(src rankSource, f linnet.FeedFilter) rankSource {
	if f == (linnet.FeedFilter{}) {
		return src
	}
	rule := src.rule
	src.rule = func(ctx context.Context) (keepRule, error) {
		keep, err := rule(ctx)
		if err != nil || keep == nil {
			return nil, err
		}
		return func(l *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
			return keep(l, seen, v) && !f.Leaves(v, l.Viewer)
		}, nil
	}
	return src
}

// feedSource returns a source of a feed for a ranking. Only exclusions by the flags of profile
// entries save reads.
func (s *Feeds) feedSource(me linnet.ID, src linnet.FeedSource, f linnet.FeedFilter) rankSource {
	out := rankSource{weight: src.Weight, rule: func(context.Context) (keepRule, error) { return strangersRule, nil }}
	switch src.Kind {
	case linnet.FromHome:
		return s.homeSource(me, src.Weight)
	case linnet.FromList:
		out.next = timeline.NewFeedReader(s.timeline.ListFeed(src.ID)).Read
		out.rule = func(ctx context.Context) (keepRule, error) {
			l, err := s.lists.OwnList(ctx, me, src.ID)
			if linnet.KindOf(err) == linnet.NotFound {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			rule, err := s.lists.MemberRule(ctx, l)
			return func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool { return rule(l, v) }, err
		}
	case linnet.FromTag:
		out.next = func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
			ids, err := s.st.Statuses.Tagged(ctx, []string{src.Tag}, sp)
			return timeline.PublicPageOf(ids, sp), err
		}
	case linnet.FromAccount:
		out.next = func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
			return s.reading.ReadProfile(ctx, src.ID, sp, func(p record.Post) bool {
				return p.Visibility != linnet.Direct && !(f.OnlyMedia && !p.Media && !p.Repost)
			})
		}
		out.rule = func(context.Context) (keepRule, error) {
			return func(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
				return v.Author == src.ID && !l.Unwanted(v)
			}, nil
		}
	default:
		out.next = func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
			ids, err := s.st.Statuses.Global(ctx, sp)
			return timeline.PublicPageOf(ids, sp), err
		}
	}
	return out
}

// strangersRule is the rule of public timelines.
func strangersRule(l *view.Loader, _ *timeline.PageRead, v *linnet.StatusView) bool {
	return !v.By.Silenced && !l.Unwanted(v)
}

// changeFeed applies a change to a feed, or returns an error if it is invalid.
func (s *Feeds) changeFeed(ctx context.Context, me linnet.ID, f *linnet.OwnFeed, c linnet.OwnFeedChange) error {
	var all linnet.Faults
	if c.Title != nil {
		t, err := reading.TitleText(*c.Title, linnet.MaxFeedTitle)
		all.Add(err)
		f.Title = t
	}
	core.Set(&f.Order, c.Order)
	core.Set(&f.Filter.ExcludeReplies, c.ExcludeReplies)
	core.Set(&f.Filter.ExcludeReposts, c.ExcludeReposts)
	core.Set(&f.Filter.OnlyMedia, c.OnlyMedia)
	core.Set(&f.Weights.Favourites, c.Favourites)
	core.Set(&f.Weights.Reposts, c.Reposts)
	core.Set(&f.Weights.Replies, c.Replies)
	core.Set(&f.Weights.HalfLife, c.HalfLife)
	core.Set(&f.Window, c.Window)
	if f.Order != linnet.ByImportance && f.Order != linnet.NewestFirst {
		all.Add(linnet.FieldError("order", "ERR_INCLUSION", "is %.40q, but must be importance or newest", string(f.Order)))
	}
	for _, w := range []struct {
		name string
		is   float64
	}{{"favourites", f.Weights.Favourites}, {"reblogs", f.Weights.Reposts}, {"replies", f.Weights.Replies}} {
		if !(w.is >= 0 && w.is <= linnet.MaxVoteWeight) {
			all.Add(linnet.FieldError("weights."+w.name, "ERR_INVALID", "is %v, but must be from 0 to %v", w.is, linnet.MaxVoteWeight))
		}
	}
	if h := f.Weights.HalfLife; h != 0 && (h < linnet.MinHalfLife || h > linnet.MaxHalfLife) {
		all.Add(linnet.FieldError("weights.half_life", "ERR_INVALID", "is %.0f seconds, but must be 0 (age doesn't matter) or from %.0f to %.0f seconds",
			h.Seconds(), linnet.MinHalfLife.Seconds(), linnet.MaxHalfLife.Seconds()))
	}
	if f.Window < linnet.MinFeedWindow || f.Window > linnet.MaxFeedWindow {
		all.Add(linnet.FieldError("window", "ERR_INVALID", "is %.0f seconds, but must be from %.0f to %.0f seconds",
			f.Window.Seconds(), linnet.MinFeedWindow.Seconds(), linnet.MaxFeedWindow.Seconds()))
	}
	if err := all.Err(); err != nil || c.Sources == nil {
		return err
	}
	f.Sources = slices.Clone(*c.Sources)
	const field = "sources"
	if len(f.Sources) == 0 || len(f.Sources) > linnet.MaxFeedSources {
		return linnet.FieldError(field, "ERR_INVALID", "must have from 1 to %[2]d entries, but have %[1]d", len(f.Sources), linnet.MaxFeedSources)
	}
	for i := range f.Sources {
		src := &f.Sources[i]
		if err := s.checkSource(ctx, me, src); err != nil {
			return err
		}
		if !(src.Weight >= linnet.MinSourceWeight && src.Weight <= linnet.MaxSourceWeight) {
			return linnet.FieldError(field, "ERR_INVALID", "contain the weight %v, but weights must be between %v and %v", src.Weight, linnet.MinSourceWeight, linnet.MaxSourceWeight)
		}
		if slices.ContainsFunc(f.Sources[:i], func(o linnet.FeedSource) bool { return o.Kind == src.Kind && o.ID == src.ID && o.Tag == src.Tag }) {
			return linnet.FieldError(field, "ERR_TAKEN", "include the same source twice: list each one once, with its weight")
		}
	}
	return nil
}

func (s *Feeds) checkSource(ctx context.Context, me linnet.ID, src *linnet.FeedSource) error {
	const field = "sources"
	switch src.Kind {
	case linnet.FromHome, linnet.FromLocal:
		src.ID, src.Tag = 0, ""
	case linnet.FromList:
		src.Tag = ""
		if _, err := s.lists.OwnList(ctx, me, src.ID); err != nil {
			return refusal(err, linnet.FieldError(field, "ERR_INVALID", "include the list %v, which isn't one of your lists", src.ID))
		}
	case linnet.FromTag:
		src.ID = 0
		if !text.ValidTag(src.Tag) {
			return linnet.FieldError(field, "ERR_INVALID", "include the hashtag %q: use only letters, digits and underscores", src.Tag)
		}
		src.Tag = text.FoldTag(src.Tag)
	case linnet.FromAccount:
		src.Tag = ""
		if err := s.social.MustExist(ctx, me, src.ID); err != nil {
			return refusal(err, linnet.FieldError(field, "ERR_INVALID", "include the account %v, which doesn't exist", src.ID))
		}
	default:
		return linnet.FieldError(field, "ERR_INCLUSION", "include the type %q: use home, local, list, tag or account", string(src.Kind))
	}
	return nil
}

// refusal replaces a NotFound error by another error.
func refusal(err error, instead error) error {
	if linnet.KindOf(err) == linnet.NotFound {
		return instead
	}
	return core.StoreError(err)
}
