package instance

import (
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// inviteRoutes returns the routes of all invitations for moderators, and of a member's own.
func (h *Pages) inviteRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.AdminInvites, Get: page.Allowed(linnet.ManageInvites, h.invites), Post: page.Allowed(linnet.ManageInvites|linnet.InviteUsers, h.makeInvite)},
		{Pattern: "/admin/invites/revoke", Post: page.Allowed(linnet.ManageInvites, func(c *page.Context) error { return h.revokeInvite(c, paths.AdminInvites) })},
		{Pattern: paths.Invites, Get: page.LoggedIn(h.ownInvites), Post: page.LoggedIn(h.makeOwnInvite)},
		{Pattern: "/settings/invites/revoke", Post: page.LoggedIn(func(c *page.Context) error { return h.revokeInvite(c, paths.Invites) })},
	}
}

// inviteForm returns the form for an invitation. The button says so if the invitation opens
// sign-up.
func inviteForm(c *page.Context, path string, r linnet.InviteRight) *form.Form {
	times := form.Options("168", "24", c.Tr("1 day"), "168", c.Tr("7 days"), "720", c.Tr("30 days"), "0", c.Tr("No limit"))
	if r.For > 0 {
		times = times[:3]
	}
	button := c.Tr("Create invitation")
	if r.Closed {
		button = c.Tr("Open sign-up to invited people and create invitation")
	}
	return form.New(c, path, button,
		form.Field{Kind: form.NumberField, Name: "uses", Label: c.Tr("Maximum uses"), Value: "1", Most: int(r.Uses), Required: true},
		form.Field{Kind: form.SelectField, Name: "expires", Label: c.Tr("Expires after"), Choices: times})
}

// inviteState returns the state of an invitation in words.
func inviteState(c *page.Context, state string) string {
	switch state {
	case "revoked":
		return c.Tr("revoked")
	case "expired":
		return c.Tr("expired")
	case "used up":
		return c.Tr("used up")
	}
	return c.TrIn("invitation", "active")
}

func inviteTable(c *page.Context, all []linnet.InviteView, revoke string) *form.Table {
	t := &form.Table{Caption: c.Tr("Invitations"), Head: []string{c.Tr("Link"), c.Tr("Status"), c.Tr("Created"), c.Tr("Expires"), ""}, Empty: c.Tr("No invitations yet.")}
	for _, i := range all {
		until, maker, stop := form.TextCell(c.Tr("never")), form.TextCell(c.Tr("command line")), form.Cell{}
		if !i.Expires.IsZero() {
			until = form.TimeCell(i.Expires)
		}
		if i.Maker != "" {
			maker = form.TextCell(c.Tr("by %s", "@"+i.Maker))
			if revoke != paths.Invites && c.May(linnet.ManageUsers) {
				maker = form.LinkCell(c.Tr("by %s", "@"+i.Maker), paths.AdminUser(i.Maker))
			}
		}
		if i.State == "good" {
			stop.Forms = []*form.Form{form.Button(c, revoke+"/revoke", c.Tr("Revoke"), c.Tr("Revoke the invitation %s", i.Code), "invite", i.Code)}
		}
		t.Rows = append(t.Rows, []form.Cell{form.TextCell(i.URL), form.TextCell(inviteState(c, i.State)).With(form.TextCell(c.Tr("used %s of %s times", c.Num(i.Uses), c.Num(i.Most)))),
			form.TimeCell(i.Created).With(maker), until, stop})
	}
	return t
}

