package group

import (
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
)

// Pages serves groups. All fields are required.
type Pages struct {
	Discovery *discovery.Service
	Groups    *social.Groups
	Posting   *posting.Service
	Reading   *reading.Service
	View      *view.Service

	ChatPage func(*page.Context, Head) error
	Composer *compose.Pages
	People   *people.Pages
	Posts    *post.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.groupRoutes()
}
