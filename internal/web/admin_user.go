package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/moderation"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// accountCell links to the account's page in the administration, or to its profile for readers who
// can't open that.
func accountCell(c *call, u *linnet.UserView) cell {
	if u == nil {
		return textCell(c.tr("no one"))
	}
	if !c.may(linnet.ManageUsers) {
		return linkCell("@"+u.Login, "/@"+url.PathEscape(u.Login))
	}
	return linkCell("@"+u.Login, paths.AdminUser(u.Login))
}

func accountStates(c *call) []string {
	return []string{"", c.tr("All"), string(linnet.StatePending), c.tr("Waiting for approval"), string(linnet.StateActive), c.tr("Active"), string(linnet.StateSilenced), c.tr("Silenced"),
		string(linnet.StateDisabled), c.tr("Disabled"), string(linnet.StateSuspended), c.tr("Suspended")}
}

// users lists accounts: users or groups, all, those with a state, staff, or those matching a name.
// A search by name shows groups in their own table.
func (h *adminPages) users(c *call) error {
	in := c.r.URL.Query()
	q := moderation.AccountsQuery{State: linnet.AccountState(in.Get("state")), Named: strings.TrimPrefix(strings.TrimSpace(in.Get("q")), "@"), Groups: in.Get("groups") != ""}
	if in.Get("staff") != "" {
		q.Role = linnet.Moderator
	}
	title := c.tr("People")
	if q.Groups {
		title = c.tr("Groups")
	}
	list, err := h.accountsPart(c, q)
	if err != nil {
		return err
	}
	parts := []formSection{list}
	if q.Named != "" && !q.Groups {
		q.Groups = true
		groups, err := h.accountsPart(c, q)
		if err != nil {
			return err
		}
		if groups.Title = c.tr("Groups"); len(groups.Table.Rows) > 0 {
			parts = append(parts, groups)
		}
	}
	return showAdmin(c, http.StatusOK, title, paths.AdminUsers, formPage{Parts: parts,
		Filter: &filterBar{Action: paths.AdminUsers, Name: "q", Label: c.tr("Display name or username"), Value: in.Get("q"), Links: accountLinks(c, in)}})
}

// accountLinks lead to the parts of the list of accounts.
func accountLinks(c *call, in url.Values) (links []navLink) {
	states, other := accountStates(c), in.Get("staff")+in.Get("groups") != ""
	for i := 0; i < len(states); i += 2 {
		links = append(links, navLink{Path: paths.AdminUsers + "?state=" + states[i], Text: states[i+1], Here: in.Get("state") == states[i] && !other})
	}
	return append(links, navLink{Path: paths.AdminUsers + "?staff=1", Text: c.tr("Staff"), Here: in.Get("staff") != ""},
		navLink{Path: paths.AdminGroups, Text: c.tr("Groups"), Here: in.Get("groups") != ""})
}

// accountsPart is a page of accounts as a table.
func (h *adminPages) accountsPart(c *call, q moderation.AccountsQuery) (formSection, error) {
	list, err := h.moderation.Accounts(c.r.Context(), c.by(), q, tablePage(c))
	if err != nil {
		return formSection{}, err
	}
	t := &table{Caption: c.tr("People"), Head: []string{c.tr("Person"), c.tr("State"), c.tr("Role"), c.tr("Posts"), c.tr("Since")}, Empty: c.tr("No accounts found.")}
	if q.Groups {
		t = &table{Caption: c.tr("Groups"), Head: []string{c.tr("Group"), c.tr("State"), c.tr("Type"), c.tr("Members"), c.tr("Posts"), c.tr("Since")}, Empty: c.tr("No groups.")}
	}
	for _, v := range list.Items {
		row := []cell{accountCell(c, &v.UserView).with(textCell(v.Name)), textCell(stateWords(c, &v.User))}
		if q.Groups {
			row = append(row, textCell(c.tr(ui.GroupKindName(v.Group))), countCell(v.Followers))
		} else {
			row = append(row, textCell(h.roleWords(c, &v.User)))
		}
		t.Rows = append(t.Rows, append(row, countCell(v.Statuses), timeCell(v.ID.Time())))
	}
	return formSection{Table: t, Older: older(c, list.Last)}, nil
}

func stateWords(c *call, u *linnet.User) string {
	var words []string
	for _, s := range []struct {
		on   bool
		word string
	}{{u.Unapproved, c.tr("pending")}, {u.Suspended, c.tr("suspended")}, {u.Silenced, c.tr("silenced")}, {u.Disabled, c.tr("disabled")}} {
		if s.on {
			words = append(words, s.word)
		}
	}
	if len(words) == 0 {
		return c.tr("active")
	}
	return strings.Join(words, c.tr(", "))
}

