package account

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// email is the page of the reader's e-mail address and of the e-mails they get.
func (h *Pages) email(c *page.Context) (*form.Page, error) {
	e, err := h.Emails.State(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	state := form.Fact{Name: c.Tr("Address"), Is: form.TextCell(c.Tr("none"))}
	if e.Address != "" {
		state.Is = form.TextCell(c.Tr("%s (not confirmed yet)", e.Address))
		if e.Confirmed {
			state.Is = form.TextCell(c.Tr("%s (confirmed)", e.Address))
		}
	}
	first := form.Section{Facts: []form.Fact{state}}
	p := &form.Page{Title: c.Tr("E-mail"), Path: paths.Email, Parts: []form.Section{first}}
	if !h.Emails.On() {
		p.Lead = c.Tr("This server doesn't send e-mail. If you forget your password, ask the administrators for a link.")
		return p, nil
	}
	if e.Pending != "" {
		first.Text = c.Tr("We sent a link to %s. Open it within two days to confirm the address. The link works once. If you can't find the e-mail, check your spam folder.", e.Pending)
		if e.Held {
			first.Text = c.Tr("You set a new password, so the link we sent to %s no longer works. To confirm the address, send a new link.", e.Pending)
		}
		first.Form = form.New(c, paths.Email+"/resend", c.Tr("Send link again"))
	}
	mails := form.New(c, paths.Email+"/mails", c.Tr("Save preferences"))
	for _, k := range linnet.MailKinds() {
		if k == linnet.MailReports && !c.May(linnet.ManageReports) && !c.May(linnet.ManageUsers) {
			continue
		}
		label, hint := mailWords(c, k)
		mails.Fields = append(mails.Fields, form.Field{Kind: form.CheckField, Name: string(k), Label: label, Hint: hint, On: slices.Contains(e.Mails, k)})
	}
	p.Lead = c.Tr("With a confirmed address you can reset your password if you forget it.")
	p.Form = form.New(c, paths.Email, c.Tr("Save"),
		form.Field{Kind: form.LineField, Name: "email", Label: c.Tr("E-mail address"), Value: e.Address, Hint: c.Tr("Only you and this server's staff can see your address. To change it, enter a new address and open the link we send to it. Leave empty to remove your address.")},
		form.Field{Kind: form.PasswordField, Name: "password", Label: c.Tr("Password"), Required: true})
	p.Parts = []form.Section{first, {Title: c.Tr("Change"), Form: p.Form}, {Title: c.Tr("E-mail notifications"), Text: c.Tr("We send these e-mails only to a confirmed address. Alerts about changes to your account security can't be turned off."), Form: mails}}
	return p, nil
}

// mailWords returns the label and the hint of a kind of e-mail.
func mailWords(c *page.Context, k linnet.MailKind) (label, hint string) {
	switch k {
	case linnet.MailLogin:
		return c.Tr("A login from a new browser"), ""
	case linnet.MailReports:
		return c.Tr("New reports and sign-ups to review"), ""
	}
	return c.Tr("A weekly summary of notifications you haven't seen"), c.Tr("We don't send a summary if you've seen all notifications.")
}

func (h *Pages) chooseMails(c *page.Context) (string, error) {
	var wanted []linnet.MailKind
	for _, k := range linnet.MailKinds() {
		if *form.Checked(c, string(k)) {
			wanted = append(wanted, k)
		}
	}
	return form.Saved(paths.Email), h.Emails.Choose(c.Request.Context(), c.Me.ID, wanted)
}

func (h *Pages) changeEmail(c *page.Context) (string, error) {
	return form.Saved(paths.Email), h.Emails.Set(c.VisitorContext(), c.Me.ID, c.Typed("email"), c.Request.PostForm.Get("password"), c.ClientAddr())
}

func (h *Pages) resendEmail(c *page.Context) (string, error) {
	err := h.Emails.Resend(c.Request.Context(), c.Me.ID, "", c.ClientAddr())
	if page.IsKind(err, linnet.Forbidden) { // a confirmed address needs no e-mail
		err = nil
	}
	return form.Saved(paths.Email), err
}
