package people

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// Pages serves profiles, lists of people, relationships and reports. All fields are required.
type Pages struct {
	Core       *core.Service
	Discovery  *discovery.Service
	Lists      *social.Lists
	Moderation *moderation.Service
	Posting    *posting.Service
	Reading    *reading.Service
	Social     *social.Service
	View       *view.Service

	GroupPage func(*page.Context, linnet.UserView) error
	Posts     *post.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{{Pattern: "/requests", Get: page.LoggedIn(h.requests)}, {Pattern: "/users/{login}", Get: redirectActivityPub}, {Pattern: "/users/{login}/statuses/{id}", Get: redirectActivityPub}}
}
