package web

import (
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/view"
	"linnet/internal/web/page"
)

// messagePages are the pages of this area.
type messagePages struct {
	composePages *composePages
	discovery    *discovery.Service
	posting      *posting.Service
	reading      *reading.Service
	view         *view.Service
}

// Routes returns the routes of the pages.
func (h *messagePages) Routes() []page.Route {
	return h.messageRoutes()
}
