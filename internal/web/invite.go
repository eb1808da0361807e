package web

import (
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Invitations: all of them for moderators, and a member's own.

func (h *instancePages) inviteRoutes() []route {
	return []route{
		{pattern: paths.AdminInvites, get: allowed(linnet.ManageInvites, h.invites), post: allowed(linnet.ManageInvites|linnet.InviteUsers, h.makeInvite)},
		{pattern: "/admin/invites/revoke", post: allowed(linnet.ManageInvites, func(c *call) error { return h.revokeInvite(c, paths.AdminInvites) })},
		{pattern: paths.Invites, get: own(h.ownInvites), post: own(h.makeOwnInvite)},
		{pattern: "/settings/invites/revoke", post: own(func(c *call) error { return h.revokeInvite(c, paths.Invites) })},
	}
}

// inviteForm asks for an invitation. Where making one opens sign-up, the button
// says so.
func inviteForm(c *call, path string, r linnet.InviteRight) *form {
	times := pick("168", "24", c.tr("1 day"), "168", c.tr("7 days"), "720", c.tr("30 days"), "0", c.tr("No limit"))
	if r.For > 0 {
		times = times[:3]
	}
	button := c.tr("Create invitation")
	if r.Closed {
		button = c.tr("Open sign-up to invited people and create invitation")
	}
	return startForm(c, path, button,
		field{Kind: numberField, Name: "uses", Label: c.tr("Maximum uses"), Value: "1", Most: int(r.Uses), Required: true},
		field{Kind: selectField, Name: "expires", Label: c.tr("Expires after"), Choices: times})
}

// inviteState returns the word for the state of an invitation.
func inviteState(c *call, state string) string {
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

func inviteTable(c *call, all []linnet.InviteView, revoke string) *table {
	t := &table{Caption: c.tr("Invitations"), Head: []string{c.tr("Link"), c.tr("State"), c.tr("Created"), c.tr("Expires"), ""}, Empty: c.tr("No invitations yet.")}
	for _, i := range all {
		until, maker, stop := textCell(c.tr("never")), textCell(c.tr("command line")), cell{}
		if !i.Expires.IsZero() {
			until = timeCell(i.Expires)
		}
		if i.Maker != "" {
			maker = textCell(c.tr("by %s", "@"+i.Maker))
			if revoke != paths.Invites && c.may(linnet.ManageUsers) {
				maker = linkCell(c.tr("by %s", "@"+i.Maker), paths.AdminUser(i.Maker))
			}
		}
		if i.State == "good" {
			stop.Forms = []*form{button(c, revoke+"/revoke", c.tr("Revoke"), c.tr("Revoke the invitation %s", i.Code), "invite", i.Code)}
		}
		t.Rows = append(t.Rows, []cell{textCell(i.URL), textCell(inviteState(c, i.State)).with(textCell(c.tr("used %s of %s", c.num(i.Uses), c.num(i.Most)))),
			timeCell(i.Created).with(maker), until, stop})
	}
	return t
}

func (h *instancePages) invites(c *call) error {
	right, err := h.identity.InviteRight(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return h.showInvites(c, inviteForm(c, paths.AdminInvites, right), right, "")
}

func (h *instancePages) showInvites(c *call, f *form, right linnet.InviteRight, done string) error {
	all, err := h.identity.Invites(c.r.Context(), c.by())
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
	d.Parts = append(d.Parts, formSection{Title: c.tr("Invitations"), Table: inviteTable(c, all, paths.AdminInvites)})
	return showAdmin(c, f.code(), c.tr("Invitations"), paths.AdminInvites, d)
}

// inviteDraft reads what the form asks for.
func inviteDraft(c *call, errs fieldErrors) linnet.InviteDraft {
	return linnet.InviteDraft{Uses: int64(numberTyped(c, "uses", errs)), For: time.Duration(min(numberTyped(c, "expires", errs), 1e6)) * time.Hour}
}

// invited says that an invitation was made.
func invited(c *call, i linnet.InviteView) string {
	done := c.tr("Invitation created: %s", i.URL)
	if i.Opened {
		done = c.tr("Sign-up is now open to invited people.") + " " + done
	}
	return done
}

// tryInvite makes the invitation that the form asks for; made is false if the
// form was refused and is to be shown again.
func (h *instancePages) tryInvite(c *call, f *form) (i linnet.InviteView, made bool, err error) {
	errs := fieldErrors{}
	d := inviteDraft(c, errs)
	if len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return i, false, nil
	}
	if i, err = h.identity.InviteAs(c.r.Context(), c.me.ID, d); err != nil && f.refused(err, nil) {
		return i, false, nil
	}
	return i, err == nil, err
}

func (h *instancePages) makeInvite(c *call) error {
	right, err := h.identity.InviteRight(c.r.Context(), c.me.ID)
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
	return h.showInvites(c, inviteForm(c, paths.AdminInvites, right), right, invited(c, i))
}

func (h *instancePages) revokeInvite(c *call, path string) error {
	if err := h.identity.RevokeInviteAs(c.r.Context(), c.me.ID, c.typed("invite")); err != nil {
		return err
	}
	return saved(c, path)
}

// ownInvites are the invitations of a member.
func (h *instancePages) ownInvites(c *call) error {
	right, err := h.identity.InviteRight(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	if right.Most == 0 && right.May && c.may(linnet.ManageInvites) { // a moderator
		return c.seeOther(paths.AdminInvites)
	}
	return h.showOwnInvites(c, inviteForm(c, paths.Invites, right), right, "")
}

func (h *instancePages) showOwnInvites(c *call, f *form, right linnet.InviteRight, done string) error {
	all, err := h.identity.OwnInvites(c.r.Context(), c.me.ID)
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
	d.Parts = append(d.Parts, formSection{Title: c.tr("Your invitations"), Table: inviteTable(c, all, paths.Invites)})
	return showSettings(c, f.code(), c.tr("Invitations"), paths.Invites, d)
}

func (h *instancePages) makeOwnInvite(c *call) error {
	right, err := h.identity.InviteRight(c.r.Context(), c.me.ID)
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
	return h.showOwnInvites(c, inviteForm(c, paths.Invites, right), right, invited(c, i))
}
