package web

import (
	"linnet/internal/groups"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
)

// notificationPages are the pages of this area.
type notificationPages struct {
	groups  *groups.Service
	notify  *notify.Service
	reading *reading.Service
	social  *social.Service
	view    *view.Service
}

// Routes returns the routes of the pages.
func (h *notificationPages) Routes() []page.Route {
	return h.notificationRoutes()
}
