package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Pages about e-mail addresses: the user's own, the link that confirms one, and forgotten
// passwords.

func (h *accountPages) emailRoutes() []route {
	return []route{
		{pattern: paths.Email, get: own(h.emailSettings), post: own(h.changeEmail)},
		{pattern: paths.Email + "/resend", post: own(h.resendEmail)},
		{pattern: paths.Email + "/mails", post: own(h.chooseMails)},
	}
}

// linkRoutes are the pages of the links in e-mails.
func (h *authPages) linkRoutes() []route {
	return []route{
		{pattern: paths.Forgot, get: h.forgotForm, post: h.forgot},
		{pattern: paths.Unsubscribe, get: h.unsubscribeForm, post: h.unsubscribe, foreign: true},
		{pattern: paths.Correct, get: h.correctEmailForm, post: h.correctEmail},
		{pattern: paths.Confirm, get: h.confirmEmailForm, post: h.confirmEmail},
	}
}

func emailForm(c *call, e linnet.EmailState) *form {
	return startForm(c, paths.Email, c.tr("Save"),
		field{Kind: lineField, Name: "email", Label: c.tr("E-mail address"), Value: e.Address, Hint: c.tr("Only you and the administrators can see it. We send a link to a new address. It takes effect when you open the link. Leave empty to remove your address.")},
		field{Kind: passwordField, Name: "password", Label: c.tr("Password"), Required: true})
}

