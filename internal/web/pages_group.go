package web

import (
	"linnet/internal/discovery"
	"linnet/internal/groups"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// groupPages are the pages of this area.
type groupPages struct {
	chatPage     func(*page.Context, groupHead) error
	composePages *composePages
	discovery    *discovery.Service
	groups       *groups.Service
	peoplePages  *peoplePages
	postPages    *post.Pages
	posting      *posting.Service
	reading      *reading.Service
	view         *view.Service
}

// Routes returns the routes of the pages.
func (h *groupPages) Routes() []page.Route {
	return h.groupRoutes()
}
