package people

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/outsidefeed"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// Pages serves profiles, lists of people, collections, relationships and reports. All fields are required.
type Pages struct {
	Core       *core.Service
	Discovery  *discovery.Service
	Lists      *social.Lists
	Moderation *moderation.Service
	Outside    *outsidefeed.Service
	Posting    *posting.Service
	Reading    *reading.Service
	Social     *social.Service
	View       *view.Service

	GroupPage func(*page.Context, linnet.UserView) error
	Posts     *post.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{{Pattern: "/requests", Get: page.LoggedIn(h.requests)}, {Pattern: "/users/{login}", Get: redirectActivityPub}, {Pattern: "/users/{login}/statuses/{id}", Get: redirectActivityPub},
		{Pattern: "/collections", Get: page.LoggedIn(h.collections), Post: page.LoggedIn(h.createCollection)},
		{Pattern: "/collections/{id}", Get: h.collection, Post: page.LoggedIn(h.actOnCollection)},
		{Pattern: "/collections/{id}/edit", Get: page.LoggedIn(h.collectionForm), Post: page.LoggedIn(h.changeCollection)},
		{Pattern: "/collections/{id}/items", Post: page.LoggedIn(h.changeCollected)},
		{Pattern: "/collections/{id}/delete", Get: page.LoggedIn(h.collectionDeletion), Post: page.LoggedIn(h.deleteCollection)},
	}
}
