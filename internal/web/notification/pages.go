package notification

import (
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/web/group"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves notifications. All fields are required.
type Pages struct {
	Groups  *group.Pages
	Notify  *notify.Service
	Reading *reading.Service
	Social  *social.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: paths.Notifications, Get: page.LoggedIn(h.notifications), Post: page.LoggedIn(h.changeNotifications)},
		{Pattern: "/notifications/clear", Get: page.LoggedIn(clearForm), Post: page.LoggedIn(h.clearNotifications)},
		{Pattern: "/notifications/requests", Get: page.LoggedIn(h.noticeRequests), Post: page.LoggedIn(h.answerNoticeRequest)},
	}
}
