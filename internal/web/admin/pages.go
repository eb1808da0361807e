package admin

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/web/instance"
	"linnet/internal/web/page"
)

// Pages serves the administration. All fields are required.
type Pages struct {
	Core       *core.Service
	Identity   *identity.Service
	Moderation *moderation.Service

	InstancePages *instance.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.adminRoutes()
}
