package web

import (
	"slices"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/groups"
	"linnet/internal/posting"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// composePages are the pages of this area.
type composePages struct {
	core      *core.Service
	discovery *discovery.Service
	groups    *groups.Service
	postPages *post.Pages
	posting   *posting.Service
	uploads   *uploads.Service
	view      *view.Service
}

// Routes returns the routes of the pages.
func (h *composePages) Routes() []page.Route {
	return slices.Concat(h.composeRoutes(), h.draftRoutes(), h.scheduledRoutes())
}
