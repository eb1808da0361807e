package group

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/ui"
)

// memberRow is a user on a page of a group, with the actions of the reader, see [member].
type memberRow struct {
	people.Row
	Base string // of the group's addresses
	Role linnet.GroupRole
	Acts []memberAct
	Menu bool // actions are in a menu
}

// memberAct is a button of an action. With a path it links to a confirmation.
type memberAct struct {
	Word, Text, Path string
	Danger           bool
}

// RoleText returns the role of the user; "" for plain members.
func (r memberRow) RoleText() string {
	switch r.Role {
	case linnet.GroupModerator:
		return r.C.Tr("moderator")
	case linnet.GroupOwner:
		return r.C.Tr("owner")
	}
	return ""
}

// nameForm asks for users by login.
type nameForm struct {
	Action, Label, Hint, Button string
	Value                       string
	Many                        bool
	Errors                      page.FieldErrors
}

type groupPeoplePage struct {
	Head
	Heading string
	Title   string // of the page, with the name of the group
	Chips   []ui.Tab
	Form    *nameForm
	Rows    []memberRow
	Pager   ui.Pager
	Empty   ui.Empty
}

func showGroupPeople(c *page.Context, code int, p groupPeoplePage) error {
	return c.Render(code, page.Page{Title: p.Title, Here: "/groups", Body: groupPeopleView(c, p), SidePanel: groupAboutAside(p.Head)})
}

