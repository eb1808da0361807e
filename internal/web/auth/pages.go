package auth

import (
	"net/http"
	"slices"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/posting"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
)

// Pages serves access to accounts. All fields are required.
type Pages struct {
	Core       *core.Service
	Emails     *identity.Emails
	Identity   *identity.Service
	Settings   *identity.Settings
	Invites    *identity.Invites
	Apps       *identity.Apps
	Moderation *moderation.Service
	Posting    *posting.Service
	Security   *identity.Security
	Uploads    *uploads.Service
	View       *view.Service

	Composer *compose.Pages
	Pages    http.Handler // all pages, to show the page of a form again
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.authRoutes(), h.termsRoutes())
}
