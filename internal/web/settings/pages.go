package settings

import (
	"slices"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/web/page"
)

// Pages serves the settings. All fields are required.
type Pages struct {
	Core      *core.Service
	Discovery *discovery.Service
	Identity  *identity.Service
	Lists     *social.Lists
	Notify    *notify.Service
	Posting   *posting.Service
	Push      *notify.Pusher
	Reading   *reading.Service
	Social    *social.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.pushRoutes(), h.settingsRoutes(), h.styleRoutes())
}