// roleWords returns the name of a user's role.
func (h *adminPages) roleWords(c *call, u *linnet.User) string {
	if u.Custom == 0 {
		return c.tr(builtInWords(u.Role))
	}
	return h.core.KnownRoles().NameOf(u)
}

// builtInWords name a built-in role, to forms as well.
func builtInWords(r linnet.Role) string {
	return [...]string{locale.Mark("member"), locale.Mark("moderator"), locale.Mark("administrator")}[min(r, linnet.Admin)]
}

// accountInPath is the account that the path names, whatever its state.
func (h *adminPages) accountInPath(c *call) (linnet.AccountView, error) {
	ctx := c.r.Context()
	u, err := h.moderation.AccountNamed(ctx, c.by(), c.r.PathValue("login"))
	if err != nil {
		return linnet.AccountView{}, err
	}
	return h.moderation.Account(ctx, c.by(), u.ID)
}

func (h *adminPages) user(c *call) error {
	v, err := h.accountInPath(c)
	if err != nil {
		return err
	}
	return h.showUser(c, v, formPage{})
}

// showUser shows an account with everything that can be done to it.
func (h *adminPages) showUser(c *call, v linnet.AccountView, d formPage) error {
	ctx := c.r.Context()
	facts := h.accountFacts(c, &v)
	if v.Email != "" {
		words := c.tr("%s (not confirmed)", v.Email)
		if v.EmailConfirmed {
			words = c.tr("%s (confirmed)", v.Email)
		}
		facts = append(facts, fact{c.tr("E-mail address"), textCell(words)})
	}
	if v.Reason != "" {
		facts = append(facts, fact{c.tr("Reason for joining"), textCell(v.Reason)})
	}
	if v.InvitedBy != 0 {
		by, err := h.moderation.Account(ctx, c.by(), v.InvitedBy)
		switch {
		case err == nil:
			facts = append(facts, fact{c.tr("Invited by"), accountCell(c, &by.UserView)})
		case !isKind(err, linnet.NotFound):
			return err
		}
	}
	var links []navLink
	for _, a := range h.userActs(c) {
		if a.offered(c, &v) {
			links = append(links, navLink{Path: paths.AdminUser(v.Login) + "/" + a.word, Text: a.text})
		}
	}
	if d.Back = (&navLink{Path: paths.AdminUsers, Text: c.tr("All people")}); !v.Person() {
		d.Back = &navLink{Path: paths.AdminGroups, Text: c.tr("All groups")}
	}
	d.Parts = append(d.Parts, formSection{Facts: facts}, formSection{Title: c.tr("Actions"), Links: links})
	if c.may(linnet.ManageReports) {
		on, err := h.moderation.Reports(ctx, c.by(), linnet.ReportFilter{On: v.ID}, linnet.Page{Limit: linnet.DefaultPage})
		if err != nil {
			return err
		}
		d.Parts = append(d.Parts, formSection{Title: c.tr("Open reports"), Table: reportTable(c, on.Items)})
	}
	return showAdmin(c, http.StatusOK, "@"+v.Login, paths.AdminUsers, d)
}

// accountFacts are the facts that every account has: of a group its kind and members.
func (h *adminPages) accountFacts(c *call, v *linnet.AccountView) []fact {
	state, name := fact{c.tr("State"), textCell(stateWords(c, &v.User))}, fact{c.tr("Name"), textCell(v.Name)}
	profile, since := fact{c.tr("Profile"), linkCell("@"+v.Login, "/@"+v.Login)}, fact{c.tr("Since"), timeCell(v.ID.Time())}
	if !v.Person() {
		return []fact{state, {c.tr("Type"), textCell(c.tr(ui.GroupKindName(v.Group)))}, name, profile, since, {c.tr("Posts"), countCell(v.Statuses)}, {c.tr("Members"), countCell(v.Followers)}}
	}
	return []fact{state, {c.tr("Role"), textCell(h.roleWords(c, &v.User))}, name, profile, since, {c.tr("Posts"), countCell(v.Statuses)},
		{c.tr("Followers"), countCell(v.Followers)}, {c.tr("Following"), countCell(v.Following)}}
}

// userAct is something that can be done to an account.
type userAct struct {
	word, text, about string
	needs             linnet.Permission
	when              func(*linnet.User) bool
	do                func(c *call, v *linnet.AccountView, reason string) (shown string, err error)
}

