package compose

import (
	"slices"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// Pages serves the composer, drafts and scheduled posts. All fields are required.
type Pages struct {
	Core      *core.Service
	Discovery *discovery.Service
	Groups    *social.Groups
	Posting   *posting.Service
	Uploads   *uploads.Service
	View      *view.Service

	Posts *post.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.composeRoutes(), h.draftRoutes(), h.scheduledRoutes())
}
