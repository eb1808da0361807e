package auth

import (
	"errors"
	"net/http"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// forgotPage asks for an e-mail address, or explains the next step.
type forgotPage struct {
	Mails  bool
	Sent   bool
	Email  string
	Errors page.FieldErrors
}

func (h *Pages) forgotForm(c *page.Context) error {
	return h.showForgot(c, http.StatusOK, forgotPage{})
}

func (h *Pages) showForgot(c *page.Context, code int, p forgotPage) error {
	p.Mails = h.Emails.On()
	return c.Render(code, page.Page{Title: c.Tr("Reset your password"), Body: forgotView(c, p)})
}

// forgot sends a reset link. The response is the same whether an account has the address or not.
func (h *Pages) forgot(c *page.Context) error {
	p := forgotPage{Email: c.Typed("email"), Errors: page.FieldErrors{}}
	err := h.Emails.Forgot(c.Request.Context(), p.Email, c.ClientAddr())
	switch {
	case err == nil:
		p.Sent = true
		return h.showForgot(c, http.StatusOK, p)
	case p.Errors.Add(c, err, map[string]page.FormField{"email": {Name: "email", Subject: c.Tr("The address")}}):
		return h.showForgot(c, http.StatusUnprocessableEntity, p)
	}
	return err
}

func (h *Pages) confirmEmailForm(c *page.Context) error {
	link, err := h.Emails.Link(c.Request.Context(), c.Request.PathValue("token"))
	if err != nil {
		return emailRefusal(c, err)
	}
	return showConfirmed(c, link, false)
}

func showConfirmed(c *page.Context, link identity.EmailLink, done bool) error {
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Confirm e-mail address"), Body: confirmEmailView(c, link, done)})
}

// confirmEmail confirms an address after the reader has pressed the button. Opening the link isn't
// enough, because security scanners open links in e-mails.
func (h *Pages) confirmEmail(c *page.Context) error {
	token := c.Request.PathValue("token")
	link, err := h.Emails.Link(c.Request.Context(), token)
	if err == nil {
		err = h.Emails.Confirm(c.VisitorContext(), token)
	}
	if err != nil {
		return emailRefusal(c, err)
	}
	return showConfirmed(c, link, true)
}

// emailRefusal returns the error page for a link that is no longer valid.
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

// correctPage asks for the right e-mail address after a sign-up with a wrong one.
type correctPage struct {
	Login  string
	Email  string
	Errors page.FieldErrors
}

func (h *Pages) correctEmailForm(c *page.Context) error {
	return h.showCorrect(c, http.StatusOK, correctPage{Login: c.Request.URL.Query().Get("name")})
}

func (h *Pages) showCorrect(c *page.Context, code int, p correctPage) error {
	if !h.Emails.On() {
		return h.showForgot(c, http.StatusOK, forgotPage{}) // says that no e-mail is sent here
	}
	return c.Render(code, page.Page{Title: c.Tr("Correct your e-mail address"), Body: correctView(c, p)})
}

func (h *Pages) correctEmail(c *page.Context) error {
	p := correctPage{Login: strings.TrimPrefix(c.Typed("login"), "@"), Email: c.Typed("email"), Errors: page.FieldErrors{}}
	err := h.Emails.Correct(c.VisitorContext(), p.Login, c.Request.PostForm.Get("password"), p.Email, c.ClientAddr())
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

func (h *Pages) unsubscribeForm(c *page.Context) error {
	login, err := h.Emails.Unsubscribed(c.Request.Context(), c.Request.PathValue("token"))
	if err != nil {
		return stopRefusal(c, err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Unsubscribe"), Body: unsubscribeView(c, login, false)})
}

// unsubscribe handles the button of the page, and the requests of e-mail programs (RFC 8058). The
// latter have neither cookies nor a form token. The secret in the path is sufficient, because it
// only ends e-mails.
func (h *Pages) unsubscribe(c *page.Context) error {
	token := c.Request.PathValue("token")
	login, err := h.Emails.Unsubscribed(c.Request.Context(), token)
	if err == nil {
		err = h.Emails.Unsubscribe(c.Request.Context(), token)
	}
	if err != nil {
		return stopRefusal(c, err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Unsubscribe"), Body: unsubscribeView(c, login, true)})
}

func stopRefusal(c *page.Context, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &page.Error{Code: http.StatusGone, Localized: c.ErrorText(e), Back: paths.Email, BackText: "E-mail settings"}
	}
	return err
}
