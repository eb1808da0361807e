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

// hides reports whether moderators hide an item. Otherwise, they may hide the publisher of a link, or
// a domain above a publisher. As in Mastodon, a decision about the item itself has priority.
func hides(decided map[TrendKind]record.Untrended, kind TrendKind, name string) bool {
	d := decided[kind]
	return slices.Contains(d.Names, name) || !slices.Contains(d.Shown, name) && hidesAbove(decided, kind, name)
}

// hidesAbove reports whether moderators hide the publisher of a link, or a domain above a publisher.
func hidesAbove(decided map[TrendKind]record.Untrended, kind TrendKind, name string) bool {
	switch kind {
	case TrendLinks:
		return hides(decided, TrendPublishers, publisherOf(name))
	case TrendPublishers:
		_, above, ok := strings.Cut(name, ".")
		return ok && hides(decided, kind, above)
	}
	return false
}

// decide changes the decision about an item. It returns false if the decision stays the same. above
// means that the item is hidden unless it is an exception, see hidesAbove.
func decide(d *record.Untrended, name string, hide, above bool) bool {
	named := func(s string) bool { return s == name }
	rejected, approved := slices.Contains(d.Names, name), slices.Contains(d.Shown, name)
	if hide {
		if !rejected {
			d.Names, d.Shown = append(d.Names, name), slices.DeleteFunc(d.Shown, named)
		}
		return !rejected
	}
	d.Names = slices.DeleteFunc(d.Names, named)
	except := above && !approved
	if except {
		d.Shown = append(d.Shown, name)
	}
	return rejected || except
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

// All returns the trends of a kind, including hidden ones, and then other decided names. Publishers
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
	decided, err := s.st.Statuses.Tags.HiddenTrends(ctx)
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
		out = append(out, TrendItem{x.name, x.days, hides(decided, kind, x.name), rules.Of(x.name)})
	}
	today := s.st.Now().UTC().Truncate(24 * time.Hour)
	for _, name := range slices.Backward(slices.Concat(decided[kind].Shown, decided[kind].Names)) {
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
		out = append(out, TrendItem{name, days, hides(decided, kind, name), rules.Of(name)})
	}
	return out, nil
}

// Hide hides a name from trends or shows it again. by must be a moderator, and the audit log
// records it. Other servers follow within half a minute. The latest statuses.MaxHiddenTrends of each
// kind stay hidden. A link or publisher that is shown again is an exception if its publisher or a
// domain above is hidden.
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
	decided, err := s.st.Statuses.Tags.HiddenTrends(ctx)
	if err != nil {
		return core.StoreError(err)
	}
	changed, err := s.st.Statuses.Tags.DecideTrend(ctx, kind, t, func(d *record.Untrended) bool {
		return decide(d, name, hide, hidesAbove(decided, kind, name))
	})
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
