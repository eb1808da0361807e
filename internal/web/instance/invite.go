package instance

import (
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// inviteForm returns the form for an invitation. The button says so if the invitation opens
// sign-up.
func (h *Pages) inviteForm(c *page.Context, path string, r linnet.InviteRight) (*form.Form, error) {
	times := form.Options("168", "24", c.Tr("1 day"), "168", c.Tr("7 days"), "720", c.Tr("30 days"), "0", c.Tr("No limit"))
	if r.For > 0 {
		times = times[:3]
	}
	button := c.Tr("Create invitation")
	if r.Closed {
		button = c.Tr("Open sign-up to invited people and create invitation")
	}
	fields := []form.Field{{Kind: form.NumberField, Name: "uses", Label: c.Tr("Maximum uses"), Value: "1", Most: int(r.Uses), Required: true},
		{Kind: form.SelectField, Name: "expires", Label: c.Tr("Expires after"), Choices: times}}
	mine, err := h.View.CollectionsOf(c.Request.Context(), c.Me.ID, c.Me.ID, 0, linnet.MaxCollections)
	if err != nil {
		return nil, err
	}
	if len(mine) > 0 {
		names := []string{"", c.Tr("None")}
		for _, v := range mine {
			names = append(names, v.ID.String(), v.Name)
		}
		fields = append(fields, form.Field{Kind: form.SelectField, Name: "collection", Label: c.Tr("Collection to follow"), Choices: form.Options("", names...), Hint: c.Tr("New members can follow all accounts in the collection at once.")})
	}
	return form.New(c, path, button, fields...), nil
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
	t := &form.Table{Caption: c.Tr("Invitations"), Head: []string{c.Tr("Link"), c.Tr("Status"), c.Tr("Created"), c.Tr("Expires"), ""}, Empty: c.Tr("No invitations yet. Create one and send its link to people.")}
	for _, i := range all {
		link, until, maker, stop := form.TextCell(i.Code), form.TextCell(c.Tr("never")), form.TextCell(c.Tr("command line")), form.Cell{}
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
			link = form.CopyCell(i.URL)
			stop.Forms = []*form.Form{form.Button(c, revoke+"/revoke", c.Tr("Revoke"), c.Tr("Revoke the invitation %s", i.Code), "invite", i.Code)}
		}
		t.Rows = append(t.Rows, []form.Cell{link, form.TextCell(inviteState(c, i.State)).With(form.TextCell(c.Tr("used %s of %s times", c.Num(i.Uses), c.Num(i.Most)))),
			form.TimeCell(i.Created).With(maker), until, stop})
	}
	return t
}

// invites is the page of all invitations.
func (h *Pages) invites(c *page.Context) (*form.Page, error) {
	right, err := h.Invites.Right(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	all, err := h.Invites.All(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	p := &form.Page{Title: c.Tr("Invitations"), Path: paths.AdminInvites, Lead: c.Tr("Anyone with an invitation link can sign up without approval, unless a sign-up block requires it.")}
	switch {
	case !c.May(linnet.InviteUsers):
	case right.May:
		if right.Closed {
			p.Lead = c.Tr("Sign-up is closed. Creating an invitation opens it to invited people only.")
		}
		if p.Form, err = h.inviteForm(c, paths.AdminInvites, right); err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, form.Section{Form: p.Form})
	default:
		p.Lead = c.Tr("Sign-up is closed, so invitations can't be used. An administrator can open it to invited people in the settings.")
	}
	p.Parts = append(p.Parts, form.Section{Title: c.Tr("Invitations"), Table: inviteTable(c, all, paths.AdminInvites)})
	return p, nil
}

func (h *Pages) createInvite(c *page.Context) error { return h.createInviteOn(c, h.invites, h.invites) }

// createInviteOn creates the invitation of the form, and shows the page again with its link.
// refused loads the page for a refused form.
func (h *Pages) createInviteOn(c *page.Context, show, refused form.Show) error {
	errs := page.FieldErrors{}
	d := linnet.InviteDraft{Uses: int64(form.Number(c, "uses", errs)), For: time.Duration(min(form.Number(c, "expires", errs), 1e6)) * time.Hour}
	if id := c.Typed("collection"); id != "" {
		var ok bool
		if d.Collection, ok = linnet.ParseID(id); !ok {
			return page.NotFound()
		}
	}
	if len(errs) > 0 {
		return form.ShowErrors(c, refused, errs)
	}
	i, err := h.Invites.CreateAs(c.Request.Context(), c.Me.ID, d)
	if err != nil {
		return form.ShowErrors(c, refused, err)
	}
	p, err := show(c)
	if err != nil {
		return err
	}
	if p.Done, p.Link = c.Tr("Invitation created. Send this link to the people you invite."), i.URL; i.Opened {
		p.Done = c.Tr("Sign-up is now open to invited people.") + " " + p.Done
	}
	return p.Render(c, http.StatusOK)
}

func (h *Pages) revokeInvite(c *page.Context, path string) (string, error) {
	return form.Saved(path), h.Invites.RevokeAs(c.Request.Context(), c.Me.ID, c.Typed("invite"))
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
	p, err := h.ownInvitesPage(c, right, false)
	if err != nil {
		return err
	}
	return p.Render(c, http.StatusOK)
}

// ownInvitesPage returns the page of a member's invitations. A refused form is also shown to
// members with the maximum number of invitations.
func (h *Pages) ownInvitesPage(c *page.Context, right linnet.InviteRight, refused bool) (*form.Page, error) {
	all, err := h.Invites.Own(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	if right.Most == 0 && !right.May && len(all) == 0 { // members can't invite
		return nil, page.NotFound()
	}
	p, offered := &form.Page{Title: c.Tr("Invitations"), Path: paths.Invites}, false
	switch {
	case right.Closed && !right.May:
		p.Lead = c.Tr("Sign-up is closed at the moment, so invitations can't be used.")
	case !right.From.IsZero():
		p.Lead = c.Tr("Your account is new. You can create invitations from %s.", c.Lang().Time(right.From.In(c.Zone()), locale.Mark("2 January 2006")))
	case !right.May:
		p.Lead = c.Tr("You can't create invitations at the moment.")
	case right.Most == 0:
		p.Lead = c.Tr("Anyone with an invitation link can sign up without approval, unless a sign-up block requires it.")
		offered = true
	case right.Open >= right.Most && !refused:
		p.Lead = c.Trn(int64(right.Most), "You can have at most %s open invitation. Revoke it, or wait until it's used.", "You can have at most %s open invitations. Revoke one, or wait until one is used.")
	default:
		p.Lead = c.Tr("Anyone with an invitation link can sign up. At most %s of your invitations can be open at a time.", c.Num(int64(right.Most)))
		offered = true
	}
	if offered {
		if p.Form, err = h.inviteForm(c, paths.Invites, right); err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, form.Section{Form: p.Form})
	}
	p.Parts = append(p.Parts, form.Section{Title: c.Tr("Your invitations"), Table: inviteTable(c, all, paths.Invites)})
	return p, nil
}

func (h *Pages) createOwnInvite(c *page.Context) error {
	show := func(refused bool) form.Show {
		return func(c *page.Context) (*form.Page, error) {
			right, err := h.Invites.Right(c.Request.Context(), c.Me.ID)
			if err != nil {
				return nil, err
			}
			return h.ownInvitesPage(c, right, refused)
		}
	}
	return h.createInviteOn(c, show(false), show(true))
}
