package web

import (
	"slices"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/lists"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/push"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/web/page"
)

// settingsPages are the pages of this area.
type settingsPages struct {
	core      *core.Service
	discovery *discovery.Service
	identity  *identity.Service
	lists     *lists.Service
	notify    *notify.Service
	posting   *posting.Service
	push      *push.Service
	reading   *reading.Service
	social    *social.Service
}

// Routes returns the routes of the pages.
func (h *settingsPages) Routes() []page.Route {
	return slices.Concat(h.oldPostsRoutes(), h.pushRoutes(), h.settingsRoutes(), h.styleRoutes())
}
