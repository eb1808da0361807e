package web

import (
	"slices"

	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/web/page"
)

// instancePages are the pages of this area.
type instancePages struct {
	announcing *announcing.Service
	core       *core.Service
	identity   *identity.Service
	moderation *moderation.Service
}

// Routes returns the routes of the pages.
func (h *instancePages) Routes() []page.Route {
	return slices.Concat(h.instanceRoutes(), h.signUpBlockRoutes(), h.inviteRoutes(), h.startRoutes(), h.adminTermsRoutes())
}
