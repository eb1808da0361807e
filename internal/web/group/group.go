package group

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// Head is the heading of all pages of a group.
type Head struct {
	c *page.Context
	G linnet.GroupView
	// Tabs are the pages of the group for this reader; nil if there is only one.
	Tabs []ui.Tab
}

// Base returns the path prefix of the group's pages.
func (h Head) Base() string { return paths.Group(h.G.Login) }

// Member reports whether the reader is in the group.
func (h Head) Member() bool { return h.G.Mine.Role > linnet.Outsider }

// Runs reports whether the reader is a moderator or an owner of the group.
func (h Head) Runs() bool { return h.G.Mine.Role >= linnet.GroupModerator }

// Owns reports whether the reader is an owner of the group.
func (h Head) Owns() bool { return h.G.Mine.Role == linnet.GroupOwner }

// Edits reports whether the reader can change the group. Owners can, and moderators of the server.
func (h Head) Edits() bool { return h.Owns() || h.c.May(linnet.ManageUsers) }

// NeedsApproval reports whether new members need approval.
func (h Head) NeedsApproval() bool { return h.G.Locked }

// Kind returns the name of the kind of group.
func (h Head) Kind() string { return h.c.Tr(ui.GroupKindName(h.G.Group)) }

// About describes the kind of group in a sentence.
func (h Head) About() string { return h.c.Tr(ui.GroupKindText(h.G.Group)) }

// groupHere returns the group in the path, if the reader can see it.
func (h *Pages) groupHere(c *page.Context) (linnet.GroupView, error) {
	return h.Composer.GroupNamed(c, c.Request.PathValue("login"))
}

// groupAs is like groupHere, but returns the error of the service unless the reader has a role.
func (h *Pages) groupAs(c *page.Context, role linnet.GroupRole) (linnet.GroupView, error) {
	v, err := h.groupHere(c)
	if err != nil {
		return v, err
	}
	if v, err = h.Groups.GroupAs(c.Request.Context(), c.Me.ID, v.ID, role); err != nil {
		return v, fmt.Errorf("load a group to manage it: %w", err)
	}
	return v, nil
}

// headOf returns the heading of a group's page. here is the path of the page below the group's
// path; "" for the group's own page.
func headOf(c *page.Context, v linnet.GroupView, here string) Head {
	h := Head{c: c, G: v}
	if !v.Inside && !h.Edits() {
		return h
	}
	tabs := []ui.Tab{{Path: "/@" + url.PathEscape(v.Login), Text: c.Tr("Posts"), Here: here == ""}}
	add := func(when bool, path, text string) {
		if when {
			tabs = append(tabs, ui.Tab{Path: h.Base() + path, Text: text, Here: here == path})
		}
	}
	asking := c.Tr("Requests")
	if v.Requests > 0 {
		asking += " (" + c.Num(v.Requests) + ")"
	}
	add(v.Inside, "/members", c.Tr("Members"))
	add(h.Runs() && (v.Locked || v.Requests > 0), "/requests", asking)
	add(h.Runs(), "/invite", c.Tr("Invite"))
	add(h.Runs(), "/bans", c.Tr("Bans"))
	add(h.Edits(), "/edit", c.Tr("Settings"))
	if len(tabs) > 1 {
		h.Tabs = tabs
	}
	return h
}

// requestsShown is the number of requests to join on a group's own page, and membersShown the
// number of members next to it.
const requestsShown, membersShown = 3, 5

type groupPage struct {
	Head
	Compose *compose.Form // nil if the reader can't post, and on older pages
	Posts   []linnet.StatusView
	Joins   []JoinRequest // some of the pending requests, on the first page for moderators and owners
	Pager   ui.Pager
	Empty   ui.Empty
	Live    string // address of live updates; "" for none
}

