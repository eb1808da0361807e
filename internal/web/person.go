package web

import (
	"strings"

	"linnet/internal/linnet"
)

// personRoutes are the pages below "/@login", for which http.ServeMux has no patterns. Other paths
// that aren't numbers don't exist.
func personRoutes() []route {
	return []route{
		{pattern: "/@{login}", get: (*call).profile, post: own((*call).actOnPerson)},
		{pattern: "/@{login}/replies", get: (*call).profile},
		{pattern: "/@{login}/media", get: (*call).profile},
		{pattern: "/@{login}/featured", get: (*call).featured},
		{pattern: "/@{login}/known", get: own((*call).known)},
		{pattern: "/@{login}/both", get: own((*call).bothFollow)},
		{pattern: "/@{login}/followers", get: (*call).followers},
		{pattern: "/@{login}/following", get: (*call).following},
		{pattern: "/@{login}/mute", get: own((*call).muteForm)},
		{pattern: "/@{login}/block", get: own((*call).blockForm)},
		{pattern: "/@{login}/lists", get: own((*call).listsWith)},
		{pattern: "/@{login}/report", get: own((*call).reportForm), post: own((*call).report)},
		{pattern: "/@{login}/reported", get: own((*call).reported)},
		{pattern: "/@{login}/tagged/{tag}", get: (*call).profile},
		{pattern: "/@{login}/{id}", get: (*call).status, post: own((*call).actOnStatus)},
		{pattern: "/@{login}/{id}/vote", post: own((*call).vote)},
		{pattern: "/@{login}/{id}/media/{n}", get: (*call).picture},
		{pattern: "/@{login}/{id}/embed", get: (*call).embed},
		{pattern: "/@{login}/{id}/boosts", get: (*call).boostedBy},
		{pattern: "/@{login}/{id}/quotes", get: (*call).quotesOf},
		{pattern: "/@{login}/{id}/unquote", get: own((*call).unquoteForm), post: own((*call).unquote)},
		{pattern: "/@{login}/{id}/history", get: (*call).history},
		{pattern: "/@{login}/{id}/favourites", get: (*call).favouritedBy},
		{pattern: "/@{login}/{id}/delete", get: own((*call).deletionForm), post: own((*call).deleteStatus)},
	}
}

// personRoute finds the route of a path below "/@", feeds among them.
func personRoute(path string) route {
	login, rest, _ := strings.Cut(path[len("/@"):], "/")
	if feedFormat(path) != "" {
		return personFeedRoute(path)
	}
	shape := "/@{login}"
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
		shape += "/" + rest
	}
	for _, rt := range personRoutes() {
		if rt.pattern == shape && login != "" {
			return rt
		}
	}
	return route{pattern: elsewhereBelowPerson, get: (*call).elsewhere}
}

// personInPath splits "/@login/rest".
func (c *call) personInPath() (login, rest string) {
	login, rest, _ = strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/@"), "/")
	return login, rest
}
