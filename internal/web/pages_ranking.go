package web

import (
	"slices"

	"linnet/internal/discovery"
	"linnet/internal/lists"
	"linnet/internal/view"
	"linnet/internal/web/page"
)

// rankingPages are the pages of this area.
type rankingPages struct {
	discovery *discovery.Service
	lists     *lists.Service
	view      *view.Service
}

// Routes returns the routes of the pages.
func (h *rankingPages) Routes() []page.Route {
	return slices.Concat(h.rankRoutes(), h.ownFeedRoutes())
}
