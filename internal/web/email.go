package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// Pages about e-mail addresses: the user's own, the link that confirms one, and forgotten
// passwords.

const (
	emailPath   = "/settings/email"
	forgotPath  = "/forgot"
	confirmPath = "/confirm/{token}"
	correctPath = "/confirm"
)

func emailRoutes() []route {
	return []route{
		{pattern: emailPath, get: own((*call).emailSettings), post: own((*call).changeEmail)},
		{pattern: emailPath + "/resend", post: own((*call).resendEmail)},
		{pattern: emailPath + "/mails", post: own((*call).chooseMails)},
	}
}

// linkRoutes are the pages of the links in e-mails.
func linkRoutes() []route {
	return []route{
		{pattern: forgotPath, get: (*call).forgotForm, post: (*call).forgot},
		{pattern: unsubscribePath, get: (*call).unsubscribeForm, post: (*call).unsubscribe, foreign: true},
		{pattern: correctPath, get: (*call).correctEmailForm, post: (*call).correctEmail},
		{pattern: confirmPath, get: (*call).confirmEmailForm, post: (*call).confirmEmail},
	}
}

func (c *call) emailForm(e linnet.EmailState) *form {
	return c.form(emailPath, c.tr("Save"),
		field{Kind: lineField, Name: "email", Label: c.tr("E-mail address"), Value: e.Address, Hint: c.tr("Only you and the administrators can see it. We send a link to a new address. It takes effect when you open the link. Leave empty to remove your address.")},
		field{Kind: passwordField, Name: "password", Label: c.tr("Password"), Required: true})
}

