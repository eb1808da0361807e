package web

import (
	"linnet/internal/discovery"
	"linnet/internal/web/page"
)

// searchPages are the pages of this area.
type searchPages struct {
	discovery   *discovery.Service
	peoplePages *peoplePages
}

// Routes returns the routes of the pages.
func (h *searchPages) Routes() []page.Route {
	return []page.Route{{Pattern: "/search", Get: page.LoggedIn(h.search)}}
}
