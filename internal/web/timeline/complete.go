package timeline

import (
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// liveRoutes returns the routes for the script. The pages work without it.
func (h *Pages) liveRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Live, Get: page.LoggedIn(h.serveLive)},
		{Pattern: "/complete", Get: page.LoggedIn(h.ComposePages.Complete)},
		{Pattern: "/read", Post: page.LoggedIn(h.markRead)},
	}
}
