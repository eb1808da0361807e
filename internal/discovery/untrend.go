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

// TrendKind is a kind of things that people talk about.
type TrendKind = record.TrendKind

// The kinds: folded tags, addresses, and ids of statuses.
const (
	TrendTags     = record.TrendTags
	TrendLinks    = record.TrendLinks
	TrendStatuses = record.TrendStatuses
)

// TrendItem is something that people talk about, as moderators see it.
type TrendItem struct {
	Name   string
	Days   []TagDay // today first; all zero of what is talked about no more
	Hidden bool     // moderators keep it out
}

// shown are the trends of a kind that moderators do not keep out.
func (t *trending) shown(kind record.TrendKind) []trend {
	all, hidden := t.of[kind], t.hidden[kind]
	if len(hidden) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(x trend) bool { return slices.Contains(hidden, x.name) })
}

// stale lets trends be read anew.
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

// AllTrends are the trends of a kind, also those that moderators keep out, and then
// what else they keep out. Others than moderators must not see it.
// https://docs.joinmastodon.org/methods/admin/trends/
func (s *Service) AllTrends(ctx context.Context, by linnet.Actor, kind TrendKind) ([]TrendItem, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageTaxonomies); err != nil {
		return nil, err
	}
	t, err := s.shownTrends(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.st.Statuses.HiddenTrends(ctx)
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

// HideTrend keeps something out of trends, or lets it in again, for a moderator,
// whose act is logged. Other servers do so within half a minute. Of each kind the
// latest store.MaxHiddenTrends are kept out.
func (s *Service) HideTrend(ctx context.Context, by linnet.Actor, kind TrendKind, name string, hide bool) error {
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
	changed, err := s.st.Statuses.HideTrend(ctx, kind, name, hide, t)
	if err != nil {
		return core.StoreError(err)
	}
	if changed {
		s.trendBoard.stale()
		s.tasks.Run(ctx, t)
	}
	return nil
}

// trendSays names a trend for the log of acts.
func trendSays(kind TrendKind, name string) string {
	switch kind {
	case TrendTags:
		return wording.Keep("hashtag %s", name)
	case TrendLinks:
		return wording.Keep("link %s", name)
	}
	return wording.Keep("post %s", name)
}
