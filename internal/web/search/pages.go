package search

import (
	"linnet/internal/discovery"
	"linnet/internal/outsidefeed"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
)

// Pages serves the search. All fields are required.
type Pages struct {
	Discovery *discovery.Service
	Outside   *outsidefeed.Service

	People *people.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{{Pattern: "/search", Get: page.LoggedIn(h.search), Post: page.LoggedIn(h.findFeed)}}
}
