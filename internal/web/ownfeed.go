package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
)

func ownFeedRoutes() []route {
	return []route{
		{pattern: "/feeds", get: own((*call).ownFeeds)},
		{pattern: "/feeds/new", get: own((*call).newOwnFeed), post: own((*call).createOwnFeed)},
		{pattern: "/feeds/{id}", get: own((*call).ownFeed)},
		{pattern: "/feeds/{id}/edit", get: own((*call).editOwnFeed), post: own((*call).changeOwnFeed)},
		{pattern: "/feeds/{id}/delete", post: own((*call).deleteOwnFeed)},
	}
}

func (c *call) ownFeeds() error {
	all, err := c.svc.Discovery.OwnFeeds(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read feeds: %w", err)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Feeds"), Here: "/lists", Body: ownFeedsView(all)})
}

// ownFeedHere is the reader's feed that the path names.
func (c *call) ownFeedHere() (linnet.OwnFeed, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.OwnFeed{}, errNowhere()
	}
	f, err := c.svc.Discovery.OwnFeed(c.r.Context(), c.me.ID, id)
	if err != nil {
		return f, fmt.Errorf("look up a feed: %w", err)
	}
	return f, nil
}

type ownFeedPage struct {
	rankedPart
	Feed linnet.OwnFeed
}

func (c *call) ownFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	r, err := c.svc.Discovery.OwnFeedTimeline(c.r.Context(), c.me.ID, f.ID, c.askedRank())
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.seeOther("/feeds/" + f.ID.String())
	}
	if err != nil {
		return fmt.Errorf("read a feed: %w", err)
	}
	m := ownFeedPage{c.ranked(r, empty{"rank", c.tr("No posts yet"), c.tr("Posts from this feed's sources appear here.")}), f}
	if f.Order == linnet.NewestFirst {
		m.unscored()
	}
	return c.render(http.StatusOK, page{Title: f.Title, Here: "/lists", Body: ownFeedView(c, m)})
}

func (c *call) newOwnFeed() error {
	f := freshFeed()
	f.Sources = []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}
	return c.showOwnFeedForm(f, nil)
}

// freshFeed returns a new feed.
func freshFeed() linnet.OwnFeed {
	return linnet.OwnFeed{Order: linnet.ByImportance, Weights: linnet.UsualWeights(), Window: linnet.FeedWindow}
}

func (c *call) editOwnFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	return c.showOwnFeedForm(f, nil)
}

// spans returns the selectable periods, including the current one. none is the text for 0.
func (c *call) spans(now time.Duration, none string) (out []choice) {
	all := []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
	if none != "" {
		out = append(out, choice{"0", none, now == 0})
	}
	found := now == 0 && none != ""
	for _, d := range all {
		out, found = append(out, choice{strconv.Itoa(int(d / time.Second)), c.spanWords(d), d == now}), found || d == now
	}
	if !found { // set by an app
		out = append(out, choice{strconv.Itoa(int(now / time.Second)), c.spanWords(now), true})
	}
	return out
}

func (c *call) spanWords(d time.Duration) string {
	switch {
	case d == 24*time.Hour:
		return c.tr("a day")
	case d%(24*time.Hour) == 0:
		return c.trn(int64(d/(24*time.Hour)), "%s day", "%s days")
	case d == time.Hour:
		return c.tr("an hour")
	case d%time.Hour == 0:
		return c.trn(int64(d/time.Hour), "%s hour", "%s hours")
	}
	return d.String()
}

func (c *call) createOwnFeed() error {
	return c.sentOwnFeed(freshFeed(), func(ch linnet.OwnFeedChange) (linnet.OwnFeed, error) {
		return c.svc.Discovery.CreateOwnFeed(c.r.Context(), c.me.ID, ch)
	})
}

func (c *call) changeOwnFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	return c.sentOwnFeed(f, func(ch linnet.OwnFeedChange) (linnet.OwnFeed, error) {
		return c.svc.Discovery.UpdateOwnFeed(c.r.Context(), c.me.ID, f.ID, ch)
	})
}

func (c *call) deleteOwnFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	if err := c.svc.Discovery.DeleteOwnFeed(c.r.Context(), c.me.ID, f.ID); err != nil {
		return fmt.Errorf("delete a feed: %w", err)
	}
	return c.seeOther("/feeds")
}
