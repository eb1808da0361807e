package message

import (
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
)

// Pages serves direct messages and chats. All fields are required.
type Pages struct {
	Discovery *discovery.Service
	Posting   *posting.Service
	Reading   *reading.Service
	View      *view.Service

	Composer *compose.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.messageRoutes()
}
