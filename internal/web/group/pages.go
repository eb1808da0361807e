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

// Pages are the pages of this area.
type Pages struct {
	ChatPage     func(*page.Context, Head) error
	ComposePages *compose.Pages
	Discovery    *discovery.Service
	Groups       *social.Groups
	PeoplePages  *people.Pages
	PostPages    *post.Pages
	Posting      *posting.Service
	Reading      *reading.Service
	View         *view.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.groupRoutes()
}
