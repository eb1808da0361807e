package web

import (
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Groups. A group's own page is its profile, /@login. Its other pages are below /groups/login.

func (h *groupPages) groupRoutes() []route {
	return []route{
		{pattern: "/groups", get: own(h.myGroups)},
		{pattern: "/groups/find", get: own(h.findGroups)},
		{pattern: "/groups/new", get: own(newGroup), post: own(h.foundGroup)},
		{pattern: "/groups/{login}/membership", post: own(h.changeMembership)},
		{pattern: "/groups/{login}/leave", get: own(h.leaveForm)},
		{pattern: "/groups/{login}/members", get: h.groupMembers, post: own(h.changeMember)},
		{pattern: "/groups/{login}/requests", get: own(h.groupRequests)},
		{pattern: "/groups/{login}/invite", get: own(h.groupInvited), post: own(h.inviteToGroup)},
		{pattern: "/groups/{login}/bans", get: own(h.groupBans), post: own(h.banFromGroup)},
		{pattern: "/groups/{login}/edit", get: own(h.groupForm), post: own(h.changeGroup)},
		{pattern: "/groups/{login}/delete", get: own(h.groupDeletion), post: own(h.deleteGroup)},
		{pattern: "/groups/{login}/owner", get: own(h.ownerForm), post: own(h.makeOwner)},
		{pattern: "/groups/{login}/posts/{id}/remove", get: own(h.removalForm), post: own(h.removeFromGroup)},
	}
}

// groupHead is what all pages of a group show, for the parts "group-head" and
// "group-face".
type groupHead struct {
	c *call
	G linnet.GroupView
	// Tabs are the pages of the group for this reader; nil if there is one alone.
	Tabs []ui.Tab
}

// Base returns the path prefix of the group's pages.
func (h groupHead) Base() string { return paths.Group(h.G.Login) }

// Member, Runs and Owns say what the reader is there, as far as more or less is
// offered for it.
func (h groupHead) Member() bool { return h.G.Mine.Role > linnet.Outsider }

func (h groupHead) Runs() bool { return h.G.Mine.Role >= linnet.GroupModerator }

func (h groupHead) Owns() bool { return h.G.Mine.Role == linnet.GroupOwner }

// Edits reports whether the reader can change the group: owners, and moderators of the server.
func (h groupHead) Edits() bool { return h.Owns() || h.c.may(linnet.ManageUsers) }

// Asks reports whether one must be let in.
func (h groupHead) Asks() bool { return h.G.Locked }

// Kind and About say what kind of group it is, in a word and in a sentence.
func (h groupHead) Kind() string { return h.c.tr(ui.GroupKindName(h.G.Group)) }

func (h groupHead) About() string { return h.c.tr(ui.GroupKindText(h.G.Group)) }

// groupHere returns the group in the path, if the reader can know of it.
func (h *groupPages) groupHere(c *call) (linnet.GroupView, error) {
	return h.composePages.groupNamed(c, c.r.PathValue("login"))
}

func (h *composePages) groupNamed(c *call, login string) (linnet.GroupView, error) {
	who, err := h.groups.GroupByLogin(c.r.Context(), c.viewer(), login)
	if err != nil {
		return linnet.GroupView{}, notThere(err, "look up a group")
	}
	v, err := h.groups.ViewGroup(c.r.Context(), c.viewer(), who.ID)
	if err != nil {
		return v, fmt.Errorf("show a group: %w", err)
	}
	return v, nil
}

// groupAs is like groupHere, and returns the error of the service unless the reader has a role.
func (h *groupPages) groupAs(c *call, role linnet.GroupRole) (linnet.GroupView, error) {
	v, err := h.groupHere(c)
	if err != nil {
		return v, err
	}
	if v, err = h.groups.GroupAs(c.r.Context(), c.me.ID, v.ID, role); err != nil {
		return v, fmt.Errorf("run a group: %w", err)
	}
	return v, nil
}

// groupHead returns the heading of a group's page. here is its path below that of the group, "" for
// the group's own page.
func headOf(c *call, v linnet.GroupView, here string) groupHead {
	h := groupHead{c: c, G: v}
	if !v.Inside && !h.Edits() {
		return h
	}
	tabs := []ui.Tab{{Path: "/@" + url.PathEscape(v.Login), Text: c.tr("Posts"), Here: here == ""}}
	add := func(when bool, path, text string) {
		if when {
			tabs = append(tabs, ui.Tab{Path: h.Base() + path, Text: text, Here: here == path})
		}
	}
	asking := c.tr("Requests")
	if v.Requests > 0 {
		asking += " (" + c.num(v.Requests) + ")"
	}
	add(v.Inside, "/members", c.tr("Members"))
	add(h.Runs() && (v.Locked || v.Requests > 0), "/requests", asking)
	add(h.Runs(), "/invite", c.tr("Invite"))
	add(h.Runs(), "/bans", c.tr("Bans"))
	add(h.Edits(), "/edit", c.tr("Settings"))
	if len(tabs) > 1 {
		h.Tabs = tabs
	}
	return h
}

type groupPage struct {
	groupHead
	Compose *composeForm // nil if the reader can't post, and on older pages
	Posts   []linnet.StatusView
	Pager   ui.Pager
	Empty   ui.Empty
	Live    string // address of live updates, see timelinePage
}

// group shows a group in place of a profile. Readers who aren't members of a closed group see only
// its heading.
func (h *groupPages) group(c *call, who linnet.UserView) error {
	v, err := h.composePages.groupNamed(c, who.Login)
	if err != nil {
		return err
	}
	p := groupPage{groupHead: headOf(c, v, ""), Empty: ui.Empty{Icon: "speech", Title: c.tr("No posts yet"), Text: c.tr("Posts from group members appear here.")}}
	main := page{Title: ui.DisplayName(v.UserView) + " (@" + v.Login + ")", Here: "/groups",
		Card: profileCard(v.UserView)}
	if v.Mine.Banned {
		p.Empty = ui.Empty{Icon: "stop", Title: c.tr("Not available"), Text: c.tr("You can't see posts in this group.")}
	}
	if v.Group == linnet.Chat && v.Inside && p.Member() {
		return h.chatPage(c, p.groupHead)
	}
	q := c.asked(linnet.DefaultPage)
	if !v.Inside {
		p.Empty = ui.Empty{Icon: "lock", Title: c.tr("Members only"), Text: c.tr("Only members can see the posts and members of this group.")}
	} else {
		posts, err := h.reading.GroupTimeline(c.r.Context(), c.viewer(), v.ID, q)
		if err != nil {
			return fmt.Errorf("read a group: %w", err)
		}
		if atTop(q, len(posts.Items)) {
			return c.seeOther(c.withCursor("", ""))
		}
		p.Posts, p.Pager = visible(posts.Items), c.pagerOf(q, posts.First, posts.Last)
		if p.Member() {
			p.Live = c.liveAddress(url.Values{"of": {"list"}, "list": {linnet.ListOfGroup(v.ID).String()}}, q, posts.First)
		}
	}
	if q.Max == "" && q.Min == "" {
		p.Compose = groupComposer(c, v)
	}
	c.shared = true
	main.Body = groupView(c, p)
	return c.render(http.StatusOK, main)
}

// groupComposer returns the form for a post in a group, or nil if the reader can't post there.
func groupComposer(c *call, v linnet.GroupView) *composeForm {
	needed := linnet.GroupMember
	if v.Group == linnet.AnnouncementGroup {
		needed = linnet.GroupModerator
	}
	if c.me == nil || v.Mine.Role < needed {
		return nil
	}
	f := newForm(c)
	f.Group, f.Text = &v.UserView, "@"+v.Login+" "
	switch v.Group {
	case linnet.PrivateGroup:
		f.Visibility = linnet.Private
	case linnet.Chat:
		f.Visibility = linnet.Direct
	default:
		f.Visibility = min(f.Visibility, linnet.Unlisted)
	}
	return &f
}

// row is the row of a status on the page of the group that it is posted in.
func (p groupPage) row(s linnet.StatusView) *postRow {
	r := row(p.c, s)
	r.Booster, r.AtGroup = nil, true
	if p.Runs() && !r.S.Withdrawn {
		r.Takes = p.Base()
	}
	return r
}

// changeMembership does what a button of a group says about the reader.
func (h *groupPages) changeMembership(c *call) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	path := "/@" + url.PathEscape(v.Login)
	act := map[string]string{"join": "follow", "leave": "unfollow", "notify": "notify", "unnotify": "unnotify", "boosts": "boosts", "noboosts": "noboosts"}[c.r.PostForm.Get("act")]
	do := h.peoplePages.relationActNamed(c, act)
	if do == nil {
		return &httpError{code: http.StatusBadRequest, msg: "This form doesn't specify an action.", back: path, text: "Go to the group"}
	}
	if _, err := do(c.r.Context(), c.me.ID, v.ID); err != nil {
		return fmt.Errorf("change a membership: %w", err)
	}
	switch {
	case act == "unfollow" && v.Group == linnet.Chat:
		return c.seeOther("/groups") // the group isn't visible any more
	case act == "unfollow" && v.Mine.Role > linnet.Outsider:
		return c.seeOther(path)
	}
	return c.seeOther(c.cameFrom(path))
}