// groupMembers shows the members of a group, or its moderators and owners.
func (h *Pages) groupMembers(c *page.Context) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	q := c.PageQuery(linnet.MaxPage)
	word := c.Request.URL.Query().Get("role")
	role, _ := linnet.ParseGroupRole(word)
	members, err := h.Groups.GroupMembers(c.Request.Context(), c.Viewer(), v.ID, role, q)
	if err != nil {
		return fmt.Errorf("read the members of a group: %w", err)
	}
	if page.AtTop(q, len(members.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	last, err := h.lastOwner(c, v)
	if err != nil {
		return err
	}
	p := groupPeoplePage{Head: headOf(c, v, "/members"), Heading: c.Tr("Members"), Title: c.Tr("Members of %s", ui.DisplayName(v.UserView)), Pager: c.Pager(q, members.First, members.Last),
		Empty: ui.Empty{Icon: "people", Title: c.Tr("No results"), Text: c.Tr("No one has this role.")}}
	for _, chip := range [...][2]string{{"", c.Tr("All")}, {"owner", c.Tr("Owners")}, {"moderator", c.Tr("Moderators")}} {
		path := p.Base() + "/members"
		if chip[0] != "" {
			path += "?role=" + chip[0]
		}
		p.Chips = append(p.Chips, ui.Tab{Path: path, Text: chip[1], Here: word == chip[0]})
	}
	for _, m := range members.Items {
		p.Rows = append(p.Rows, memberRow{Row: people.Row{C: c, Who: m.UserView}, Base: p.Base(), Role: m.Role, Menu: true, Acts: p.actsOn(m, last)})
	}
	return showGroupPeople(c, http.StatusOK, p)
}

// actsOn returns the reader's actions on a member. last reports that the member is the only owner.
func (p *groupPeoplePage) actsOn(m linnet.Membership, last bool) (acts []memberAct) {
	c, mine, self := p.c, p.G.Mine.Role, m.ID == p.c.Viewer()
	if mine == linnet.GroupOwner && self && !last {
		return []memberAct{{Word: "demote", Text: c.Tr("Step down as owner")}}
	}
	if self || !mine.Over(m.Role) {
		return nil
	}
	if mine == linnet.GroupOwner {
		if m.Role == linnet.GroupModerator {
			acts = append(acts, memberAct{Word: "demote", Text: c.Tr("Make a member")})
		} else {
			acts = append(acts, memberAct{Word: "promote", Text: c.Tr("Make a moderator")})
		}
		acts = append(acts, memberAct{Text: c.Tr("Make an owner"), Path: p.Base() + "/owner?person=" + url.QueryEscape(m.Login)})
	}
	return append(acts, memberAct{Word: "remove", Text: c.Tr("Remove from the group"), Danger: true}, memberAct{Word: "ban", Text: c.Tr("Ban"), Danger: true})
}

// readPeople reads a page of a group's users.
type readPeople = func(ctx context.Context, me, group linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error)

// groupPeople fills a page with users of a group, for its moderators and owners.
func groupPeople(c *page.Context, v linnet.GroupView, code int, p groupPeoplePage, read readPeople, acts ...memberAct) error {
	q := c.PageQuery(linnet.MaxPage)
	users, err := read(c.Request.Context(), c.Me.ID, v.ID, q)
	if err != nil {
		return fmt.Errorf("read the members of a group: %w", err)
	}
	if page.AtTop(q, len(users.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	p.Pager = c.Pager(q, users.First, users.Last)
	for _, u := range users.Items {
		p.Rows = append(p.Rows, memberRow{Row: people.Row{C: c, Who: u}, Base: p.Base(), Acts: acts})
	}
	return showGroupPeople(c, code, p)
}

func (h *Pages) groupRequests(c *page.Context) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	return groupPeople(c, v, http.StatusOK, groupPeoplePage{Head: headOf(c, v, "/requests"), Heading: c.Tr("Requests"), Title: c.Tr("Join requests for %s", ui.DisplayName(v.UserView)),
		Empty: ui.Empty{Icon: "people", Title: c.Tr("No requests"), Text: c.Tr("Requests to join appear here.")}}, h.Groups.GroupRequests,
		memberAct{Word: "accept", Text: c.Tr("Accept")}, memberAct{Word: "reject", Text: c.Tr("Decline")})
}

func (h *Pages) groupInvited(c *page.Context) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	return h.showInvited(c, http.StatusOK, v, typedName(c), nil)
}

// typedName returns the name that a link fills into the form.
func typedName(c *page.Context) string { return c.Request.URL.Query().Get("person") }

func (h *Pages) showInvited(c *page.Context, code int, v linnet.GroupView, typed string, errs page.FieldErrors) error {
	p := groupPeoplePage{Head: headOf(c, v, "/invite"), Heading: c.Tr("Invitations"), Title: c.Tr("Invitations to %s", ui.DisplayName(v.UserView)),
		Empty: ui.Empty{Icon: "mail", Title: c.Tr("No open invitations"), Text: c.Tr("People who haven't answered their invitation appear here.")},
		Form: &nameForm{Action: paths.Group(v.Login) + "/invite", Label: c.Tr("People to invite"), Button: c.Tr("Invite"), Many: true, Value: typed, Errors: errs,
			Hint: c.Tr("Usernames separated by spaces. We notify the people you invite, and they can accept or decline.")}}
	return groupPeople(c, v, code, p, h.Groups.GroupInvited, memberAct{Word: "takeback", Text: c.Tr("Withdraw")})
}

func (h *Pages) inviteToGroup(c *page.Context) error {
	v, err := h.groupAs(c, linnet.GroupModerator)
	if err != nil {
		return err
	}
	typed, errs := c.Typed("names"), page.FieldErrors{}
	who, err := h.peopleNamed(c, typed, &errs)
	if err != nil {
		return err
	}
	if len(who) == 0 && len(errs) == 0 {
		errs["invite"] = c.Tr("Enter at least one username.")
	}
	if len(errs) == 0 {
		err = h.Groups.InviteToGroup(c.Request.Context(), c.Me.ID, v.ID, who)
		if err == nil {
			return c.Redirect(paths.Group(v.Login) + "/invite")
		}
		if !errs.Add(c, err, groupInputs(c)) {
			return fmt.Errorf("invite to a group: %w", err)
		}
	}
	return h.showInvited(c, http.StatusUnprocessableEntity, v, typed, errs)
}

func (h *Pages) groupBans(c *page.Context) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	return h.showBans(c, http.StatusOK, v, typedName(c), nil)
}

func (h *Pages) showBans(c *page.Context, code int, v linnet.GroupView, typed string, errs page.FieldErrors) error {
	p := groupPeoplePage{Head: headOf(c, v, "/bans"), Heading: c.Tr("Banned"), Title: c.Tr("People banned from %s", ui.DisplayName(v.UserView)),
		Empty: ui.Empty{Icon: "stop", Title: c.Tr("No one is banned"), Text: c.Tr("Banned people can't join or request to join.")},
		Form: &nameForm{Action: paths.Group(v.Login) + "/bans", Label: c.Tr("Person to ban"), Button: c.Tr("Ban"), Value: typed, Errors: errs,
			Hint: c.Tr("Enter a username. If the person is a member, we remove them from the group.")}}
	return groupPeople(c, v, code, p, h.Groups.GroupBans, memberAct{Word: "unban", Text: c.Tr("Unban")})
}

