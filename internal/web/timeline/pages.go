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

// Pages serves timelines and threads, and sends live updates. All exported fields are required.
type Pages struct {
	Announcing  *announcing.Service
	Core        *core.Service
	Discovery   *discovery.Service
	Feeds       *discovery.Feeds
	Trends      *discovery.Trends
	Identity    *identity.Service
	Settings    *identity.Settings
	Lists       *social.Lists
	Live        *live.Service
	Posting     *posting.Service
	Reading     *reading.Service
	Social      *social.Service
	Translation *translation.Service
	View        *view.Service

	Composer *compose.Pages
	People   *people.Pages
	Posts    *post.Pages

	streams streams
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.liveRoutes(), h.listRoutes(), h.tagRoutes(), h.timelineRoutes())
}
