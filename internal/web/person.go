package web

import (
	"strings"

	"linnet/internal/linnet"
)

// personRoutes are the pages below "/@login", for which http.ServeMux has no patterns. Other paths
// that aren't numbers don't exist.
func personRoutes(people *peoplePages, posts *postPages, timelines *timelinePages, composer *composePages) []route {
	return []route{
		{pattern: "/@{login}", get: people.profile, post: own(people.actOnPerson)},
		{pattern: "/@{login}/replies", get: people.profile},
		{pattern: "/@{login}/media", get: people.profile},
		{pattern: "/@{login}/featured", get: people.featured},
		{pattern: "/@{login}/known", get: own(people.known)},
		{pattern: "/@{login}/both", get: own(people.bothFollow)},
		{pattern: "/@{login}/followers", get: people.followers},
		{pattern: "/@{login}/following", get: people.following},
		{pattern: "/@{login}/mute", get: own(people.muteForm)},
		{pattern: "/@{login}/block", get: own(people.blockForm)},
		{pattern: "/@{login}/lists", get: own(timelines.listsWith)},
		{pattern: "/@{login}/report", get: own(people.reportForm), post: own(people.report)},
		{pattern: "/@{login}/reported", get: own(people.reported)},
		{pattern: "/@{login}/tagged/{tag}", get: people.profile},
		{pattern: "/@{login}/{id}", get: timelines.status, post: own(posts.actOnStatus)},
		{pattern: "/@{login}/{id}/vote", post: own(posts.vote)},
		{pattern: "/@{login}/{id}/media/{n}", get: posts.picture},
		{pattern: "/@{login}/{id}/embed", get: people.embed},
		{pattern: "/@{login}/{id}/boosts", get: people.boostedBy},
		{pattern: "/@{login}/{id}/quotes", get: timelines.quotesOf},
		{pattern: "/@{login}/{id}/unquote", get: own(posts.unquoteForm), post: own(posts.unquote)},
		{pattern: "/@{login}/{id}/history", get: composer.history},
		{pattern: "/@{login}/{id}/favourites", get: people.favouritedBy},
		{pattern: "/@{login}/{id}/delete", get: own(timelines.deletionForm), post: own(timelines.deleteStatus)},
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
		return elsewhereBelowPerson
	}
	return pattern
}

// personInPath splits "/@login/rest".
func (c *call) personInPath() (login, rest string) {
	login, rest, _ = strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/@"), "/")
	return login, rest
}
