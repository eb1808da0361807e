package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/moderation"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// accountCell returns a link to the account's page in the administration, or to its profile for
// readers who can't open that.
func accountCell(c *page.Context, u *linnet.UserView) form.Cell {
	if u == nil {
		return form.TextCell(c.Tr("no one"))
	}
	if !c.May(linnet.ManageUsers) {
		return form.LinkCell("@"+u.Login, "/@"+url.PathEscape(u.Login))
	}
	return form.LinkCell("@"+u.Login, paths.AdminUser(u.Login))
}

// users lists accounts: users or groups, with a state, with a role, or matching a name. A search by
// name shows groups in a separate table.
func (h *Pages) users(c *page.Context) (*form.Page, error) {
	in := c.Request.URL.Query()
	q := moderation.AccountsQuery{State: linnet.AccountState(in.Get("state")), Named: strings.TrimPrefix(strings.TrimSpace(in.Get("q")), "@"), Groups: in.Get("groups") != ""}
	if in.Get("staff") != "" {
		q.Role = linnet.Moderator
	}
	title := c.Tr("People")
	if q.Groups {
		title = c.Tr("Groups")
	}
	list, err := h.accountsPart(c, q)
	if err != nil {
		return nil, err
	}
	parts := []form.Section{list}
	if q.Named != "" && !q.Groups {
		q.Groups = true
		groups, err := h.accountsPart(c, q)
		if err != nil {
			return nil, err
		}
		if groups.Title = c.Tr("Groups"); len(groups.Table.Rows) > 0 {
			parts = append(parts, groups)
		}
	}
	states := []string{"", c.Tr("All"), string(linnet.StatePending), c.Tr("Waiting for approval"), string(linnet.StateActive), c.Tr("Active"), string(linnet.StateSilenced), c.Tr("Silenced"),
		string(linnet.StateDisabled), c.Tr("Disabled"), string(linnet.StateSuspended), c.Tr("Suspended")}
	other := in.Get("staff")+in.Get("groups") != ""
	var links []form.Link
	for i := 0; i < len(states); i += 2 {
		links = append(links, form.Link{Path: paths.AdminUsers + "?state=" + states[i], Text: states[i+1], Here: in.Get("state") == states[i] && !other})
	}
	links = append(links, form.Link{Path: paths.AdminUsers + "?staff=1", Text: c.Tr("Staff"), Here: in.Get("staff") != ""},
		form.Link{Path: paths.AdminGroups, Text: c.Tr("Groups"), Here: in.Get("groups") != ""})
	return &form.Page{Title: title, Path: paths.AdminUsers, Parts: parts,
		Filter: &form.FilterBar{Action: paths.AdminUsers, Name: "q", Label: c.Tr("Display name or username"), Value: in.Get("q"), Links: links}}, nil
}

// accountsPart returns a page of accounts as a table.
func (h *Pages) accountsPart(c *page.Context, q moderation.AccountsQuery) (form.Section, error) {
	list, err := h.Moderation.Accounts(c.Request.Context(), c.Actor(), q, form.ListPage(c))
	if err != nil {
		return form.Section{}, err
	}
	t := &form.Table{Caption: c.Tr("People"), Head: []string{c.Tr("Person"), c.Tr("Status"), c.Tr("Role"), c.Tr("Posts"), c.Tr("Since")}, Empty: c.Tr("No accounts found.")}
	if q.Groups {
		t = &form.Table{Caption: c.Tr("Groups"), Head: []string{c.Tr("Group"), c.Tr("Status"), c.Tr("Type"), c.Tr("Members"), c.Tr("Posts"), c.Tr("Since")}, Empty: c.Tr("No groups.")}
	}
	for _, v := range list.Items {
		row := []form.Cell{accountCell(c, &v.UserView).With(form.TextCell(v.Name)), form.TextCell(stateWords(c, &v.User))}
		if q.Groups {
			row = append(row, form.TextCell(c.Tr(ui.GroupKindName(v.Group))), form.CountCell(v.Followers))
		} else {
			row = append(row, form.TextCell(h.roleWords(c, &v.User)))
		}
		t.Rows = append(t.Rows, append(row, form.CountCell(v.Statuses), form.TimeCell(v.ID.Time())))
	}
	return form.Section{Table: t, Older: form.OlderPath(c, list.Last)}, nil
}

