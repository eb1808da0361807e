package web

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/timeline"
)

// personRoutes returns the pages below "/@login", for which http.ServeMux has no patterns. Other
// paths that aren't numbers don't exist.
func personRoutes(people *people.Pages, posts *post.Pages, timelines *timeline.Pages, composer *compose.Pages) []page.Route {
	return []page.Route{
		{Pattern: "/@{login}", Get: people.Profile, Post: page.LoggedIn(people.ActOnPerson)},
		{Pattern: "/@{login}/replies", Get: people.Profile},
		{Pattern: "/@{login}/media", Get: people.Profile},
		{Pattern: "/@{login}/featured", Get: people.Featured},
		{Pattern: "/@{login}/card", Get: people.Card},
		{Pattern: "/@{login}/known", Get: page.LoggedIn(people.Known)},
		{Pattern: "/@{login}/both", Get: page.LoggedIn(people.BothFollow)},
		{Pattern: "/@{login}/followers", Get: people.Followers},
		{Pattern: "/@{login}/following", Get: people.Following},
		{Pattern: "/@{login}/mute", Get: page.LoggedIn(people.MuteForm)},
		{Pattern: "/@{login}/block", Get: page.LoggedIn(people.BlockForm)},
		{Pattern: "/@{login}/lists", Get: page.LoggedIn(timelines.ListsWith)},
		{Pattern: "/@{login}/report", Get: page.LoggedIn(people.ReportForm), Post: page.LoggedIn(people.Report)},
		{Pattern: "/@{login}/reported", Get: page.LoggedIn(people.Reported)},
		{Pattern: "/@{login}/tagged/{tag}", Get: people.Profile},
		{Pattern: "/@{login}/{id}", Get: timelines.Status, Post: page.LoggedIn(posts.ActOnStatus)},
		{Pattern: "/@{login}/{id}/vote", Post: page.LoggedIn(posts.Vote)},
		{Pattern: "/@{login}/{id}/media/{n}", Get: posts.Picture},
		{Pattern: "/@{login}/{id}/embed", Get: people.Embed},
		{Pattern: "/@{login}/{id}/boosts", Get: people.BoostedBy},
		{Pattern: "/@{login}/{id}/quotes", Get: timelines.QuotesOf},
		{Pattern: "/@{login}/{id}/unquote", Get: page.LoggedIn(posts.UnquoteForm), Post: page.LoggedIn(posts.Unquote)},
		{Pattern: "/@{login}/{id}/history", Get: composer.History},
		{Pattern: "/@{login}/{id}/favourites", Get: people.FavouritedBy},
		{Pattern: "/@{login}/{id}/delete", Get: page.LoggedIn(timelines.DeletionForm), Post: page.LoggedIn(timelines.DeleteStatus)},
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
