package timeline

import (
	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/live"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/translation"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
)

// Pages serves timelines and threads, and sends live updates. All exported fields are required.
type Pages struct {
	Announcing  *announcing.Service
	Core        *core.Service
	Discovery   *discovery.Service
	Feeds       *discovery.Feeds
	Trends      *discovery.Trends
	Identity    *identity.Service
	Invites     *identity.Invites
	Settings    *identity.Settings
	Lists       *social.Lists
	Live        *live.Service
	Posting     *posting.Service
	Reading     *reading.Service
	Social      *social.Service
	Translation *translation.Service
	View        *view.Service

	Composer *compose.Pages
	People   *people.Pages
	Posts    *post.Pages

	streams streams
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: paths.Live, Get: page.LoggedIn(h.serveLive)},
		{Pattern: "/counts", Get: page.LoggedIn(h.serveCounts)},
		{Pattern: "/complete", Get: page.LoggedIn(h.Composer.Complete)},
		{Pattern: "/welcome", Post: page.LoggedIn(closeWelcome)},
		{Pattern: "/read", Post: page.LoggedIn(h.markRead)},
		{Pattern: "/lists", Get: page.LoggedIn(h.myLists), Post: page.LoggedIn(h.createList)},
		{Pattern: "/lists/{id}", Get: page.LoggedIn(h.list)},
		{Pattern: "/lists/{id}/edit", Get: page.LoggedIn(h.listForm), Post: page.LoggedIn(h.changeList)},
		{Pattern: "/lists/{id}/members", Post: page.LoggedIn(h.changeMembers)},
		{Pattern: "/lists/{id}/delete", Get: page.LoggedIn(h.listDeletion), Post: page.LoggedIn(h.deleteList)},
		{Pattern: "/tags/{tag}", Get: h.tag},
		{Pattern: "/tags/{tag}/follow", Post: page.LoggedIn(h.followTag)},
		{Pattern: "/about", Get: h.landing},
		{Pattern: paths.Mentions, Get: page.LoggedIn(h.mentions)},
		{Pattern: "/emoji", Get: h.emojis},
		{Pattern: paths.Announcements, Get: page.LoggedIn(h.announcements)},
		{Pattern: paths.Announcements + "/{id}", Post: page.LoggedIn(h.actOnAnnouncement)},
		{Pattern: "/{$}", Get: h.front},
		{Pattern: "/local", Get: h.local},
		{Pattern: "/explore", Get: page.LoggedIn(h.explore)},
		{Pattern: trendingPosts, Get: page.LoggedIn(h.trendingPosts)},
		{Pattern: paths.Links, Get: h.link},
		{Pattern: "/bookmarks", Get: page.LoggedIn(h.bookmarks)},
		{Pattern: "/favourites", Get: page.LoggedIn(h.favourites)},
	}
}
