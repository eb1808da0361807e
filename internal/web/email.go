package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages about e-mail addresses: the user's own, the link that confirms one, and forgotten
// passwords.

func (h *accountPages) emailRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Email, Get: page.LoggedIn(h.emailSettings), Post: page.LoggedIn(h.changeEmail)},
		{Pattern: paths.Email + "/resend", Post: page.LoggedIn(h.resendEmail)},
		{Pattern: paths.Email + "/mails", Post: page.LoggedIn(h.chooseMails)},
	}
}

// linkRoutes are the pages of the links in e-mails.
func (h *authPages) linkRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Forgot, Get: h.forgotForm, Post: h.forgot},
		{Pattern: paths.Unsubscribe, Get: h.unsubscribeForm, Post: h.unsubscribe, Foreign: true},
		{Pattern: paths.Correct, Get: h.correctEmailForm, Post: h.correctEmail},
		{Pattern: paths.Confirm, Get: h.confirmEmailForm, Post: h.confirmEmail},
	}
}

func emailForm(c *page.Context, e linnet.EmailState) *form.Form {
	return form.New(c, paths.Email, c.Tr("Save"),
		form.Field{Kind: form.LineField, Name: "email", Label: c.Tr("E-mail address"), Value: e.Address, Hint: c.Tr("Only you and the administrators can see it. We send a link to a new address. It takes effect when you open the link. Leave empty to remove your address.")},
		form.Field{Kind: form.PasswordField, Name: "password", Label: c.Tr("Password"), Required: true})
}

