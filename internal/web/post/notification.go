package post

import (
	"html"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// WithoutCommands returns a status for pages. In a group's message about a request to join, it
// replaces the commands for apps with a link to the list of requests.
func WithoutCommands(c *page.Context, s linnet.StatusView) linnet.StatusView {
	login, ok := posting.JoinRequest(&s)
	if !ok {
		return s
	}
	shown := *s.SharedStatus
	shown.Memo, shown.Plain = nil, nil
	shown.Text = c.Tr("%s requested to join %s", "@"+login, ui.DisplayName(s.By.UserView))
	shown.HTML = `<p><a href="` + paths.Group(s.By.Login) + `/requests">` + html.EscapeString(shown.Text) + "</a></p>"
	s.SharedStatus = &shown
	return s
}
