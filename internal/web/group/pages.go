package group

import (
	"linnet/internal/discovery"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
)

// Pages serves groups. All fields are required.
type Pages struct {
	Discovery *discovery.Service
	Groups    *social.Groups
	Posting   *posting.Service
	Reading   *reading.Service
	View      *view.Service

	ChatPage func(*page.Context, Head) error
	Composer *compose.Pages
	People   *people.Pages
	Posts    *post.Pages
}

// Routes returns the routes of the pages. The page of a group itself is its profile, /@login.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: "/groups", Get: page.LoggedIn(h.myGroups)},
		{Pattern: "/groups/find", Get: page.LoggedIn(h.findGroups)},
		{Pattern: "/groups/new", Get: page.LoggedIn(newGroup), Post: page.LoggedIn(h.createGroup)},
		{Pattern: "/groups/{login}/membership", Post: page.LoggedIn(h.changeMembership)},
		{Pattern: "/groups/{login}/leave", Get: page.LoggedIn(h.leaveForm)},
		{Pattern: "/groups/{login}/members", Get: h.groupMembers, Post: page.LoggedIn(h.changeMember)},
		{Pattern: "/groups/{login}/requests", Get: page.LoggedIn(h.groupRequests)},
		{Pattern: "/groups/{login}/invite", Get: page.LoggedIn(h.groupInvited), Post: page.LoggedIn(h.inviteToGroup)},
		{Pattern: "/groups/{login}/bans", Get: page.LoggedIn(h.groupBans), Post: page.LoggedIn(h.banFromGroup)},
		{Pattern: "/groups/{login}/edit", Get: page.LoggedIn(h.groupForm), Post: page.LoggedIn(h.changeGroup)},
		{Pattern: "/groups/{login}/delete", Get: page.LoggedIn(h.groupDeletion), Post: page.LoggedIn(h.deleteGroup)},
		{Pattern: "/groups/{login}/owner", Get: page.LoggedIn(h.ownerForm), Post: page.LoggedIn(h.makeOwner)},
		{Pattern: "/groups/{login}/posts/{id}/remove", Get: page.LoggedIn(h.removalForm), Post: page.LoggedIn(h.removeFromGroup)},
	}
}
