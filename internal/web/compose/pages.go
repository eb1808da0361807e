package compose

import (
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/uploads"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
)

// Pages serves the composer, drafts and scheduled posts. All fields are required.
type Pages struct {
	Cards     *cards.Service
	Core      *core.Service
	Discovery *discovery.Service
	Groups    *social.Groups
	Posting   *posting.Service
	Uploads   *uploads.Service
	View      *view.Service

	Posts *post.Pages
}

// Routes returns the routes of the pages. Drafts are stored on the server, so that they are
// available on all devices.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: "/compose", Get: page.LoggedIn(h.composePage), Post: page.LoggedIn(h.compose)},
		{Pattern: "/compose/preview", Get: page.LoggedIn(h.preview)},
		{Pattern: paths.Drafts, Get: page.LoggedIn(h.drafts), Post: page.LoggedIn(h.autosave)},
		{Pattern: paths.Drafts + "/{id}", Post: page.LoggedIn(h.deleteDraft)},
		{Pattern: paths.Scheduled, Get: page.LoggedIn(h.scheduled)},
		{Pattern: paths.Scheduled + "/{id}", Post: page.LoggedIn(h.changeScheduled)},
	}
}