func (h *accountPages) emailSettings(c *call) error {
	e, err := h.emails.State(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return h.showEmail(c, e, emailForm(c, e))
}

func (h *accountPages) showEmail(c *call, e linnet.EmailState, f *form) error {
	state := fact{c.tr("Address"), textCell(c.tr("none"))}
	if e.Address != "" {
		state.Is = textCell(c.tr("%s (not confirmed yet)", e.Address))
		if e.Confirmed {
			state.Is = textCell(c.tr("%s (confirmed)", e.Address))
		}
	}
	first := formSection{Facts: []fact{state}}
	if !h.emails.On() {
		return showSettings(c, http.StatusOK, c.tr("E-mail"), paths.Email, formPage{Lead: c.tr("This server doesn't send e-mail. If you forget your password, ask the administrators for a link."), Parts: []formSection{first}})
	}
	if e.Pending != "" {
		first.Text = c.tr("We sent a link to %s. Open it to confirm the address. It works once and for two days. If you can't find it, check your spam folder.", e.Pending)
		if e.Held {
			first.Text = c.tr("You set a new password, so the link we sent to %s no longer works. Send it again to confirm the address.", e.Pending)
		}
		first.Form = startForm(c, paths.Email+"/resend", c.tr("Send link again"))
	}
	lead := c.tr("With a confirmed address you can reset your password if you forget it.")
	return showSettings(c, f.code(), c.tr("E-mail"), paths.Email, formPage{Lead: lead, Parts: []formSection{first, {Title: c.tr("Change"), Form: f}, {Title: c.tr("E-mail notifications"), Text: c.tr("We only e-mail a confirmed address. Security alerts are always sent."), Form: mailsForm(c, e)}}})
}

// mailWords name kinds of mail in forms.
func mailWords(c *call, k linnet.MailKind) (label, hint string) {
	switch k {
	case linnet.MailLogin:
		return c.tr("A log-in from a new browser"), ""
	case linnet.MailReports:
		return c.tr("New reports and sign-ups to review"), ""
	}
	return c.tr("A weekly summary of notifications you haven't seen"), c.tr("We don't send it if there are none.")
}

func mailsForm(c *call, e linnet.EmailState) *form {
	f := startForm(c, paths.Email+"/mails", c.tr("Save preferences"))
	for _, k := range linnet.MailKinds() {
		if k == linnet.MailReports && !c.may(linnet.ManageReports) && !c.may(linnet.ManageUsers) {
			continue
		}
		label, hint := mailWords(c, k)
		f.Fields = append(f.Fields, field{Kind: checkField, Name: string(k), Label: label, Hint: hint, On: slices.Contains(e.Mails, k)})
	}
	return f
}

func (h *accountPages) chooseMails(c *call) error {
	var wanted []linnet.MailKind
	for _, k := range linnet.MailKinds() {
		if *ticked(c, string(k)) {
			wanted = append(wanted, k)
		}
	}
	if err := h.emails.Choose(c.r.Context(), c.me.ID, wanted); err != nil {
		return err
	}
	return saved(c, paths.Email)
}

func (h *accountPages) changeEmail(c *call) error {
	e, err := h.emails.State(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	if err := h.emails.Set(c.visiting(), c.me.ID, c.typed("email"), c.r.PostForm.Get("password"), c.from()); err != nil {
		if f := emailForm(c, e); f.refused(err, nil) {
			return h.showEmail(c, e, f)
		}
		return err
	}
	return saved(c, paths.Email)
}

func (h *accountPages) resendEmail(c *call) error {
	err := h.emails.Resend(c.r.Context(), c.me.ID, "", c.from())
	if err != nil && !isKind(err, linnet.Forbidden) {
		return err // one that is confirmed by now is as was wished
	}
	return saved(c, paths.Email)
}

// forgotPage asks for an address, or says what happens next.
type forgotPage struct {
	Mails  bool
	Sent   bool
	Email  string
	Errors fieldErrors
}

func (h *authPages) forgotForm(c *call) error { return h.showForgot(c, http.StatusOK, forgotPage{}) }

func (h *authPages) showForgot(c *call, code int, p forgotPage) error {
	p.Mails = h.emails.On()
	return c.render(code, page{Title: c.tr("Forgotten password"), Body: forgotView(c, p)})
}

// forgot responds the same whether an account has the address or not.
func (h *authPages) forgot(c *call) error {
	p := forgotPage{Email: c.typed("email"), Errors: fieldErrors{}}
	err := h.emails.Forgot(c.r.Context(), p.Email, c.from())
	switch {
	case err == nil:
		p.Sent = true
		return h.showForgot(c, http.StatusOK, p)
	case p.Errors.add(c, err, map[string]formField{"email": {"email", c.tr("The address")}}):
		return h.showForgot(c, http.StatusUnprocessableEntity, p)
	}
	return err
}

func (h *authPages) confirmEmailForm(c *call) error {
	link, err := h.emails.Link(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return emailRefusal(c, err)
	}
	return showConfirmed(c, link, false)
}

func showConfirmed(c *call, link identity.EmailLink, done bool) error {
	return c.render(http.StatusOK, page{Title: c.tr("Confirm e-mail address"), Body: confirmEmailView(c, link, done)})
}

// confirmEmail uses the link. It requires a button, because security scanners open links in
// e-mails.
func (h *authPages) confirmEmail(c *call) error {
	token := c.r.PathValue("token")
	link, err := h.emails.Link(c.r.Context(), token)
	if err == nil {
		err = h.emails.Confirm(c.visiting(), token)
	}
	if err != nil {
		return emailRefusal(c, err)
	}
	return showConfirmed(c, link, true)
}

// emailRefusal leads from a link that is used up to where there are others.
func emailRefusal(c *call, err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return err
	}
	if code := map[linnet.Kind]int{linnet.Gone: http.StatusGone, linnet.Conflict: http.StatusConflict}[e.Kind]; code != 0 {
		return &httpError{code: code, said: c.told(e), back: paths.Email, text: "E-mail settings"}
	}
	return err
}

// correctPage asks who has signed up with a wrong address for the right one.
type correctPage struct {
	Login  string
	Email  string
	Errors fieldErrors
}

func (h *authPages) correctEmailForm(c *call) error {
	return h.showCorrect(c, http.StatusOK, correctPage{Login: c.r.URL.Query().Get("name")})
}

func (h *authPages) showCorrect(c *call, code int, p correctPage) error {
	if !h.emails.On() {
		return h.showForgot(c, http.StatusOK, forgotPage{}) // says that no e-mail is sent here
	}
	return c.render(code, page{Title: c.tr("Correct your e-mail address"), Body: correctView(c, p)})
}

func (h *authPages) correctEmail(c *call) error {
	p := correctPage{Login: strings.TrimPrefix(c.typed("login"), "@"), Email: c.typed("email"), Errors: fieldErrors{}}
	err := h.emails.Correct(c.visiting(), p.Login, c.r.PostForm.Get("password"), p.Email, c.from())
	var e *linnet.Error
	switch {
	case err == nil:
		return c.render(http.StatusOK, page{Title: c.tr("Confirm your e-mail address"), Body: confirmFirstView(p.Login, p.Email)})
	case p.Errors.add(c, err, map[string]formField{"email": {"email", c.tr("The address")}}):
		return h.showCorrect(c, http.StatusUnprocessableEntity, p)
	case !errors.As(err, &e):
	case e.Kind == linnet.TooMany:
		retryAfter(c.w.Header(), e)
		p.Errors[""] = c.told(e)
		return h.showCorrect(c, http.StatusTooManyRequests, p)
	case e.Kind == linnet.Unauthenticated, e.Kind == linnet.Forbidden:
		p.Errors[""] = c.told(e)
		return h.showCorrect(c, http.StatusUnprocessableEntity, p)
	}
	return err
}