// Group shows a group in place of a profile. Readers who aren't members of a closed group see only
// its heading.
func (h *Pages) Group(c *page.Context, who linnet.UserView) error {
	v, err := h.Composer.GroupNamed(c, who.Login)
	if err != nil {
		return err
	}
	p := groupPage{Head: headOf(c, v, ""), Empty: ui.Empty{Icon: "speech", Title: c.Tr("No posts yet"), Text: c.Tr("Posts from group members appear here.")}}
	main := page.Page{Title: ui.DisplayName(v.UserView) + " (@" + v.Login + ")", Here: "/groups",
		Card: people.ProfileCard(v.UserView)}
	if v.Mine.Banned {
		p.Empty = ui.Empty{Icon: "stop", Title: c.Tr("Not available"), Text: c.Tr("You can't see posts in this group.")}
	}
	if v.Group == linnet.Chat && v.Inside && p.Member() {
		return h.ChatPage(c, p.Head)
	}
	q := c.PageQuery(linnet.DefaultPage)
	if !v.Inside {
		p.Empty = ui.Empty{Icon: "lock", Title: c.Tr("Members only"), Text: c.Tr("Only members can see the posts and members of this group.")}
	} else {
		posts, err := h.Reading.GroupTimeline(c.Request.Context(), c.Viewer(), v.ID, q)
		if err != nil {
			return fmt.Errorf("read a group: %w", err)
		}
		if page.AtTop(q, len(posts.Items)) {
			return c.Redirect(c.WithCursor("", ""))
		}
		p.Posts, p.Pager = post.Visible(posts.Items), c.Pager(q, posts.First, posts.Last)
		if p.Member() {
			p.Live = c.LiveAddress(url.Values{"of": {"list"}, "list": {linnet.ListOfGroup(v.ID).String()}}, q, posts.First)
		}
	}
	if q.Max == "" && q.Min == "" {
		p.Compose = GroupComposer(c, v)
		if v.Requests > 0 {
			asking, err := h.Groups.GroupRequests(c.Request.Context(), c.Me.ID, v.ID, linnet.Page{Limit: requestsShown})
			if err != nil {
				return fmt.Errorf("read requests to join: %w", err)
			}
			for _, u := range asking.Items {
				p.Joins = append(p.Joins, JoinRequest{Who: u, Group: v.UserView, Pending: true})
			}
		}
	}
	if v.Inside && c.Me != nil && q.Max == "" && q.Min == "" {
		members, err := h.Groups.GroupMembers(c.Request.Context(), c.Me.ID, v.ID, linnet.GroupMember, linnet.Page{Limit: membersShown})
		page.LogMissing(c, err) // the page is useful without them
		if len(members.Items) > 0 {
			main.SidePanel = groupMembersAside(p.Head, members.Items)
		}
	}
	c.Shared = true
	main.Body = groupView(c, p)
	return c.Render(http.StatusOK, main)
}

// GroupComposer returns the form for a post in a group, or nil if the reader can't post in it.
func GroupComposer(c *page.Context, v linnet.GroupView) *compose.Form {
	needed := linnet.GroupMember
	if v.Group == linnet.AnnouncementGroup {
		needed = linnet.GroupModerator
	}
	if c.Me == nil || v.Mine.Role < needed {
		return nil
	}
	f := compose.New(c)
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

// row returns the row of a status on the page of its group.
func (p groupPage) row(s linnet.StatusView) *post.Row {
	r := post.NewRow(p.c, s)
	r.Booster, r.AtGroup = nil, true
	if p.Runs() && !r.S.Withdrawn {
		r.RemovePath = p.Base()
	}
	return r
}

// changeMembership lets the reader join or leave a group, or changes whether they see its boosts
// and get notifications.
func (h *Pages) changeMembership(c *page.Context) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	path := "/@" + url.PathEscape(v.Login)
	act := map[string]string{"join": "follow", "leave": "unfollow", "notify": "notify", "unnotify": "unnotify", "boosts": "boosts", "noboosts": "noboosts"}[c.Request.PostForm.Get("act")]
	do := h.People.RelationActNamed(c, act)
	if do == nil {
		return &page.Error{Code: http.StatusBadRequest, Msg: "The form is incomplete. Reload the page and try again.", Back: path, BackText: "Go to the group"}
	}
	if _, err := do(c.Request.Context(), c.Me.ID, v.ID); err != nil {
		return fmt.Errorf("change a membership: %w", err)
	}
	before := c.PreviousPage(path)
	switch {
	case act == "unfollow" && v.Group == linnet.Chat && (v.Mine.Role > linnet.Outsider || strings.HasPrefix(before, path)):
		return c.Redirect("/groups") // the group isn't visible any more
	case act == "unfollow" && v.Mine.Role > linnet.Outsider:
		return c.Redirect(path)
	}
	return c.Redirect(before)
}
