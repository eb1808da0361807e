package discovery

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/text"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// LinkView is a shared link with its use by day, today first. If the page hasn't been fetched, the
// title of the card is the address. Card.Link is the link in the form for trends.
type LinkView struct {
	Card linnet.Card
	Days []TagDay
}

// LinkViewOf returns a link without data of its page.
func LinkViewOf(link string, days []TagDay) LinkView {
	v := LinkView{linnet.Card{Link: link, Title: link}, days}
	if u, err := url.Parse(link); err == nil {
		v.Card.Title, v.Card.Site = u.Host+u.EscapedPath(), u.Host
	}
	return v
}

// linkView returns a trending link, with its card if the instance shows cards.
func (s *Trends) linkView(t *trending, x trend) LinkView {
	v := LinkViewOf(x.name, x.days)
	if c := t.cards[x.name]; c != nil && s.core.Cards() {
		v.Card = *c
		v.Card.Link = x.name
	}
	return v
}

// Links returns the links that more users than usual have shared recently. The limit is 1 to 20; 0
// means 10.
// https://docs.joinmastodon.org/methods/trends/#links
func (s *Trends) Links(ctx context.Context, q TrendQuery) ([]LinkView, error) {
	t, err := s.shownTrends(ctx)
	if err != nil {
		return nil, err
	}
	var out []LinkView
	for _, link := range trendPart(t.shown[record.TrendLinks], q, 10, 20) {
		out = append(out, s.linkView(t, link))
	}
	return out, nil
}

// Link returns a trending link. It returns NotFound for other links.
func (s *Trends) Link(ctx context.Context, link string) (LinkView, error) {
	t, err := s.shownTrends(ctx)
	if err != nil {
		return LinkView{}, err
	}
	links, name := t.shown[record.TrendLinks], normalLink(link)
	i := slices.IndexFunc(links, func(x trend) bool { return x.name == name })
	if i < 0 {
		return LinkView{}, linnet.Errorf(linnet.NotFound, "Record not found")
	}
	return s.linkView(t, links[i]), nil
}

// LinkTimeline returns public statuses with a trending link by discoverable authors, newest first.
// It returns NotFound for other links. https://docs.joinmastodon.org/methods/timelines/#link
func (s *Trends) LinkTimeline(ctx context.Context, viewer linnet.ID, link string, p linnet.Page) (out linnet.Slice[linnet.StatusView], err error) {
	v, err := s.Link(ctx, link)
	if err != nil {
		return out, err
	}
	next := func(ctx context.Context, sp db.Span) (timeline.PageRead, error) {
		ids, err := s.st.Statuses.Links.Statuses(ctx, v.Card.Link, sp)
		return timeline.PublicPageOf(ids, sp), err
	}
	keep := func(l *view.Loader, _ *timeline.PageRead, st *linnet.StatusView) bool {
		return st.By.Listed() && !l.Unwanted(st) && slices.Contains(s.linksOf(&st.Status), v.Card.Link)
	}
	return s.reading.Page(ctx, viewer, p, reading.Source{Name: func() string { return fmt.Sprintf("link %d %q", viewer, v.Card.Link) }, Read: next, Rule: keep, Skip: reading.Strangers()})
}

// linksOf returns the distinct normalized external links of a status that strangers can find.
func (s *Trends) linksOf(st *linnet.Status) (links []string) {
	if st.Visibility != linnet.Public || st.RepostOf != 0 {
		return nil
	}
	for _, l := range text.Parse(st.Text).Links() {
		l = normalLink(l)
		if u, err := url.Parse(l); err != nil || u.Host == s.core.Hostname || len(l) > record.TrendName || slices.Contains(links, l) {
			continue
		}
		links = append(links, l)
	}
	return links
}

// normalLink returns the form of a link for counting, without its fragment. It returns an invalid
// link unchanged.
func normalLink(l string) string {
	u, err := url.Parse(l)
	if err != nil {
		return l
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// enterLinks adds noted statuses to the timelines of their links. It includes statuses with a
// warning, which don't count for trends. Running it in the background keeps posting cheap, and
// timelines of links without new statuses expire.
func (s *Trends) enterLinks(ctx context.Context, n noted) error {
	on, err := s.On(ctx)
	if err != nil || !on {
		return err
	}
	all := func(sts ...*linnet.Status) (out []statuses.Linked) {
		for _, st := range sts {
			for _, l := range s.linksOf(st) {
				out = append(out, statuses.Linked{Link: l, Status: st})
			}
		}
		return out
	}
	enter, leave := all(slices.Concat(n.posts, n.again)...), all(n.deleted...)
	if len(enter)+len(leave) == 0 {
		return nil
	}
	return s.st.Statuses.Links.Enter(ctx, enter, leave)
}
