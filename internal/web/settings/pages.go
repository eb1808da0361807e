package settings

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves the settings. All fields are required.
type Pages struct {
	Core      *core.Service
	Discovery *discovery.Service
	Identity  *identity.Service
	Lists     *social.Lists
	Notify    *notify.Service
	Posting   *posting.Service
	Push      *notify.Pusher
	Reading   *reading.Service
	Social    *social.Service
}

// Routes returns the routes of the pages. The custom colours and style sheet are separate files,
// because the policy of pages forbids inline styles.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		form.Member(paths.Push, h.push, h.changePush),
		form.Member(paths.Push+"/end", nil, h.endPush),
		{Pattern: "/theme", Post: page.LoggedIn(h.chooseTheme)},
		{Pattern: paths.Settings, Get: page.LoggedIn(form.ShowSettingsMenu)},
		{Pattern: "/settings/{$}", Get: page.LoggedIn(func(c *page.Context) error { return c.Redirect(paths.Settings) })},
		form.Member("/settings/profile", h.profile, h.saveProfile),
		form.Member(paths.FeaturedTags, h.featuredTags, h.changeFeatured),
		form.Member("/settings/appearance", appearance, h.saveAppearance),
		form.Member("/settings/notifications", h.policy, h.savePolicy),
		form.Member("/settings/filters", h.filters, nil),
		form.Member("/settings/filters/new", newFilter, h.createFilter),
		form.Member("/settings/filters/{id}", h.filter, h.saveFilter),
		form.Member("/settings/filters/{id}/delete", nil, h.deleteFilter),
		form.Member(paths.FollowedTags, h.followedTags, h.changeFollowedTags),
		form.Member("/settings/lists", h.shownLists, h.saveShownLists),
		form.Member("/settings/mutes", h.mutes, undo("/settings/mutes", h.Social.Unmute)),
		form.Member("/settings/blocks", h.blocks, undo("/settings/blocks", h.Social.Unblock)),
		form.Member("/settings/apps", h.apps, h.revokeApp),
		form.Member(paths.OldPosts, h.oldPosts, h.saveOldPosts),
		{Pattern: paths.AccentSheet, Get: serveAccent},
		{Pattern: paths.CustomSheet, Get: h.ownSheet},
	}
}
