package account

import (
	"net/http"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) emailRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Email, Get: page.LoggedIn(h.emailSettings), Post: page.LoggedIn(h.changeEmail)},
		{Pattern: paths.Email + "/resend", Post: page.LoggedIn(h.resendEmail)},
		{Pattern: paths.Email + "/mails", Post: page.LoggedIn(h.chooseMails)},
	}
}

func emailForm(c *page.Context, e linnet.EmailState) *form.Form {
	return form.New(c, paths.Email, c.Tr("Save"),
		form.Field{Kind: form.LineField, Name: "email", Label: c.Tr("E-mail address"), Value: e.Address, Hint: c.Tr("Only you and the administrators can see your address. To change it, enter a new address and open the link we send to it. Leave empty to remove your address.")},
		form.Field{Kind: form.PasswordField, Name: "password", Label: c.Tr("Password"), Required: true})
}

func (h *Pages) emailSettings(c *page.Context) error {
	e, err := h.Emails.State(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	return h.showEmail(c, e, emailForm(c, e))
}

func (h *Pages) showEmail(c *page.Context, e linnet.EmailState, f *form.Form) error {
	state := form.Fact{Name: c.Tr("Address"), Is: form.TextCell(c.Tr("none"))}
	if e.Address != "" {
		state.Is = form.TextCell(c.Tr("%s (not confirmed yet)", e.Address))
		if e.Confirmed {
			state.Is = form.TextCell(c.Tr("%s (confirmed)", e.Address))
		}
	}
	first := form.Section{Facts: []form.Fact{state}}
	if !h.Emails.On() {
		return form.ShowSettings(c, http.StatusOK, c.Tr("E-mail"), paths.Email, form.Page{Lead: c.Tr("This server doesn't send e-mail. If you forget your password, ask the administrators for a link."), Parts: []form.Section{first}})
	}
	if e.Pending != "" {
		first.Text = c.Tr("We sent a link to %s. Open it within two days to confirm the address. The link works once. If you can't find the e-mail, check your spam folder.", e.Pending)
		if e.Held {
			first.Text = c.Tr("You set a new password, so the link we sent to %s no longer works. Send it again to confirm the address.", e.Pending)
		}
		first.Form = form.New(c, paths.Email+"/resend", c.Tr("Send link again"))
	}
	lead := c.Tr("With a confirmed address you can reset your password if you forget it.")
	return form.ShowSettings(c, f.StatusCode(), c.Tr("E-mail"), paths.Email, form.Page{Lead: lead, Parts: []form.Section{first, {Title: c.Tr("Change"), Form: f}, {Title: c.Tr("E-mail notifications"), Text: c.Tr("We only e-mail a confirmed address. Security alerts are always sent."), Form: mailsForm(c, e)}}})
}

// mailWords returns the label and the hint of a kind of e-mail.
func mailWords(c *page.Context, k linnet.MailKind) (label, hint string) {
	switch k {
	case linnet.MailLogin:
		return c.Tr("A login from a new browser"), ""
	case linnet.MailReports:
		return c.Tr("New reports and sign-ups to review"), ""
	}
	return c.Tr("A weekly summary of notifications you haven't seen"), c.Tr("We don't send it if you've seen them all.")
}

func mailsForm(c *page.Context, e linnet.EmailState) *form.Form {
	f := form.New(c, paths.Email+"/mails", c.Tr("Save preferences"))
	for _, k := range linnet.MailKinds() {
		if k == linnet.MailReports && !c.May(linnet.ManageReports) && !c.May(linnet.ManageUsers) {
			continue
		}
		label, hint := mailWords(c, k)
		f.Fields = append(f.Fields, form.Field{Kind: form.CheckField, Name: string(k), Label: label, Hint: hint, On: slices.Contains(e.Mails, k)})
	}
	return f
}

func (h *Pages) chooseMails(c *page.Context) error {
	var wanted []linnet.MailKind
	for _, k := range linnet.MailKinds() {
		if *form.Checked(c, string(k)) {
			wanted = append(wanted, k)
		}
	}
	if err := h.Emails.Choose(c.Request.Context(), c.Me.ID, wanted); err != nil {
		return err
	}
	return form.Saved(c, paths.Email)
}

func (h *Pages) changeEmail(c *page.Context) error {
	e, err := h.Emails.State(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	if err := h.Emails.Set(c.VisitorContext(), c.Me.ID, c.Typed("email"), c.Request.PostForm.Get("password"), c.ClientAddr()); err != nil {
		if f := emailForm(c, e); f.Refused(err, nil) {
			return h.showEmail(c, e, f)
		}
		return err
	}
	return form.Saved(c, paths.Email)
}

func (h *Pages) resendEmail(c *page.Context) error {
	err := h.Emails.Resend(c.Request.Context(), c.Me.ID, "", c.ClientAddr())
	if err != nil && !page.IsKind(err, linnet.Forbidden) {
		return err // a confirmed address needs no e-mail
	}
	return form.Saved(c, paths.Email)
}
