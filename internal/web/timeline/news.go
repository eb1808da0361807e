package timeline

import (
	"fmt"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// newsShown is the maximum number of links on the Explore page.
const newsShown = 5

// news returns trending links.
func (h *Pages) news(c *page.Context) ([]discovery.LinkView, error) {
	links, err := h.Discovery.TrendingLinks(c.Request.Context(), discovery.TrendQuery{Limit: newsShown})
	if err != nil {
		return nil, fmt.Errorf("read links that people talk about: %w", err)
	}
	return links, nil
}

// link shows the posts about the link in the address.
func (h *Pages) link(c *page.Context) error {
	link := c.Request.URL.Query().Get("url")
	v, err := h.Discovery.TrendingLink(c.Request.Context(), link)
	if page.IsKind(err, linnet.NotFound) {
		return page.NotFound()
	}
	if err != nil {
		return err
	}
	c.Shared = true
	return Timeline(c, page.Page{Title: v.Card.Title},
		post.Timeline{Heading: v.Card.Title, Link: &v.Card, Empty: ui.Empty{Icon: "near", Title: c.Tr("Nothing to show"), Text: c.Tr("You can't see the posts with this link.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Discovery.LinkTimeline(c.Request.Context(), c.Viewer(), link, q)
		})
}

// sharers returns the number of users who shared a link today and yesterday.
func sharers(v *discovery.LinkView) (n int64) {
	for _, d := range v.Days[:min(2, len(v.Days))] {
		n += d.Users
	}
	return n
}