func (c *call) emailSettings() error {
	e, err := c.svc.Emails.State(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return c.showEmail(e, c.emailForm(e))
}

func (c *call) showEmail(e linnet.EmailState, f *form) error {
	state := fact{c.tr("Address"), textCell(c.tr("none"))}
	if e.Address != "" {
		state.Is = textCell(c.tr("%s (not confirmed yet)", e.Address))
		if e.Confirmed {
			state.Is = textCell(c.tr("%s (confirmed)", e.Address))
		}
	}
	first := formSection{Facts: []fact{state}}
	if !c.svc.Emails.On() {
		return c.showSettings(http.StatusOK, c.tr("E-mail"), emailPath, formPage{Lead: c.tr("This server doesn't send e-mail. If you forget your password, ask the administrators for a link."), Parts: []formSection{first}})
	}
	if e.Pending != "" {
		first.Text = c.tr("We sent a link to %s. Open it to confirm the address. It works once and for two days. If you can't find it, check your spam folder.", e.Pending)
		if e.Held {
			first.Text = c.tr("You set a new password, so the link we sent to %s no longer works. Send it again to confirm the address.", e.Pending)
		}
		first.Form = c.form(emailPath+"/resend", c.tr("Send link again"))
	}
	lead := c.tr("With a confirmed address you can reset your password if you forget it.")
	return c.showSettings(f.code(), c.tr("E-mail"), emailPath, formPage{Lead: lead, Parts: []formSection{first, {Title: c.tr("Change"), Form: f}, {Title: c.tr("E-mail notifications"), Text: c.tr("We only e-mail a confirmed address. Security alerts are always sent."), Form: c.mailsForm(e)}}})
}

// mailWords name kinds of mail in forms.
func (c *call) mailWords(k linnet.MailKind) (label, hint string) {
	switch k {
	case linnet.MailLogin:
		return c.tr("A log-in from a new browser"), ""
	case linnet.MailReports:
		return c.tr("New reports and sign-ups to review"), ""
	}
	return c.tr("A weekly summary of notifications you haven't seen"), c.tr("We don't send it if there are none.")
}

func (c *call) mailsForm(e linnet.EmailState) *form {
	f := c.form(emailPath+"/mails", c.tr("Save preferences"))
	for _, k := range linnet.MailKinds() {
		if k == linnet.MailReports && !c.may(linnet.ManageReports) && !c.may(linnet.ManageUsers) {
			continue
		}
		label, hint := c.mailWords(k)
		f.Fields = append(f.Fields, field{Kind: checkField, Name: string(k), Label: label, Hint: hint, On: slices.Contains(e.Mails, k)})
	}
	return f
}

func (c *call) chooseMails() error {
	var wanted []linnet.MailKind
	for _, k := range linnet.MailKinds() {
		if *c.ticked(string(k)) {
			wanted = append(wanted, k)
		}
	}
	if err := c.svc.Emails.Choose(c.r.Context(), c.me.ID, wanted); err != nil {
		return err
	}
	return c.saved(emailPath)
}

func (c *call) changeEmail() error {
	e, err := c.svc.Emails.State(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	if err := c.svc.Emails.Set(c.visiting(), c.me.ID, c.typed("email"), c.r.PostForm.Get("password"), c.from()); err != nil {
		if f := c.emailForm(e); f.refused(err, nil) {
			return c.showEmail(e, f)
		}
		return err
	}
	return c.saved(emailPath)
}

func (c *call) resendEmail() error {
	err := c.svc.Emails.Resend(c.r.Context(), c.me.ID, "", c.from())
	if err != nil && !isKind(err, linnet.Forbidden) {
		return err // one that is confirmed by now is as was wished
	}
	return c.saved(emailPath)
}

// forgotPage asks for an address, or says what happens next.
type forgotPage struct {
	Mails  bool
	Sent   bool
	Email  string
	Errors fieldErrors
}

func (c *call) forgotForm() error { return c.showForgot(http.StatusOK, forgotPage{}) }

func (c *call) showForgot(code int, p forgotPage) error {
	p.Mails = c.svc.Emails.On()
	return c.render(code, page{Title: c.tr("Forgotten password"), Body: forgotView(c, p)})
}

// forgot responds the same whether an account has the address or not.
func (c *call) forgot() error {
	p := forgotPage{Email: c.typed("email"), Errors: fieldErrors{}}
	err := c.svc.Emails.Forgot(c.r.Context(), p.Email, c.from())
	switch {
	case err == nil:
		p.Sent = true
		return c.showForgot(http.StatusOK, p)
	case p.Errors.add(c, err, map[string]formField{"email": {"email", c.tr("The address")}}):
		return c.showForgot(http.StatusUnprocessableEntity, p)
	}
	return err
}

func (c *call) confirmEmailForm() error {
	link, err := c.svc.Emails.Link(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return c.emailRefusal(err)
	}
	return c.showConfirmed(link, false)
}

func (c *call) showConfirmed(link identity.EmailLink, done bool) error {
	return c.render(http.StatusOK, page{Title: c.tr("Confirm e-mail address"), Body: confirmEmailView(c, link, done)})
}

// confirmEmail uses the link. It requires a button, because security scanners open links in
// e-mails.
func (c *call) confirmEmail() error {
	token := c.r.PathValue("token")
	link, err := c.svc.Emails.Link(c.r.Context(), token)
	if err == nil {
		err = c.svc.Emails.Confirm(c.visiting(), token)
	}
	if err != nil {
		return c.emailRefusal(err)
	}
	return c.showConfirmed(link, true)
}

// emailRefusal leads from a link that is used up to where there are others.
func (c *call) emailRefusal(err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return err
	}
	if code := map[linnet.Kind]int{linnet.Gone: http.StatusGone, linnet.Conflict: http.StatusConflict}[e.Kind]; code != 0 {
		return &httpError{code: code, said: c.told(e), back: emailPath, text: "E-mail settings"}
	}
	return err
}

// correctPage asks who has signed up with a wrong address for the right one.
type correctPage struct {
	Login  string
	Email  string
	Errors fieldErrors
}

// correctPathOf leads there for an account.
func correctPathOf(login string) string { return correctPath + "?name=" + url.QueryEscape(login) }

func (c *call) correctEmailForm() error {
	return c.showCorrect(http.StatusOK, correctPage{Login: c.r.URL.Query().Get("name")})
}

func (c *call) showCorrect(code int, p correctPage) error {
	if !c.svc.Emails.On() {
		return c.showForgot(http.StatusOK, forgotPage{}) // says that no e-mail is sent here
	}
	return c.render(code, page{Title: c.tr("Correct your e-mail address"), Body: correctView(c, p)})
}

func (c *call) correctEmail() error {
	p := correctPage{Login: strings.TrimPrefix(c.typed("login"), "@"), Email: c.typed("email"), Errors: fieldErrors{}}
	err := c.svc.Emails.Correct(c.visiting(), p.Login, c.r.PostForm.Get("password"), p.Email, c.from())
	var e *linnet.Error
	switch {
	case err == nil:
		return c.render(http.StatusOK, page{Title: c.tr("Confirm your e-mail address"), Body: confirmFirstView(p.Login, p.Email)})
	case p.Errors.add(c, err, map[string]formField{"email": {"email", c.tr("The address")}}):
		return c.showCorrect(http.StatusUnprocessableEntity, p)
	case !errors.As(err, &e):
	case e.Kind == linnet.TooMany:
		retryAfter(c.w.Header(), e)
		p.Errors[""] = c.told(e)
		return c.showCorrect(http.StatusTooManyRequests, p)
	case e.Kind == linnet.Unauthenticated, e.Kind == linnet.Forbidden:
		p.Errors[""] = c.told(e)
		return c.showCorrect(http.StatusUnprocessableEntity, p)
	}
	return err
}