func (a *userAct) offered(c *call, v *linnet.AccountView) bool {
	return v.ID != c.me.ID && c.may(a.needs) && c.me.Role.Over(v.Role) && a.when(&v.User)
}

// grave reports whether it takes something from the account that has it.
func (a *userAct) grave() bool {
	return slices.Contains([]string{"reject", "silence", "disable", "suspend", "delete"}, a.word)
}

// moderateAct makes an act that is one of Moderate's.
func (h *adminPages) moderateAct(act linnet.Moderation) func(*call, *linnet.AccountView, string) (string, error) {
	return func(c *call, v *linnet.AccountView, reason string) (string, error) {
		return "", h.moderation.Moderate(c.r.Context(), c.by(), linnet.Measure{On: v.ID, Act: act, Reason: reason})
	}
}

func (h *adminPages) userActs(c *call) []userAct {
	always := func(*linnet.User) bool { return true }
	person := (*linnet.User).Person // groups do not log in
	lower := func(u *linnet.User) bool { return person(u) && u.Role < linnet.Admin }
	return []userAct{
		{"approve", c.tr("Approve"), c.tr("They can log in from now on."), linnet.ManageUsers, func(u *linnet.User) bool { return u.Unapproved }, h.moderateAct(linnet.Approve)},
		{"reject", c.tr("Reject"), c.tr("Permanently deletes the account. The username can't be used again."), linnet.ManageUsers, func(u *linnet.User) bool { return u.Unapproved }, h.moderateAct(linnet.Reject)},
		{"none", c.tr("Add note"), c.tr("Adds a note to the audit log. Nothing else changes."), linnet.ManageUsers, always, h.moderateAct(linnet.Warn)},
		{"silence", c.tr("Silence"), c.tr("Hides their posts from public timelines and from people who don't follow them."), linnet.ManageUsers, func(u *linnet.User) bool { return !u.Silenced }, h.moderateAct(linnet.Silence)},
		{"unsilence", c.tr("Undo silence"), c.tr("Everyone can see their posts again."), linnet.ManageUsers, func(u *linnet.User) bool { return u.Silenced }, h.moderateAct(linnet.Unsilence)},
		{"disable", c.tr("Disable"), c.tr("Logs them out and prevents them from logging in. Their profile stays visible."), linnet.ManageUsers, func(u *linnet.User) bool { return !u.Disabled }, h.moderateAct(linnet.Disable)},
		{"enable", c.tr("Enable"), c.tr("The account works again."), linnet.ManageUsers, func(u *linnet.User) bool { return u.Disabled }, h.moderateAct(linnet.Enable)},
		{"suspend", c.tr("Suspend"), c.tr("Hides their account everywhere and logs them out, until you unsuspend it."), linnet.ManageUsers, func(u *linnet.User) bool { return !u.Suspended }, h.moderateAct(linnet.Suspend)},
		{"unsuspend", c.tr("Unsuspend"), c.tr("Restores everything."), linnet.ManageUsers, func(u *linnet.User) bool { return u.Suspended }, h.moderateAct(linnet.Unsuspend)},
		{"password", c.tr("Create password reset link"), c.tr("For people who forgot their password. Pass the link on to them: it lets them set a new password, once within 24 hours. They're notified that you created it."), linnet.ManageUserAccess, lower, h.resetLink(false)},
		{"two-factor", c.tr("Create two-factor reset link"), c.tr("For people who lost their device and their recovery codes. Pass the link on to them: with their password, it turns off two-factor authentication, once within 24 hours. They're notified that you created it."), linnet.ManageUserAccess, lower, h.resetLink(true)},
		{"role", c.tr("Change role"), c.tr("Moderators handle reports and accounts. Administrators can also change settings. Custom roles have the permissions you choose."), linnet.ManageRoles, person, h.giveRole},
		{"delete", c.tr("Delete permanently"), c.tr("Deletes all data of the suspended account. This can't be undone."), linnet.DeleteUserData, func(u *linnet.User) bool { return u.Suspended }, h.deleteSuspended},
	}
}

// resetLink makes an act that makes a reset link.
func (h *adminPages) resetLink(twoFactor bool) func(*call, *linnet.AccountView, string) (string, error) {
	return func(c *call, v *linnet.AccountView, reason string) (string, error) {
		if err := c.confirm(); err != nil {
			return "", err
		}
		address, link, err := h.identity.OfferReset(c.r.Context(), c.by(), v.ID, twoFactor, reason)
		return c.tr("Give this link to %s. It works once, until %s. We won't show it again: %s",
			"@"+v.Login, c.lang().Time(link.Expires.UTC(), locale.Mark("15:04 on 2 January 2006 (UTC)")), address), err
	}
}

