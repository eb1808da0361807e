package instance

import (
	"slices"

	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/web/page"
)

// Pages serves the settings of the server. All fields are required.
type Pages struct {
	Announcing *announcing.Service
	Core       *core.Service
	Identity   *identity.Service
	Moderation *moderation.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.instanceRoutes(), h.signUpBlockRoutes(), h.inviteRoutes(), h.startRoutes(), h.adminTermsRoutes())
}