func stateWords(c *page.Context, u *linnet.User) string {
	var words []string
	for _, s := range []struct {
		on   bool
		word string
	}{{u.Unapproved, c.Tr("pending")}, {u.Suspended, c.Tr("suspended")}, {u.Silenced, c.Tr("silenced")}, {u.Disabled, c.Tr("disabled")}} {
		if s.on {
			words = append(words, s.word)
		}
	}
	if len(words) == 0 {
		return c.Tr("active")
	}
	return strings.Join(words, c.Tr(", "))
}

// roleWords returns the name of a user's role.
func (h *Pages) roleWords(c *page.Context, u *linnet.User) string {
	if u.Custom == 0 {
		return c.Tr(builtInWords(u.Role))
	}
	return h.Core.KnownRoles().NameOf(u)
}

// builtInWords returns the name of a built-in role, which is also its value in forms.
func builtInWords(r linnet.Role) string {
	return [...]string{locale.Mark("member"), locale.Mark("moderator"), locale.Mark("administrator")}[min(r, linnet.Admin)]
}

// accountInPath returns the account in the path, in any state.
func (h *Pages) accountInPath(c *page.Context) (linnet.AccountView, error) {
	ctx := c.Request.Context()
	u, err := h.Moderation.AccountNamed(ctx, c.Actor(), c.Request.PathValue("login"))
	if err != nil {
		return linnet.AccountView{}, err
	}
	return h.Moderation.Account(ctx, c.Actor(), u.ID)
}

func (h *Pages) user(c *page.Context) (*form.Page, error) {
	v, err := h.accountInPath(c)
	if err != nil {
		return nil, err
	}
	return h.userPage(c, v)
}

// userPage returns the page of an account with all possible actions.
func (h *Pages) userPage(c *page.Context, v linnet.AccountView) (*form.Page, error) {
	ctx := c.Request.Context()
	p := &form.Page{Title: "@" + v.Login, Path: paths.AdminUsers, Back: &form.Link{Path: paths.AdminUsers, Text: c.Tr("All people")}}
	if !v.Person() {
		p.Back = &form.Link{Path: paths.AdminGroups, Text: c.Tr("All groups")}
	}
	facts := h.accountFacts(c, &v)
	if v.Email != "" {
		words := c.Tr("%s (not confirmed)", v.Email)
		if v.EmailConfirmed {
			words = c.Tr("%s (confirmed)", v.Email)
		}
		facts = append(facts, form.Fact{Name: c.Tr("E-mail address"), Is: form.TextCell(words)})
	}
	if v.Reason != "" {
		facts = append(facts, form.Fact{Name: c.Tr("Reason for joining"), Is: form.TextCell(v.Reason)})
	}
	if v.InvitedBy != 0 {
		by, err := h.Moderation.Account(ctx, c.Actor(), v.InvitedBy)
		switch {
		case err == nil:
			facts = append(facts, form.Fact{Name: c.Tr("Invited by"), Is: accountCell(c, &by.UserView)})
		case !page.IsKind(err, linnet.NotFound):
			return nil, err
		}
	}
	var links []form.Link
	for _, a := range h.userActs(c) {
		if a.offered(c, &v) {
			links = append(links, form.Link{Path: paths.AdminUser(v.Login) + "/" + a.word, Text: a.text})
		}
	}
	p.Parts = append(p.Parts, form.Section{Facts: facts}, form.Section{Title: c.Tr("Actions"), Links: links})
	strikes, err := h.Moderation.Strikes.Of(ctx, c.Actor(), v.ID, form.ListPage(c))
	if err != nil {
		return nil, err
	}
	if len(strikes.Items) > 0 {
		p.Parts = append(p.Parts, form.Section{Title: c.Tr("Strikes"), Table: strikeTable(c, strikes.Items, true), Older: form.OlderPath(c, strikes.Last)})
	}
	if c.May(linnet.ManageReports) {
		on, err := h.Moderation.Reports(ctx, c.Actor(), linnet.ReportFilter{On: v.ID}, linnet.Page{Limit: linnet.DefaultPage})
		if err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, form.Section{Title: c.Tr("Open reports"), Table: reportTable(c, on.Items, true)})
	}
	return p, nil
}

