package web

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/lists"
	"linnet/internal/moderation"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// peoplePages are the pages of this area.
type peoplePages struct {
	core       *core.Service
	discovery  *discovery.Service
	groupPage  func(*page.Context, linnet.UserView) error
	lists      *lists.Service
	moderation *moderation.Service
	postPages  *post.Pages
	posting    *posting.Service
	reading    *reading.Service
	social     *social.Service
	view       *view.Service
}

// Routes returns the routes of the pages.
func (h *peoplePages) Routes() []page.Route {
	return []page.Route{{Pattern: "/requests", Get: page.LoggedIn(h.requests)}, {Pattern: "/users/{login}", Get: lastingName}, {Pattern: "/users/{login}/statuses/{id}", Get: lastingName}}
}
