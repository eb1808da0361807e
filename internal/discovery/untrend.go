package discovery

import (
	"context"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/wording"
)

// TrendKind is a kind of trending item.
type TrendKind = record.TrendKind

// Kinds of trends: folded tags, links, and ids of statuses.
const (
	TrendTags     = record.TrendTags
	TrendLinks    = record.TrendLinks
	TrendStatuses = record.TrendStatuses
)

// TrendItem is a trending item as moderators see it.
type TrendItem struct {
	Name   string
	Days   []TagDay // today first; all zero if the item is no longer trending
	Hidden bool     // hidden by moderators
}

// shown returns the trends of a kind that moderators don't hide.
func (t *trending) shown(kind record.TrendKind) []trend {
	all, hidden := t.of[kind], t.hidden[kind]
	if len(hidden) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(x trend) bool { return slices.Contains(hidden, x.name) })
}

// stale expires the cached trends.
func (b *trendBoard) stale() {
	for {
		last := b.last.Load()
		if last == nil {
			return
		}
		old := *last
		old.at = old.at.Add(-2 * trendAge)
		if b.last.CompareAndSwap(last, &old) {
			return
		}
	}
}

// All returns the trends of a kind, including hidden ones, and then other hidden names. by
// must be a moderator.
// https://docs.joinmastodon.org/methods/admin/trends/
func (s *Trends) All(ctx context.Context, by linnet.Actor, kind TrendKind) ([]TrendItem, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageTaxonomies); err != nil {
		return nil, err
	}
	t, err := s.shownTrends(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.st.Statuses.Tags.HiddenTrends(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	hidden := all[kind]
	out := make([]TrendItem, 0, len(t.of[kind])+len(hidden))
	for _, x := range t.of[kind] {
		out = append(out, TrendItem{x.name, x.days, slices.Contains(hidden, x.name)})
	}
	today := s.st.Now().UTC().Truncate(24 * time.Hour)
	for _, name := range slices.Backward(hidden) {
		if slices.ContainsFunc(out, func(i TrendItem) bool { return i.Name == name }) {
			continue
		}
		days := make([]TagDay, trendDays)
		for i := range days {
			days[i].Day = today.AddDate(0, 0, -i)
		}
		out = append(out, TrendItem{name, days, true})
	}
	return out, nil
}

// Hide hides a name from trends or shows it again. by must be a moderator, and the audit log
// records it. Other servers follow within half a minute. The latest store.MaxHiddenTrends of each
// kind stay hidden.
func (s *Trends) Hide(ctx context.Context, by linnet.Actor, kind TrendKind, name string, hide bool) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageTaxonomies); err != nil {
		return err
	}
	what := linnet.ShowTrend
	if hide {
		what = linnet.HideTrend
	}
	act := s.core.NewAct(by, what, 0)
	act.Detail = trendSays(kind, name)
	if id, ok := linnet.ParseID(name); ok && kind == TrendStatuses {
		v, err := s.view.Status(ctx, by.ID(), id)
		if err != nil {
			return err
		}
		act.On = v.Author
	}
	t, err := s.tasks.New(0, core.TaskLogged, act)
	if err != nil {
		return err
	}
	changed, err := s.st.Statuses.Tags.HideTrend(ctx, kind, name, hide, t)
	if err != nil {
		return core.StoreError(err)
	}
	if changed {
		s.board.stale()
		s.tasks.Run(ctx, t)
	}
	return nil
}

// trendSays returns the name of a trend for the audit log.
func trendSays(kind TrendKind, name string) string {
	switch kind {
	case TrendTags:
		return wording.Store("hashtag %s", name)
	case TrendLinks:
		return wording.Store("link %s", name)
	}
	return wording.Store("post %s", name)
}
