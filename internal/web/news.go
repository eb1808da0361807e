package web

import (
	"fmt"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// newsShown is the maximum number of links on the explore page.
const newsShown = 5

func (h *timelinePages) news(c *call) ([]discovery.LinkView, error) {
	links, err := h.discovery.TrendingLinks(c.r.Context(), discovery.TrendQuery{Limit: newsShown})
	if err != nil {
		return nil, fmt.Errorf("read links that people talk about: %w", err)
	}
	return links, nil
}

// link shows the posts about the link in the address.
func (h *timelinePages) link(c *call) error {
	link := c.r.URL.Query().Get("url")
	v, err := h.discovery.TrendingLink(c.r.Context(), link)
	if isKind(err, linnet.NotFound) {
		return errNowhere()
	}
	if err != nil {
		return err
	}
	c.shared = true
	return timeline(c, page{Title: v.Card.Title},
		timelinePage{Heading: v.Card.Title, Link: &v.Card, Empty: ui.Empty{Icon: "near", Title: c.tr("Nothing to show"), Text: c.tr("You can't see the posts with this link.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.discovery.LinkTimeline(c.r.Context(), c.viewer(), link, q)
		})
}
