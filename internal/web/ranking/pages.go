package ranking

import (
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
	return []page.Route{
		{Pattern: "/catchup", Get: page.LoggedIn(h.catchUp), Post: page.LoggedIn(h.renewCatchUp)},
		{Pattern: "/feeds", Get: page.LoggedIn(h.ownFeeds)},
		{Pattern: "/feeds/new", Get: page.LoggedIn(h.newOwnFeed), Post: page.LoggedIn(h.createOwnFeed)},
		{Pattern: "/feeds/{id}", Get: page.LoggedIn(h.ownFeed)},
		{Pattern: "/feeds/{id}/edit", Get: page.LoggedIn(h.editOwnFeed), Post: page.LoggedIn(h.changeOwnFeed)},
		{Pattern: "/feeds/{id}/delete", Post: page.LoggedIn(h.deleteOwnFeed)},
	}
}
