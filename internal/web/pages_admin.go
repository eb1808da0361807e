package web

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/web/page"
)

// adminPages are the pages of this area.
type adminPages struct {
	core          *core.Service
	identity      *identity.Service
	instancePages *instancePages
	moderation    *moderation.Service
}

// Routes returns the routes of the pages.
func (h *adminPages) Routes() []page.Route {
	return h.adminRoutes()
}