// accountFacts returns the properties of an account. A group has its type and members.
func (h *Pages) accountFacts(c *page.Context, v *linnet.AccountView) []form.Fact {
	state, name := form.Fact{Name: c.Tr("Status"), Is: form.TextCell(stateWords(c, &v.User))}, form.Fact{Name: c.Tr("Name"), Is: form.TextCell(v.Name)}
	profile, since := form.Fact{Name: c.Tr("Profile"), Is: form.LinkCell("@"+v.Login, "/@"+v.Login)}, form.Fact{Name: c.Tr("Since"), Is: form.TimeCell(v.ID.Time())}
	if !v.Person() {
		return []form.Fact{state, {Name: c.Tr("Type"), Is: form.TextCell(c.Tr(ui.GroupKindName(v.Group)))}, name, profile, since, {Name: c.Tr("Posts"), Is: form.CountCell(v.Statuses)}, {Name: c.Tr("Members"), Is: form.CountCell(v.Followers)}}
	}
	return []form.Fact{state, {Name: c.Tr("Role"), Is: form.TextCell(h.roleWords(c, &v.User))}, name, profile, since, {Name: c.Tr("Posts"), Is: form.CountCell(v.Statuses)},
		{Name: c.Tr("Followers"), Is: form.CountCell(v.Followers)}, {Name: c.Tr("Following"), Is: form.CountCell(v.Following)}}
}

// result is what the page shows after an action; empty for most actions.
type result struct{ Done, Link string }

// userAct is an action on an account.
type userAct struct {
	word, text, about string
	needs             linnet.Permission
	when              func(*linnet.User) bool
	do                func(c *page.Context, v *linnet.AccountView, reason string) (result, error)
	strikes           bool // it has strikeFields
}

// offered reports whether the reader can perform the action on an account.
func (a *userAct) offered(c *page.Context, v *linnet.AccountView) bool {
	return c.MayActOn(a.needs, &v.User) && a.when(&v.User)
}

// moderationAct returns a moderation action. The action is offered unless it would change nothing.
func (h *Pages) moderationAct(word, text, about string, act linnet.Moderation) userAct {
	return userAct{word: word, text: text, about: about, needs: linnet.ManageUsers,
		when: func(u *linnet.User) bool {
			flag, to := act.Flag(u)
			return flag == nil || *flag != to
		},
		do: func(c *page.Context, v *linnet.AccountView, reason string) (result, error) {
			return result{}, h.Moderation.Moderate(c.Request.Context(), c.Actor(), linnet.Measure{On: v.ID, Act: act, Reason: reason})
		}}
}

// strikeAct returns a moderation action that creates a strike.
func (h *Pages) strikeAct(word, text, about string, act linnet.Moderation) userAct {
	a := h.moderationAct(word, text, about, act)
	a.strikes = true
	a.do = func(c *page.Context, v *linnet.AccountView, _ string) (result, error) {
		return result{}, h.Moderation.Moderate(c.Request.Context(), c.Actor(), measure(c, v.ID, act))
	}
	return a
}

