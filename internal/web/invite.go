package web

import (
	"time"

	"linnet/internal/linnet"
)

// Invitations: all of them for moderators, and a member's own.

const (
	invitePath       = "/invite/{code}"
	staffInvitesPath = "/admin/invites"
	ownInvitesPath   = "/settings/invites"
)

func inviteRoutes() []route {
	return []route{
		{pattern: staffInvitesPath, get: allowed(linnet.ManageInvites, (*call).invites), post: allowed(linnet.ManageInvites|linnet.InviteUsers, (*call).makeInvite)},
		{pattern: "/admin/invites/revoke", post: allowed(linnet.ManageInvites, func(c *call) error { return c.revokeInvite(staffInvitesPath) })},
		{pattern: ownInvitesPath, get: own((*call).ownInvites), post: own((*call).makeOwnInvite)},
		{pattern: "/settings/invites/revoke", post: own(func(c *call) error { return c.revokeInvite(ownInvitesPath) })},
	}
}

// inviteForm asks for an invitation. Where making one opens sign-up, the button
// says so.
func (c *call) inviteForm(path string, r linnet.InviteRight) *form {
	times := pick("168", "24", c.tr("1 day"), "168", c.tr("7 days"), "720", c.tr("30 days"), "0", c.tr("No limit"))
	if r.For > 0 {
		times = times[:3]
	}
	button := c.tr("Create invitation")
	if r.Closed {
		button = c.tr("Open sign-up to invited people and create invitation")
	}
	return c.form(path, button,
		field{Kind: numberField, Name: "uses", Label: c.tr("Maximum uses"), Value: "1", Most: int(r.Uses), Required: true},
		field{Kind: selectField, Name: "expires", Label: c.tr("Expires after"), Choices: times})
}

// inviteState returns the word for the state of an invitation.
func (c *call) inviteState(state string) string {
	switch state {
	case "revoked":
		return c.tr("revoked")
	case "expired":
		return c.tr("expired")
	case "used up":
		return c.tr("fully used")
	}
	return c.trIn("invitation", "active")
}

func (c *call) inviteTable(all []linnet.InviteView, revoke string) *table {
	t := &table{Caption: c.tr("Invitations"), Head: []string{c.tr("Link"), c.tr("State"), c.tr("Created"), c.tr("Expires"), ""}, Empty: c.tr("No invitations yet.")}
	for _, i := range all {
		until, maker, stop := textCell(c.tr("never")), textCell(c.tr("command line")), cell{}
		if !i.Expires.IsZero() {
			until = timeCell(i.Expires)
		}
		if i.Maker != "" {
			maker = textCell(c.tr("by %s", "@"+i.Maker))
			if revoke != ownInvitesPath && c.may(linnet.ManageUsers) {
				maker = linkCell(c.tr("by %s", "@"+i.Maker), userPath(i.Maker))
			}
		}
		if i.State == "good" {
			stop.Forms = []*form{c.button(revoke+"/revoke", c.tr("Revoke"), c.tr("Revoke the invitation %s", i.Code), "invite", i.Code)}
		}
		t.Rows = append(t.Rows, []cell{textCell(i.URL), textCell(c.inviteState(i.State)).with(textCell(c.tr("used %s of %s", c.num(i.Uses), c.num(i.Most)))),
			timeCell(i.Created).with(maker), until, stop})
	}
	return t
}