func (h *accountPages) emailSettings(c *page.Context) error {
	e, err := h.emails.State(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	return h.showEmail(c, e, emailForm(c, e))
}

func (h *accountPages) showEmail(c *page.Context, e linnet.EmailState, f *form.Form) error {
	state := form.Fact{Name: c.Tr("Address"), Is: form.TextCell(c.Tr("none"))}
	if e.Address != "" {
		state.Is = form.TextCell(c.Tr("%s (not confirmed yet)", e.Address))
		if e.Confirmed {
			state.Is = form.TextCell(c.Tr("%s (confirmed)", e.Address))
		}
	}
	first := form.Section{Facts: []form.Fact{state}}
	if !h.emails.On() {
		return form.ShowSettings(c, http.StatusOK, c.Tr("E-mail"), paths.Email, form.Page{Lead: c.Tr("This server doesn't send e-mail. If you forget your password, ask the administrators for a link."), Parts: []form.Section{first}})
	}
	if e.Pending != "" {
		first.Text = c.Tr("We sent a link to %s. Open it to confirm the address. It works once and for two days. If you can't find it, check your spam folder.", e.Pending)
		if e.Held {
			first.Text = c.Tr("You set a new password, so the link we sent to %s no longer works. Send it again to confirm the address.", e.Pending)
		}
		first.Form = form.New(c, paths.Email+"/resend", c.Tr("Send link again"))
	}
	lead := c.Tr("With a confirmed address you can reset your password if you forget it.")
	return form.ShowSettings(c, f.StatusCode(), c.Tr("E-mail"), paths.Email, form.Page{Lead: lead, Parts: []form.Section{first, {Title: c.Tr("Change"), Form: f}, {Title: c.Tr("E-mail notifications"), Text: c.Tr("We only e-mail a confirmed address. Security alerts are always sent."), Form: mailsForm(c, e)}}})
}

// mailWords name kinds of mail in forms.
func mailWords(c *page.Context, k linnet.MailKind) (label, hint string) {
	switch k {
	case linnet.MailLogin:
		return c.Tr("A log-in from a new browser"), ""
	case linnet.MailReports:
		return c.Tr("New reports and sign-ups to review"), ""
	}
	return c.Tr("A weekly summary of notifications you haven't seen"), c.Tr("We don't send it if there are none.")
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

func (h *accountPages) chooseMails(c *page.Context) error {
	var wanted []linnet.MailKind
	for _, k := range linnet.MailKinds() {
		if *form.Checked(c, string(k)) {
			wanted = append(wanted, k)
		}
	}
	if err := h.emails.Choose(c.Request.Context(), c.Me.ID, wanted); err != nil {
		return err
	}
	return form.Saved(c, paths.Email)
}

func (h *accountPages) changeEmail(c *page.Context) error {
	e, err := h.emails.State(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	if err := h.emails.Set(c.VisitorContext(), c.Me.ID, c.Typed("email"), c.Request.PostForm.Get("password"), c.ClientAddr()); err != nil {
		if f := emailForm(c, e); f.Refused(err, nil) {
			return h.showEmail(c, e, f)
		}
		return err
	}
	return form.Saved(c, paths.Email)
}

func (h *accountPages) resendEmail(c *page.Context) error {
	err := h.emails.Resend(c.Request.Context(), c.Me.ID, "", c.ClientAddr())
	if err != nil && !page.IsKind(err, linnet.Forbidden) {
		return err // one that is confirmed by now is as was wished
	}
	return form.Saved(c, paths.Email)
}

// forgotPage asks for an address, or says what happens next.
type forgotPage struct {
	Mails  bool
	Sent   bool
	Email  string
	Errors page.FieldErrors
}

func (h *authPages) forgotForm(c *page.Context) error {
	return h.showForgot(c, http.StatusOK, forgotPage{})
}

func (h *authPages) showForgot(c *page.Context, code int, p forgotPage) error {
	p.Mails = h.emails.On()
	return c.Render(code, page.Page{Title: c.Tr("Forgotten password"), Body: forgotView(c, p)})
}

// forgot responds the same whether an account has the address or not.
func (h *authPages) forgot(c *page.Context) error {
	p := forgotPage{Email: c.Typed("email"), Errors: page.FieldErrors{}}
	err := h.emails.Forgot(c.Request.Context(), p.Email, c.ClientAddr())
	switch {
	case err == nil:
		p.Sent = true
		return h.showForgot(c, http.StatusOK, p)
	case p.Errors.Add(c, err, map[string]page.FormField{"email": {Name: "email", Subject: c.Tr("The address")}}):
		return h.showForgot(c, http.StatusUnprocessableEntity, p)
	}
	return err
}

func (h *authPages) confirmEmailForm(c *page.Context) error {
	link, err := h.emails.Link(c.Request.Context(), c.Request.PathValue("token"))
	if err != nil {
		return emailRefusal(c, err)
	}
	return showConfirmed(c, link, false)
}

func showConfirmed(c *page.Context, link identity.EmailLink, done bool) error {
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Confirm e-mail address"), Body: confirmEmailView(c, link, done)})
}

// confirmEmail uses the link. It requires a button, because security scanners open links in
// e-mails.
func (h *authPages) confirmEmail(c *page.Context) error {
	token := c.Request.PathValue("token")
	link, err := h.emails.Link(c.Request.Context(), token)
	if err == nil {
		err = h.emails.Confirm(c.VisitorContext(), token)
	}
	if err != nil {
		return emailRefusal(c, err)
	}
	return showConfirmed(c, link, true)
}

// emailRefusal leads from a link that is used up to where there are others.
func emailRefusal(c *page.Context, err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return err
	}
	if code := map[linnet.Kind]int{linnet.Gone: http.StatusGone, linnet.Conflict: http.StatusConflict}[e.Kind]; code != 0 {
		return &page.Error{Code: code, Localized: c.ErrorText(e), Back: paths.Email, BackText: "E-mail settings"}
	}
	return err
}

// correctPage asks who has signed up with a wrong address for the right one.
type correctPage struct {
	Login  string
	Email  string
	Errors page.FieldErrors
}

func (h *authPages) correctEmailForm(c *page.Context) error {
	return h.showCorrect(c, http.StatusOK, correctPage{Login: c.Request.URL.Query().Get("name")})
}

func (h *authPages) showCorrect(c *page.Context, code int, p correctPage) error {
	if !h.emails.On() {
		return h.showForgot(c, http.StatusOK, forgotPage{}) // says that no e-mail is sent here
	}
	return c.Render(code, page.Page{Title: c.Tr("Correct your e-mail address"), Body: correctView(c, p)})
}

func (h *authPages) correctEmail(c *page.Context) error {
	p := correctPage{Login: strings.TrimPrefix(c.Typed("login"), "@"), Email: c.Typed("email"), Errors: page.FieldErrors{}}
	err := h.emails.Correct(c.VisitorContext(), p.Login, c.Request.PostForm.Get("password"), p.Email, c.ClientAddr())
	var e *linnet.Error
	switch {
	case err == nil:
		return c.Render(http.StatusOK, page.Page{Title: c.Tr("Confirm your e-mail address"), Body: confirmFirstView(p.Login, p.Email)})
	case p.Errors.Add(c, err, map[string]page.FormField{"email": {Name: "email", Subject: c.Tr("The address")}}):
		return h.showCorrect(c, http.StatusUnprocessableEntity, p)
	case !errors.As(err, &e):
	case e.Kind == linnet.TooMany:
		page.SetRetryAfter(c.Writer.Header(), e)
		p.Errors[""] = c.ErrorText(e)
		return h.showCorrect(c, http.StatusTooManyRequests, p)
	case e.Kind == linnet.Unauthenticated, e.Kind == linnet.Forbidden:
		p.Errors[""] = c.ErrorText(e)
		return h.showCorrect(c, http.StatusUnprocessableEntity, p)
	}
	return err
}
