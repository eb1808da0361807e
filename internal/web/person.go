package web

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// personRoutes are the pages below "/@login", for which http.ServeMux has no patterns. Other paths
// that aren't numbers don't exist.
func personRoutes(people *peoplePages, posts *post.Pages, timelines *timelinePages, composer *composePages) []page.Route {
	return []page.Route{
		{Pattern: "/@{login}", Get: people.profile, Post: page.LoggedIn(people.actOnPerson)},
		{Pattern: "/@{login}/replies", Get: people.profile},
		{Pattern: "/@{login}/media", Get: people.profile},
		{Pattern: "/@{login}/featured", Get: people.featured},
		{Pattern: "/@{login}/known", Get: page.LoggedIn(people.known)},
		{Pattern: "/@{login}/both", Get: page.LoggedIn(people.bothFollow)},
		{Pattern: "/@{login}/followers", Get: people.followers},
		{Pattern: "/@{login}/following", Get: people.following},
		{Pattern: "/@{login}/mute", Get: page.LoggedIn(people.muteForm)},
		{Pattern: "/@{login}/block", Get: page.LoggedIn(people.blockForm)},
		{Pattern: "/@{login}/lists", Get: page.LoggedIn(timelines.listsWith)},
		{Pattern: "/@{login}/report", Get: page.LoggedIn(people.reportForm), Post: page.LoggedIn(people.report)},
		{Pattern: "/@{login}/reported", Get: page.LoggedIn(people.reported)},
		{Pattern: "/@{login}/tagged/{tag}", Get: people.profile},
		{Pattern: "/@{login}/{id}", Get: timelines.status, Post: page.LoggedIn(posts.ActOnStatus)},
		{Pattern: "/@{login}/{id}/vote", Post: page.LoggedIn(posts.Vote)},
		{Pattern: "/@{login}/{id}/media/{n}", Get: posts.Picture},
		{Pattern: "/@{login}/{id}/embed", Get: people.embed},
		{Pattern: "/@{login}/{id}/boosts", Get: people.boostedBy},
		{Pattern: "/@{login}/{id}/quotes", Get: timelines.quotesOf},
		{Pattern: "/@{login}/{id}/unquote", Get: page.LoggedIn(posts.UnquoteForm), Post: page.LoggedIn(posts.Unquote)},
		{Pattern: "/@{login}/{id}/history", Get: composer.history},
		{Pattern: "/@{login}/{id}/favourites", Get: people.favouritedBy},
		{Pattern: "/@{login}/{id}/delete", Get: page.LoggedIn(timelines.deletionForm), Post: page.LoggedIn(timelines.deleteStatus)},
	}
}

// personPattern returns the pattern of a path below "/@".
func (h *handler) personPattern(path string) string {
	login, rest, _ := strings.Cut(path[len("/@"):], "/")
	pattern := "/@{login}"
	if rest != "" {
		id, _, _ := strings.Cut(rest, "/")
		if _, isID := linnet.ParseID(id); isID {
			rest = "{id}" + rest[len(id):]
			if n, ok := strings.CutPrefix(rest, "{id}/media/"); ok && n != "" && !strings.Contains(n, "/") {
				rest = "{id}/media/{n}"
			}
		} else if id == "tagged" && len(rest) > len("tagged/") && strings.Count(rest, "/") == 1 {
			rest = "tagged/{tag}"
		}
		pattern += "/" + rest
	}
	if h.person[pattern] == nil || login == "" {
		return page.UnknownPersonPath
	}
	return pattern
}