func (h *Pages) invites(c *page.Context) error {
	right, err := h.Invites.Right(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	return h.showInvites(c, inviteForm(c, paths.AdminInvites, right), right, "")
}

func (h *Pages) showInvites(c *page.Context, f *form.Form, right linnet.InviteRight, done string) error {
	all, err := h.Invites.All(c.Request.Context(), c.Actor())
	if err != nil {
		return err
	}
	d := form.Page{Lead: c.Tr("Anyone with the link can sign up without approval."), Done: done}
	switch {
	case !c.May(linnet.InviteUsers):
	case right.May && right.Closed:
		d.Lead = c.Tr("Sign-up is closed. Creating an invitation opens it to invited people only.")
		d.Parts = append(d.Parts, form.Section{Form: f})
	case right.May:
		d.Parts = append(d.Parts, form.Section{Form: f})
	default:
		d.Lead = c.Tr("Sign-up is closed, so invitations can't be used. An administrator can open it to invited people in the settings.")
	}
	d.Parts = append(d.Parts, form.Section{Title: c.Tr("Invitations"), Table: inviteTable(c, all, paths.AdminInvites)})
	return form.ShowAdmin(c, f.StatusCode(), c.Tr("Invitations"), paths.AdminInvites, d)
}

// inviteDraft reads the submitted form.
func inviteDraft(c *page.Context, errs page.FieldErrors) linnet.InviteDraft {
	return linnet.InviteDraft{Uses: int64(form.NumberTyped(c, "uses", errs)), For: time.Duration(min(form.NumberTyped(c, "expires", errs), 1e6)) * time.Hour}
}

// inviteCreated returns the confirmation that an invitation was created.
func inviteCreated(c *page.Context, i linnet.InviteView) string {
	done := c.Tr("Invitation created: %s", i.URL)
	if i.Opened {
		done = c.Tr("Sign-up is now open to invited people.") + " " + done
	}
	return done
}

// tryInvite creates the invitation of the form. made is false if the form was refused and is shown
// again.
func (h *Pages) tryInvite(c *page.Context, f *form.Form) (i linnet.InviteView, made bool, err error) {
	errs := page.FieldErrors{}
	d := inviteDraft(c, errs)
	if len(errs) > 0 {
		f.Refill(c.Request.PostForm, errs)
		return i, false, nil
	}
	if i, err = h.Invites.CreateAs(c.Request.Context(), c.Me.ID, d); err != nil && f.Refused(err, nil) {
		return i, false, nil
	}
	return i, err == nil, err
}

func (h *Pages) makeInvite(c *page.Context) error {
	right, err := h.Invites.Right(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	f := inviteForm(c, paths.AdminInvites, right)
	i, made, err := h.tryInvite(c, f)
	if err != nil {
		return err
	}
	if !made {
		return h.showInvites(c, f, right, "")
	}
	right.Closed = false
	return h.showInvites(c, inviteForm(c, paths.AdminInvites, right), right, inviteCreated(c, i))
}

func (h *Pages) revokeInvite(c *page.Context, path string) error {
	if err := h.Invites.RevokeAs(c.Request.Context(), c.Me.ID, c.Typed("invite")); err != nil {
		return err
	}
	return form.Saved(c, path)
}

// ownInvites shows the invitations of a member.
func (h *Pages) ownInvites(c *page.Context) error {
	right, err := h.Invites.Right(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	if right.Most == 0 && right.May && c.May(linnet.ManageInvites) { // a moderator
		return c.Redirect(paths.AdminInvites)
	}
	return h.showOwnInvites(c, inviteForm(c, paths.Invites, right), right, "")
}

func (h *Pages) showOwnInvites(c *page.Context, f *form.Form, right linnet.InviteRight, done string) error {
	all, err := h.Invites.Own(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	if right.Most == 0 && !right.May && len(all) == 0 { // members can't invite
		return page.NotFound()
	}
	d := form.Page{Done: done}
	switch {
	case right.Closed && !right.May:
		d.Lead = c.Tr("Sign-up is closed at the moment, so invitations can't be used.")
	case !right.May:
		d.Lead = c.Tr("You can't create invitations at the moment. New accounts can do so after a few days.")
	case right.Most == 0:
		d.Lead = c.Tr("Anyone with the link can sign up without approval.")
		d.Parts = append(d.Parts, form.Section{Form: f})
	case right.Open >= right.Most && len(f.Errors) == 0:
		d.Lead = c.Trn(int64(right.Open), "You already have %s open invitation, the maximum. Revoke one, or wait until one is used.", "You already have %s open invitations, the maximum. Revoke one, or wait until one is used.")
	default:
		d.Lead = c.Tr("Anyone with the link can sign up. You can have %s open at a time.", c.Num(int64(right.Most)))
		d.Parts = append(d.Parts, form.Section{Form: f})
	}
	d.Parts = append(d.Parts, form.Section{Title: c.Tr("Your invitations"), Table: inviteTable(c, all, paths.Invites)})
	return form.ShowSettings(c, f.StatusCode(), c.Tr("Invitations"), paths.Invites, d)
}

func (h *Pages) makeOwnInvite(c *page.Context) error {
	right, err := h.Invites.Right(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	f := inviteForm(c, paths.Invites, right)
	i, made, err := h.tryInvite(c, f)
	if err != nil {
		return err
	}
	if !made {
		return h.showOwnInvites(c, f, right, "")
	}
	right.Open++
	return h.showOwnInvites(c, inviteForm(c, paths.Invites, right), right, inviteCreated(c, i))
}
