package web

import (
	"slices"

	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/lists"
	"linnet/internal/live"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/translation"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// timelinePages are the pages of this area.
type timelinePages struct {
	announcing   *announcing.Service
	composePages *composePages
	core         *core.Service
	discovery    *discovery.Service
	identity     *identity.Service
	lines        *lines
	lists        *lists.Service
	live         *live.Service
	peoplePages  *peoplePages
	postPages    *post.Pages
	posting      *posting.Service
	reading      *reading.Service
	social       *social.Service
	translation  *translation.Service
	view         *view.Service
}

// Routes returns the routes of the pages.
func (h *timelinePages) Routes() []page.Route {
	return slices.Concat(h.liveRoutes(), h.listRoutes(), h.tagRoutes(), h.timelineRoutes())
}
