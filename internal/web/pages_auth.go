package web

import (
	"net/http"
	"slices"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/moderation"
	"linnet/internal/posting"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/page"
)

// authPages are the pages of this area.
type authPages struct {
	composePages *composePages
	core         *core.Service
	emails       *identity.Emails
	identity     *identity.Service
	moderation   *moderation.Service
	posting      *posting.Service
	security     *identity.Security
	uploads      *uploads.Service
	view         *view.Service
	pages        http.Handler // all pages, to show one again with a form filled in
}

// Routes returns the routes of the pages.
func (h *authPages) Routes() []page.Route {
	return slices.Concat(h.authRoutes(), h.termsRoutes())
}
