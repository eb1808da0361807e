package message

import (
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/group"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves direct messages and chats. All fields are required.
type Pages struct {
	Discovery *discovery.Service
	Posting   *posting.Service
	Reading   *reading.Service
	View      *view.Service

	Composer *compose.Pages
	Groups   *group.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: paths.Messages, Get: page.LoggedIn(h.messages)},
		{Pattern: paths.NewMessage, Get: page.LoggedIn(h.newMessage)},
		{Pattern: paths.Messages + "/{id}", Get: page.LoggedIn(h.conversation), Post: page.LoggedIn(h.changeConversation)},
	}
}
