package group

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/ui"
)

// groupRow is a group in a list, see [groupLine].
type groupRow struct {
	c         *page.Context
	Who       linnet.UserView
	Invited   bool
	Requested bool
}

// Base returns the path prefix of the group's pages.
func (r groupRow) Base() string { return paths.Group(r.Who.Login) }

// Kind returns the name of the kind of group.
func (r groupRow) Kind() string { return r.c.Tr(ui.GroupKindName(r.Who.Group)) }

// groupBlock has the groups below a heading.
type groupBlock struct {
	ID, Heading string
	Rows        []groupRow
}

type groupsPage struct {
	Tabs   []ui.Tab
	Blocks []groupBlock
	Pager  ui.Pager
}

func groupTabs(c *page.Context, here string) []ui.Tab {
	return []ui.Tab{{Path: "/groups", Text: c.Tr("Your groups"), Here: here == "/groups"}, {Path: "/groups/find", Text: c.Tr("Find groups"), Here: here == "/groups/find"}}
}

// groupsShown is the maximum number of the reader's groups on a page.
const groupsShown = 60

// myGroups shows the groups related to the reader: invitations, requests, and memberships by role.
func (h *Pages) myGroups(c *page.Context) error {
	mine, err := h.Groups.GroupsAround(c.Request.Context(), c.Me.ID)
	if err != nil {
		return fmt.Errorf("read joined groups: %w", err)
	}
	from := offset(c, len(mine.In))
	p := groupsPage{Tabs: groupTabs(c, "/groups"), Pager: offsetPager("/groups?", from, groupsShown, from+groupsShown < len(mine.In))}
	add := func(id, heading string, rows []groupRow) {
		if len(rows) > 0 {
			p.Blocks = append(p.Blocks, groupBlock{id, heading, rows})
		}
	}
	if from == 0 {
		add("invited", c.Tr("Invitations"), groupRows(c, mine.Invited, groupRow{Invited: true}))
		add("asked", c.Tr("Requested to join"), groupRows(c, mine.Asked, groupRow{Requested: true}))
	}
	slices.SortStableFunc(mine.In, func(a, b linnet.GroupIn) int { return cmp.Compare(b.Role, a.Role) })
	shown := mine.In[from:min(from+groupsShown, len(mine.In))]
	for _, b := range []struct {
		id, heading string
		role        linnet.GroupRole
	}{{"owned", c.Tr("You own"), linnet.GroupOwner}, {"moderated", c.Tr("You moderate"), linnet.GroupModerator}, {"joined", c.Tr("You're a member"), linnet.GroupMember}} {
		var rows []linnet.UserView
		for _, g := range shown {
			if g.Role == b.role {
				rows = append(rows, g.UserView)
			}
		}
		add(b.id, b.heading, groupRows(c, rows, groupRow{}))
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Groups"), Here: "/groups", Body: groupsView(p)})
}

// groupRows returns groups for a list. like has the common properties.
func groupRows(c *page.Context, groups []linnet.UserView, like groupRow) []groupRow {
	rows := make([]groupRow, len(groups))
	like.c = c
	for i, g := range groups {
		rows[i] = like
		rows[i].Who = g
	}
	return rows
}

// offset returns the offset in the address, at most most.
func offset(c *page.Context, most int) int {
	n, err := strconv.Atoi(c.Request.URL.Query().Get("offset"))
	if err != nil {
		return 0
	}
	return min(max(n, 0), most)
}

// offsetPager returns the pager of a list with offsets. base ends with "?" or "&".
func offsetPager(base string, from, size int, more bool) (p ui.Pager) {
	if more {
		p.Older = base + "offset=" + strconv.Itoa(from+size)
	}
	if from > 0 {
		p.Newer = base + "offset=" + strconv.Itoa(max(from-size, 0))
	}
	return p
}

type findGroupsPage struct {
	Tabs  []ui.Tab
	Query string
	Rows  []people.Row
	Pager ui.Pager
	Empty ui.Empty
}

// findGroups shows groups to join: recently active ones, or those matching a name.
func (h *Pages) findGroups(c *page.Context) error {
	in := strings.TrimSpace(c.Request.URL.Query().Get("q"))
	p := findGroupsPage{Tabs: groupTabs(c, "/groups/find"), Query: in, Empty: ui.Empty{Icon: "group", Title: c.Tr("No groups yet"), Text: c.Tr("Groups you can join appear here. You can create the first group.")}}
	from, size := offset(c, linnet.MaxDirectory), linnet.DefaultPage
	var found []linnet.UserView
	var err error
	if in == "" {
		found, err = h.Discovery.Directory(c.Request.Context(), c.Me.ID, linnet.DirectoryQuery{Groups: true, Offset: from, Limit: size + 1})
	} else {
		q := discovery.TypedQuery(in)
		q.Groups, q.Offset, q.Limit = true, from, size+1
		found, err = h.Discovery.SearchUsers(c.Request.Context(), c.Me.ID, q)
		p.Empty = ui.Empty{Icon: "search", Title: c.Tr("Nothing found"), Text: c.Tr("No group here has that name.")}
	}
	if err != nil {
		return fmt.Errorf("find groups: %w", err)
	}
	base := "/groups/find?"
	if in != "" {
		base += "q=" + url.QueryEscape(in) + "&"
	}
	p.Pager = offsetPager(base, from, size, len(found) > size)
	if p.Rows, err = h.People.Rows(c, found[:min(size, len(found))]); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Find groups"), Here: "/groups", Body: groupsFindView(p)})
}