// confirms reports whether an act asks staff for their own password first.
func (a *userAct) confirms() bool { return a.word == "password" || a.word == "two-factor" }

// roleChoices are the roles that the reader can give: the built-in ones by their words, the
// others by their ids.
func (h *adminPages) roleChoices(c *call, now *linnet.User) (out []choice) {
	for r := linnet.Member; r <= linnet.Admin; r++ {
		if c.may(r.Permissions()) {
			out = append(out, choice{builtInWords(r), ui.Capitalize(c.tr(builtInWords(r))), now.Custom == 0 && now.Role == r})
		}
	}
	if set := h.core.KnownRoles(); set != nil {
		for _, r := range set.Roles {
			if c.may(r.Permissions) {
				out = append(out, choice{r.ID.String(), r.Name, now.Custom == r.ID})
			}
		}
	}
	return out
}

func (h *adminPages) giveRole(c *call, v *linnet.AccountView, reason string) (string, error) {
	m := linnet.Measure{On: v.ID, Act: linnet.GiveRole, Reason: reason}
	typed, known := c.typed("role"), false
	for r := linnet.Member; r <= linnet.Admin; r++ {
		if builtInWords(r) == typed {
			m.Role, known = r, true
		}
	}
	if id, ok := linnet.ParseID(typed); ok && !known {
		m.Custom, known = id, true
	}
	if !known {
		return "", linnet.FieldError("role", "ERR_INCLUSION", "doesn't exist")
	}
	return "", h.moderation.Moderate(c.r.Context(), c.by(), m)
}

func (h *adminPages) deleteSuspended(c *call, v *linnet.AccountView, _ string) (string, error) {
	return "", h.moderation.DeleteAccount(c.r.Context(), c.by(), v.ID)
}

// actInPath returns the account and the action in the path, if the action is possible now.
func (h *adminPages) actInPath(c *call) (linnet.AccountView, *userAct, error) {
	v, err := h.accountInPath(c)
	if err != nil {
		return v, nil, err
	}
	for _, a := range h.userActs(c) {
		if a.word == c.r.PathValue("act") && a.offered(c, &v) {
			return v, &a, nil
		}
	}
	return v, nil, errNowhere()
}

func (h *adminPages) userActionForm(c *call, v *linnet.AccountView, a *userAct) *form {
	f := startForm(c, paths.AdminUser(v.Login)+"/"+a.word, a.text)
	f.Grave = a.grave()
	if a.word == "role" {
		f.Fields = append(f.Fields, field{Kind: selectField, Name: "role", Label: c.tr("Role"), Choices: h.roleChoices(c, &v.User)})
	}
	if a.confirms() && !c.confirmed() {
		f.Fields = append(f.Fields, field{Kind: passwordField, Name: "password", Label: c.tr("Your password"), Required: true,
			Hint: c.tr("Confirm your identity. We won't ask again for 15 minutes.")})
	}
	f.Fields = append(f.Fields, field{Kind: areaField, Name: "text", Label: c.tr("Reason"), Rows: 3, Hint: c.tr("Moderators can read it in the audit log.")})
	return f
}

func showUserAct(c *call, f *form, v *linnet.AccountView, a *userAct) error {
	return showAdmin(c, f.code(), c.tr("%s: %s", a.text, "@"+v.Login), paths.AdminUsers, formPage{Lead: a.about,
		Back: &navLink{Path: paths.AdminUser(v.Login), Text: c.tr("Cancel")}, Parts: []formSection{{Form: f}}})
}

// userActForm asks whether something is meant, and why.
func (h *adminPages) userActForm(c *call) error {
	v, a, err := h.actInPath(c)
	if err != nil {
		return err
	}
	return showUserAct(c, h.userActionForm(c, &v, a), &v, a)
}

func (h *adminPages) userAct(c *call) error {
	v, a, err := h.actInPath(c)
	if err != nil {
		return err
	}
	shown, err := a.do(c, &v, c.typed("text"))
	if err != nil {
		if f := h.userActionForm(c, &v, a); f.refused(err, nil) {
			return showUserAct(c, f, &v, a)
		}
		return err
	}
	switch {
	case shown != "":
		return h.showUser(c, v, formPage{Done: shown})
	case a.word == "reject" || a.word == "delete":
		return saved(c, paths.AdminUsers)
	}
	return saved(c, paths.AdminUser(v.Login))
}
