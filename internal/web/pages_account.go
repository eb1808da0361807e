package web

import (
	"slices"

	"linnet/internal/archives"
	"linnet/internal/identity"
	"linnet/internal/social"
	"linnet/internal/web/page"
)

// accountPages are the pages of this area.
type accountPages struct {
	archives  *archives.Service
	authPages *authPages
	emails    *identity.Emails
	identity  *identity.Service
	security  *identity.Security
	social    *social.Service
}

// Routes returns the routes of the pages.
func (h *accountPages) Routes() []page.Route {
	return slices.Concat(h.emailRoutes(), h.exportRoutes(), h.importRoutes(), h.passkeyRoutes(), h.securityRoutes())
}