func (h *Pages) userActs(c *page.Context) []userAct {
	person := (*linnet.User).Person // groups don't log in
	lower := func(u *linnet.User) bool { return person(u) && u.Role < linnet.Admin }
	reject := h.moderationAct("reject", c.Tr("Reject"), c.Tr("Permanently deletes the account. The username can't be used again."), linnet.Reject)
	reject.when = func(u *linnet.User) bool { return u.Unapproved }
	return []userAct{
		h.moderationAct("approve", c.Tr("Approve"), c.Tr("Lets the person log in."), linnet.Approve),
		reject,
		h.moderationAct("note", c.Tr("Add note"), c.Tr("Adds a note to the audit log. Nothing else changes."), linnet.Note),
		h.strikeAct("warn", c.Tr("Warn"), c.Tr("Sends the person a warning. Nothing else changes."), linnet.Warn),
		h.strikeAct("silence", c.Tr("Silence"), c.Tr("Hides the account's posts from public timelines, trends and the search results of people who don't follow the account. By default, only followers get notifications from the account. The profile stays visible."), linnet.Silence),
		h.moderationAct("unsilence", c.Tr("Undo silence"), c.Tr("Shows the account's posts in public timelines, trends and search results again."), linnet.Unsilence),
		h.strikeAct("sensitive", c.Tr("Mark as sensitive"), c.Tr("Shows all posts of the account as sensitive."), linnet.Sensitize),
		h.moderationAct("unsensitive", c.Tr("Unmark as sensitive"), c.Tr("Stops showing all posts of the account as sensitive. Posts published in the meantime stay sensitive."), linnet.Unsensitize),
		h.strikeAct("disable", c.Tr("Disable"), c.Tr("Blocks logins, sessions and apps of the account until you enable it again. The profile stays visible."), linnet.Disable),
		h.moderationAct("enable", c.Tr("Enable"), c.Tr("Lets the person use the account again, including existing sessions and apps."), linnet.Enable),
		h.strikeAct("suspend", c.Tr("Suspend"), c.Tr("Hides the account everywhere and blocks its logins, sessions and apps until you unsuspend it."), linnet.Suspend),
		h.moderationAct("unsuspend", c.Tr("Unsuspend"), c.Tr("Makes the account visible again and lets the person log in."), linnet.Unsuspend),
		{"password", c.Tr("Create password reset link"), c.Tr("For people who forgot their password. Give the link to the person, who can then set a new password once within 24 hours. We notify the person that the link was created."), linnet.ManageUserAccess, lower, h.resetLink(false), false},
		{"two-factor", c.Tr("Create two-factor reset link"), c.Tr("For people who lost their device and their recovery codes. With the link and their password, the person can turn off two-factor authentication once within 24 hours. We notify the person that the link was created."), linnet.ManageUserAccess, lower, h.resetLink(true), false},
		{"role", c.Tr("Change role"), c.Tr("Moderators handle reports and accounts. Administrators can do everything. Custom roles have the permissions you choose."), linnet.ManageRoles, person, h.giveRole, false},
		{"delete", c.Tr("Delete permanently"), c.Tr("Deletes all data of the suspended account. This can't be undone."), linnet.DeleteUserData, func(u *linnet.User) bool { return u.Suspended }, h.deleteSuspended, false},
	}
}

// resetLink returns the function of an action that creates a reset link.
func (h *Pages) resetLink(twoFactor bool) func(*page.Context, *linnet.AccountView, string) (result, error) {
	return func(c *page.Context, v *linnet.AccountView, reason string) (result, error) {
		if err := c.ConfirmPassword(); err != nil {
			return result{}, err
		}
		address, link, err := h.Identity.OfferReset(c.Request.Context(), c.Actor(), v.ID, twoFactor, reason)
		return result{c.Tr("Give this link to %s. It works once, until %s, and we won't show it again.",
			"@"+v.Login, c.Lang().Time(link.Expires.UTC(), locale.Mark("15:04 on 2 January 2006 (UTC)"))), address}, err
	}
}

func (h *Pages) giveRole(c *page.Context, v *linnet.AccountView, reason string) (result, error) {
	m := linnet.Measure{On: v.ID, Act: linnet.GiveRole, Reason: reason}
	typed, known := c.Typed("role"), false
	for r := linnet.Member; r <= linnet.Admin; r++ {
		if builtInWords(r) == typed {
			m.Role, known = r, true
		}
	}
	if id, ok := linnet.ParseID(typed); ok && !known {
		m.Custom, known = id, true
	}
	if !known {
		return result{}, linnet.FieldError("role", "ERR_INCLUSION", "doesn't exist")
	}
	return result{}, h.Moderation.Moderate(c.Request.Context(), c.Actor(), m)
}

