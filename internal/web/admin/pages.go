package admin

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/web/instance"
	"linnet/internal/web/page"
)

// Pages are the pages of this area.
type Pages struct {
	Core          *core.Service
	Identity      *identity.Service
	InstancePages *instance.Pages
	Moderation    *moderation.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.adminRoutes()
}
