package ranking

import (
	"slices"

	"linnet/internal/discovery"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
)

// Pages serves the catch-up and custom feeds. All fields are required.
type Pages struct {
	Discovery *discovery.Service
	Feeds     *discovery.Feeds
	Lists     *social.Lists
	View      *view.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.rankRoutes(), h.ownFeedRoutes())
}