func (h *Pages) deleteSuspended(c *page.Context, v *linnet.AccountView, _ string) (result, error) {
	return result{}, h.Moderation.DeleteAccount(c.Request.Context(), c.Actor(), v.ID)
}

// actInPath returns the account and the action in the path, if the action is possible now.
func (h *Pages) actInPath(c *page.Context) (linnet.AccountView, *userAct, error) {
	v, err := h.accountInPath(c)
	if err != nil {
		return v, nil, err
	}
	for _, a := range h.userActs(c) {
		if a.word == c.Request.PathValue("act") && a.offered(c, &v) {
			return v, &a, nil
		}
	}
	return v, nil, page.NotFound()
}

// action is the page that asks the reader to confirm an action and to give a reason.
func (h *Pages) action(c *page.Context) (*form.Page, error) {
	v, a, err := h.actInPath(c)
	if err != nil {
		return nil, err
	}
	f := form.New(c, paths.AdminUser(v.Login)+"/"+a.word, a.text)
	f.Grave = slices.Contains([]string{"reject", "silence", "disable", "suspend", "delete"}, a.word)
	if a.word == "role" {
		roles := form.Field{Kind: form.SelectField, Name: "role", Label: c.Tr("Role")}
		for r := linnet.Member; r <= linnet.Admin; r++ {
			if c.May(r.Permissions()) {
				roles.Choices = append(roles.Choices, form.Choice{Value: builtInWords(r), Label: ui.Capitalize(c.Tr(builtInWords(r))), On: v.Custom == 0 && v.Role == r})
			}
		}
		if set := h.Core.KnownRoles(); set != nil {
			for _, r := range set.Roles {
				if c.May(r.Permissions) {
					roles.Choices = append(roles.Choices, form.Choice{Value: r.ID.String(), Label: r.Name, On: v.Custom == r.ID})
				}
			}
		}
		f.Fields = append(f.Fields, roles)
	}
	if (a.word == "password" || a.word == "two-factor") && !c.PasswordConfirmed() {
		f.Fields = append(f.Fields, form.Field{Kind: form.PasswordField, Name: "password", Label: c.Tr("Your password"), Required: true,
			Hint: c.Tr("Confirm your identity. We won't ask again for 15 minutes.")})
	}
	if a.strikes {
		fields, err := strikeFields(c, nil)
		if err != nil {
			return nil, err
		}
		f.Fields, f.Inputs = fields, strikeInputs(c)
	} else {
		f.Fields = append(f.Fields, form.Field{Kind: form.AreaField, Name: "text", Label: c.Tr("Reason"), Rows: 3, Hint: c.Tr("Moderators can read the reason in the audit log.")})
	}
	return &form.Page{Title: c.Tr("%s: %s", a.text, "@"+v.Login), Path: paths.AdminUsers, Form: f, Lead: a.about, Back: &form.Link{Path: paths.AdminUser(v.Login), Text: c.Tr("Cancel")}}, nil
}

// act performs an action on an account. It shows the result if there is one.
func (h *Pages) act(c *page.Context) error {
	v, a, err := h.actInPath(c)
	if err != nil {
		return err
	}
	shown, err := a.do(c, &v, c.Typed("text"))
	switch {
	case err != nil:
		return form.ShowErrors(c, h.action, err)
	case shown.Done != "":
		p, err := h.userPage(c, v)
		if err != nil {
			return err
		}
		p.Done, p.Link = shown.Done, shown.Link
		return p.Render(c, http.StatusOK)
	case a.word == "reject" || a.word == "delete":
		return c.Redirect(form.Saved(paths.AdminUsers))
	}
	return c.Redirect(form.Saved(paths.AdminUser(v.Login)))
}
