package ranking

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

func (h *Pages) ownFeeds(c *page.Context) error {
	all, err := h.Feeds.OwnFeeds(c.Request.Context(), c.Me.ID)
	if err != nil {
		return fmt.Errorf("read feeds: %w", err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Feeds"), Here: "/lists", Body: ownFeedsView(all)})
}

// ownFeedHere returns the reader's feed in the path.
func (h *Pages) ownFeedHere(c *page.Context) (linnet.OwnFeed, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.OwnFeed{}, page.NotFound()
	}
	f, err := h.Feeds.OwnFeed(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return f, fmt.Errorf("look up a feed: %w", err)
	}
	return f, nil
}

type ownFeedPage struct {
	rankedPart
	Feed linnet.OwnFeed
}

func (h *Pages) ownFeed(c *page.Context) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	r, err := h.Feeds.OwnFeedTimeline(c.Request.Context(), c.Me.ID, f.ID, askedRank(c))
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.Redirect("/feeds/" + f.ID.String())
	}
	if err != nil {
		return fmt.Errorf("read a feed: %w", err)
	}
	m := ownFeedPage{rankedPage(c, r, ui.Empty{Icon: "rank", Title: c.Tr("No posts yet"), Text: c.Tr("Posts from this feed's sources appear here.")}), f}
	if f.Order == linnet.NewestFirst {
		for i := range m.Rows {
			m.Rows[i].Score = ""
		}
	}
	return c.Render(http.StatusOK, page.Page{Title: f.Title, Here: "/lists", Body: ownFeedView(c, m)})
}

func (h *Pages) newOwnFeed(c *page.Context) error {
	f := freshFeed()
	f.Sources = []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}
	return h.showOwnFeedForm(c, f, nil)
}

// freshFeed returns a new feed with the defaults.
func freshFeed() linnet.OwnFeed {
	return linnet.OwnFeed{Order: linnet.ByImportance, Weights: linnet.UsualWeights(), Window: linnet.FeedWindow}
}

func (h *Pages) editOwnFeed(c *page.Context) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	return h.showOwnFeedForm(c, f, nil)
}

// spans returns the periods to choose from, including the current one. none is the text for 0.
func spans(c *page.Context, now time.Duration, none string) (out []form.Choice) {
	all := []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
	if none != "" {
		out = append(out, form.Choice{Value: "0", Label: none, On: now == 0})
	}
	found := now == 0 && none != ""
	for _, d := range all {
		out, found = append(out, form.Choice{Value: strconv.Itoa(int(d / time.Second)), Label: spanWords(c, d), On: d == now}), found || d == now
	}
	if !found { // set by an app
		out = append(out, form.Choice{Value: strconv.Itoa(int(now / time.Second)), Label: spanWords(c, now), On: true})
	}
	return out
}

func spanWords(c *page.Context, d time.Duration) string {
	switch {
	case d == 24*time.Hour:
		return c.Tr("a day")
	case d%(24*time.Hour) == 0:
		return c.Trn(int64(d/(24*time.Hour)), "%s day", "%s days")
	case d == time.Hour:
		return c.Tr("an hour")
	case d%time.Hour == 0:
		return c.Trn(int64(d/time.Hour), "%s hour", "%s hours")
	}
	return d.String()
}

func (h *Pages) createOwnFeed(c *page.Context) error {
	return h.sentOwnFeed(c, freshFeed(), func(ch linnet.OwnFeedChange) (linnet.OwnFeed, error) {
		return h.Feeds.CreateOwnFeed(c.Request.Context(), c.Me.ID, ch)
	})
}

func (h *Pages) changeOwnFeed(c *page.Context) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	return h.sentOwnFeed(c, f, func(ch linnet.OwnFeedChange) (linnet.OwnFeed, error) {
		return h.Feeds.UpdateOwnFeed(c.Request.Context(), c.Me.ID, f.ID, ch)
	})
}

func (h *Pages) deleteOwnFeed(c *page.Context) error {
	f, err := h.ownFeedHere(c)
	if err != nil {
		return err
	}
	if err := h.Feeds.DeleteOwnFeed(c.Request.Context(), c.Me.ID, f.ID); err != nil {
		return fmt.Errorf("delete a feed: %w", err)
	}
	return c.Redirect("/feeds")
}
