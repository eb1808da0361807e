package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

func (h *rankingPages) ownFeedRoutes() []route {
	return []route{
		{pattern: "/feeds", get: own(h.ownFeeds)},
		{pattern: "/feeds/new", get: own(h.newOwnFeed), post: own(h.createOwnFeed)},
		{pattern: "/feeds/{id}", get: own(h.ownFeed)},
		{pattern: "/feeds/{id}/edit", get: own(h.editOwnFeed), post: own(h.changeOwnFeed)},
		{pattern: "/feeds/{id}/delete", post: own(h.deleteOwnFeed)},
	}
}

func (h *rankingPages) ownFeeds(c *call) error {
	all, err := h.discovery.OwnFeeds(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read feeds: %w", err)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Feeds"), Here: "/lists", Body: ownFeedsView(all)})
}

// ownFeedHere is the reader's feed that the path names.
func (h *rankingPages) ownFeedHere(c *call) (linnet.OwnFeed, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.OwnFeed{}, errNowhere()
	}
	f, err := h.discovery.OwnFeed(c.r.Context(), c.me.ID, id)
	if err != nil {
		return f, fmt.Errorf("look up a feed: %w", err)
	}
	return f, nil
}

type ownFeedPage struct {
	rankedPart
	Feed linnet.OwnFeed
}

func (h *rankingPages) ownFeed(c *call) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	r, err := h.discovery.OwnFeedTimeline(c.r.Context(), c.me.ID, f.ID, askedRank(c))
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.seeOther("/feeds/" + f.ID.String())
	}
	if err != nil {
		return fmt.Errorf("read a feed: %w", err)
	}
	m := ownFeedPage{rankedPage(c, r, ui.Empty{Icon: "rank", Title: c.tr("No posts yet"), Text: c.tr("Posts from this feed's sources appear here.")}), f}
	if f.Order == linnet.NewestFirst {
		m.unscored()
	}
	return c.render(http.StatusOK, page{Title: f.Title, Here: "/lists", Body: ownFeedView(c, m)})
}

func (h *rankingPages) newOwnFeed(c *call) error {
	f := freshFeed()
	f.Sources = []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}
	return h.showOwnFeedForm(c, f, nil)
}

// freshFeed returns a new feed.
func freshFeed() linnet.OwnFeed {
	return linnet.OwnFeed{Order: linnet.ByImportance, Weights: linnet.UsualWeights(), Window: linnet.FeedWindow}
}

func (h *rankingPages) editOwnFeed(c *call) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	return h.showOwnFeedForm(c, f, nil)
}

// spans returns the selectable periods, including the current one. none is the text for 0.
func spans(c *call, now time.Duration, none string) (out []choice) {
	all := []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
	if none != "" {
		out = append(out, choice{"0", none, now == 0})
	}
	found := now == 0 && none != ""
	for _, d := range all {
		out, found = append(out, choice{strconv.Itoa(int(d / time.Second)), spanWords(c, d), d == now}), found || d == now
	}
	if !found { // set by an app
		out = append(out, choice{strconv.Itoa(int(now / time.Second)), spanWords(c, now), true})
	}
	return out
}

func spanWords(c *call, d time.Duration) string {
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

func (h *rankingPages) createOwnFeed(c *call) error {
	return h.sentOwnFeed(c, freshFeed(), func(ch linnet.OwnFeedChange) (linnet.OwnFeed, error) {
		return h.discovery.CreateOwnFeed(c.r.Context(), c.me.ID, ch)
	})
}

func (h *rankingPages) changeOwnFeed(c *call) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	return h.sentOwnFeed(c, f, func(ch linnet.OwnFeedChange) (linnet.OwnFeed, error) {
		return h.discovery.UpdateOwnFeed(c.r.Context(), c.me.ID, f.ID, ch)
	})
}

func (h *rankingPages) deleteOwnFeed(c *call) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	if err := h.discovery.DeleteOwnFeed(c.r.Context(), c.me.ID, f.ID); err != nil {
		return fmt.Errorf("delete a feed: %w", err)
	}
	return c.seeOther("/feeds")
}
