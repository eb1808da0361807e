package message

import (
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
)

// Pages are the pages of this area.
type Pages struct {
	ComposePages *compose.Pages
	Discovery    *discovery.Service
	Posting      *posting.Service
	Reading      *reading.Service
	View         *view.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.messageRoutes()
}
