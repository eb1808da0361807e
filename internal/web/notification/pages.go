package notification

import (
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
)

// Pages serves notifications. All fields are required.
type Pages struct {
	Groups  *social.Groups
	Notify  *notify.Service
	Reading *reading.Service
	Social  *social.Service
	View    *view.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.notificationRoutes()
}
