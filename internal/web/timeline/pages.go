package timeline

import (
	"slices"

	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/live"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/translation"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
)

// Pages are the pages of this area.
type Pages struct {
	Announcing   *announcing.Service
	ComposePages *compose.Pages
	Core         *core.Service
	Discovery    *discovery.Service
	Identity     *identity.Service
	Lines        *Lines
	Lists        *social.Lists
	Live         *live.Service
	PeoplePages  *people.Pages
	PostPages    *post.Pages
	Posting      *posting.Service
	Reading      *reading.Service
	Social       *social.Service
	Translation  *translation.Service
	View         *view.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.liveRoutes(), h.listRoutes(), h.tagRoutes(), h.timelineRoutes())
}