func (h *Pages) banFromGroup(c *page.Context) error {
	v, err := h.groupAs(c, linnet.GroupModerator)
	if err != nil {
		return err
	}
	typed, errs := c.Typed("names"), page.FieldErrors{}
	who, err := h.peopleNamed(c, typed, &errs)
	switch {
	case err != nil:
		return err
	case len(who) != 1 && len(errs) == 0:
		errs["invite"] = c.Tr("Enter one username.")
	case len(errs) == 0:
		if err = h.Groups.BanMember(c.Request.Context(), c.Me.ID, v.ID, who[0]); err == nil {
			return c.Redirect(paths.Group(v.Login) + "/bans")
		}
		if !errs.Add(c, err, groupInputs(c)) {
			return fmt.Errorf("ban from a group: %w", err)
		}
	}
	return h.showBans(c, http.StatusUnprocessableEntity, v, typed, errs)
}

// memberChange returns the function of an action.
func (h *Pages) memberChange(c *page.Context, act string) func(ctx context.Context, me, group, who linnet.ID) error {
	give := func(role linnet.GroupRole) func(context.Context, linnet.ID, linnet.ID, linnet.ID) error {
		return func(ctx context.Context, me, group, who linnet.ID) error {
			_, err := h.Groups.SetGroupRole(ctx, me, group, who, role)
			return err
		}
	}
	switch act {
	case "accept":
		return h.Groups.AcceptMember
	case "reject":
		return h.Groups.RejectMember
	case "remove":
		return h.Groups.KickMember
	case "ban":
		return h.Groups.BanMember
	case "unban":
		return h.Groups.UnbanMember
	case "takeback":
		return h.Groups.TakeBackInvite
	case "promote":
		return give(linnet.GroupModerator)
	case "demote":
		return give(linnet.GroupMember)
	}
	return nil
}

func (h *Pages) changeMember(c *page.Context) error {
	v, err := h.groupHere(c)
	if err != nil {
		return err
	}
	path := paths.Group(v.Login) + "/members"
	do := h.memberChange(c, c.Request.PostForm.Get("act"))
	if do == nil {
		return &page.Error{Code: http.StatusBadRequest, Msg: "The form is incomplete. Reload the page and try again.", Back: path, BackText: "Go to the members"}
	}
	who, ok := linnet.ParseID(c.Request.PostForm.Get("person"))
	if !ok {
		return page.NotFound()
	}
	if err := do(c.Request.Context(), c.Me.ID, v.ID, who); err != nil {
		return fmt.Errorf("change the members of a group: %w", err)
	}
	return c.Redirect(c.PreviousPage(path))
}

// ownerForm asks for confirmation before a user becomes an owner, because only that user can give
// it up again.
func (h *Pages) ownerForm(c *page.Context) error {
	v, err := h.groupAs(c, linnet.GroupOwner)
	if err != nil {
		return err
	}
	who, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, typedName(c))
	if err != nil {
		return page.OrNotFound(err, "look up whom to hand over to")
	}
	return showQuestion(c, groupQuestion{Head: headOf(c, v, ""), Heading: c.Tr("Make %s an owner?", "@"+who.Login), Button: c.Tr("Make an owner"),
		Text: c.Tr("Owners can do everything, including deleting the group. You can't remove an owner, but owners can step down."),
		Act:  "owner", Person: who.ID.String(), Check: c.Tr("Step down and become a member"), Action: paths.Group(v.Login) + "/owner", Back: paths.Group(v.Login) + "/members"})
}

// makeOwner makes a user an owner, and ends the reader's ownership if the reader chose that.
func (h *Pages) makeOwner(c *page.Context) error {
	v, err := h.groupAs(c, linnet.GroupOwner)
	if err != nil {
		return err
	}
	who, ok := linnet.ParseID(c.Request.PostForm.Get("person"))
	if !ok || who == c.Me.ID {
		return page.NotFound()
	}
	if _, err := h.Groups.SetGroupRole(c.Request.Context(), c.Me.ID, v.ID, who, linnet.GroupOwner); err != nil {
		return fmt.Errorf("make a member an owner: %w", err)
	}
	if c.Request.PostForm.Get("also") != "" {
		if _, err := h.Groups.SetGroupRole(c.Request.Context(), c.Me.ID, v.ID, c.Me.ID, linnet.GroupMember); err != nil {
			return fmt.Errorf("step down as owner: %w", err)
		}
	}
	return c.Redirect(paths.Group(v.Login) + "/members")
}
