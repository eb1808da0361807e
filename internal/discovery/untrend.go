package discovery

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/wording"
)

// TrendKind is a kind of trending item.
type TrendKind = record.TrendKind

// Kinds of trends: folded tags, links, ids of statuses, and hosts of links.
const (
	TrendTags       = record.TrendTags
	TrendLinks      = record.TrendLinks
	TrendStatuses   = record.TrendStatuses
	TrendPublishers = record.TrendPublishers
)

// TrendItem is a trending item as moderators see it.
type TrendItem struct {
	Name   string
	Days   []TagDay // today first; all zero if the item is no longer trending; nil for publishers
	Hidden bool     // hidden by moderators, itself or with its publisher

	Rule linnet.TagRule // of a tag
}

// hides reports whether moderators hide an item, the publisher of a link, or a domain above a
// publisher.
func hides(hidden map[TrendKind][]string, kind TrendKind, name string) bool {
	switch {
	case slices.Contains(hidden[kind], name):
		return true
	case kind == TrendLinks:
		return hides(hidden, TrendPublishers, publisherOf(name))
	case kind == TrendPublishers:
		return slices.ContainsFunc(hidden[kind], func(host string) bool { return strings.HasSuffix(name, "."+host) })
	}
	return false
}

// publisherOf returns the host of a link, without its port.
func publisherOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// publishers returns the distinct hosts of links in their order, without their use.
func publishers(links []trend) (all []trend) {
	for _, l := range links {
		host := publisherOf(l.name)
		if host != "" && !slices.ContainsFunc(all, func(p trend) bool { return p.name == host }) {
			all = append(all, trend{name: host})
		}
	}
	return all
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

// All returns the trends of a kind, including hidden ones, and then other hidden names. Publishers
// are the hosts of trending links. by must be a moderator.
// https://docs.joinmastodon.org/methods/admin/trends/
func (s *Trends) All(ctx context.Context, by linnet.Actor, kind TrendKind) ([]TrendItem, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageTaxonomies); err != nil {
		return nil, err
	}
	t, err := s.shownTrends(ctx)
	if err != nil {
		return nil, err
	}
	hidden, err := s.st.Statuses.Tags.HiddenTrends(ctx)
	if err != nil {
		return nil, core.StoreError(err)
	}
	all := t.of[kind]
	if kind == TrendPublishers {
		all = publishers(t.of[TrendLinks])
	}
	rules, err := s.core.TagRules.Now(ctx)
	if err != nil {
		return nil, err
	}
	var out []TrendItem
	for _, x := range all {
		out = append(out, TrendItem{x.name, x.days, hides(hidden, kind, x.name), rules.Of(x.name)})
	}
	today := s.st.Now().UTC().Truncate(24 * time.Hour)
	for _, name := range slices.Backward(hidden[kind]) {
		if slices.ContainsFunc(out, func(i TrendItem) bool { return i.Name == name }) {
			continue
		}
		var days []TagDay
		if kind != TrendPublishers {
			days = make([]TagDay, trendDays)
		}
		for i := range days {
			days[i].Day = today.AddDate(0, 0, -i)
		}
		out = append(out, TrendItem{name, days, true, rules.Of(name)})
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
	case TrendPublishers:
		return wording.Store("site %s", name)
	}
	return wording.Store("post %s", name)
}