func (c *call) invites() error {
	right, err := c.svc.Identity.InviteRight(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return c.showInvites(c.inviteForm(staffInvitesPath, right), right, "")
}

func (c *call) showInvites(f *form, right linnet.InviteRight, done string) error {
	all, err := c.svc.Identity.Invites(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	d := formPage{Lead: c.tr("Anyone with the link can sign up without approval."), Done: done}
	switch {
	case !c.may(linnet.InviteUsers):
	case right.May && right.Closed:
		d.Lead = c.tr("Sign-up is closed. Creating an invitation opens it to invited people only.")
		d.Parts = append(d.Parts, formSection{Form: f})
	case right.May:
		d.Parts = append(d.Parts, formSection{Form: f})
	default:
		d.Lead = c.tr("Sign-up is closed, so invitations can't be used. An administrator can open it to invited people in the settings.")
	}
	d.Parts = append(d.Parts, formSection{Title: c.tr("Invitations"), Table: c.inviteTable(all, staffInvitesPath)})
	return c.showAdmin(f.code(), c.tr("Invitations"), staffInvitesPath, d)
}

// inviteDraft reads what the form asks for.
func (c *call) inviteDraft(errs fieldErrors) linnet.InviteDraft {
	return linnet.InviteDraft{Uses: int64(c.numberTyped("uses", errs)), For: time.Duration(min(c.numberTyped("expires", errs), 1e6)) * time.Hour}
}

// invited says that an invitation was made.
func (c *call) invited(i linnet.InviteView) string {
	done := c.tr("Invitation created: %s", i.URL)
	if i.Opened {
		done = c.tr("Sign-up is now open to invited people.") + " " + done
	}
	return done
}

// tryInvite makes the invitation that the form asks for; made is false if the
// form was refused and is to be shown again.
func (c *call) tryInvite(f *form) (i linnet.InviteView, made bool, err error) {
	errs := fieldErrors{}
	d := c.inviteDraft(errs)
	if len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return i, false, nil
	}
	if i, err = c.svc.Identity.InviteAs(c.r.Context(), c.me.ID, d); err != nil && f.refused(err, nil) {
		return i, false, nil
	}
	return i, err == nil, err
}

func (c *call) makeInvite() error {
	right, err := c.svc.Identity.InviteRight(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	f := c.inviteForm(staffInvitesPath, right)
	i, made, err := c.tryInvite(f)
	if err != nil {
		return err
	}
	if !made {
		return c.showInvites(f, right, "")
	}
	right.Closed = false
	return c.showInvites(c.inviteForm(staffInvitesPath, right), right, c.invited(i))
}

func (c *call) revokeInvite(path string) error {
	if err := c.svc.Identity.RevokeInviteAs(c.r.Context(), c.me.ID, c.typed("invite")); err != nil {
		return err
	}
	return c.saved(path)
}

// ownInvites are the invitations of a member.
func (c *call) ownInvites() error {
	right, err := c.svc.Identity.InviteRight(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	if right.Most == 0 && right.May && c.may(linnet.ManageInvites) { // a moderator
		return c.seeOther(staffInvitesPath)
	}
	return c.showOwnInvites(c.inviteForm(ownInvitesPath, right), right, "")
}

func (c *call) showOwnInvites(f *form, right linnet.InviteRight, done string) error {
	all, err := c.svc.Identity.OwnInvites(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	if right.Most == 0 && !right.May && len(all) == 0 { // members can't invite
		return errNowhere()
	}
	d := formPage{Done: done}
	switch {
	case right.Closed && !right.May:
		d.Lead = c.tr("Sign-up is closed at the moment, so invitations can't be used.")
	case !right.May:
		d.Lead = c.tr("You can't create invitations at the moment. New accounts can do so after a few days.")
	case right.Most == 0:
		d.Lead = c.tr("Anyone with the link can sign up without approval.")
		d.Parts = append(d.Parts, formSection{Form: f})
	case right.Open >= right.Most && len(f.Errors) == 0:
		d.Lead = c.trn(int64(right.Open), "You already have %s open invitation, the maximum. Revoke one, or wait until one is used.", "You already have %s open invitations, the maximum. Revoke one, or wait until one is used.")
	default:
		d.Lead = c.tr("Anyone with the link can sign up. You can have %s open at a time.", c.num(int64(right.Most)))
		d.Parts = append(d.Parts, formSection{Form: f})
	}
	d.Parts = append(d.Parts, formSection{Title: c.tr("Your invitations"), Table: c.inviteTable(all, ownInvitesPath)})
	return c.showSettings(f.code(), c.tr("Invitations"), ownInvitesPath, d)
}

func (c *call) makeOwnInvite() error {
	right, err := c.svc.Identity.InviteRight(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	f := c.inviteForm(ownInvitesPath, right)
	i, made, err := c.tryInvite(f)
	if err != nil {
		return err
	}
	if !made {
		return c.showOwnInvites(f, right, "")
	}
	right.Open++
	return c.showOwnInvites(c.inviteForm(ownInvitesPath, right), right, c.invited(i))
}
