package account

import (
	"slices"

	"linnet/internal/archives"
	"linnet/internal/identity"
	"linnet/internal/social"
	"linnet/internal/web/page"
)

// Pages serves the settings of an account: security, e-mail, export, import and deletion. All
// fields are required.
type Pages struct {
	Archives *archives.Service
	Emails   *identity.Emails
	Identity *identity.Service
	Security *identity.Security
	Social   *social.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.emailRoutes(), h.exportRoutes(), h.importRoutes(), h.passkeyRoutes(), h.securityRoutes())
}
