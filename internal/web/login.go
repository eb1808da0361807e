package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

func (h *authPages) authRoutes() []route {
	return slices.Concat(h.passkeyLoginRoutes(), h.linkRoutes(), []route{
		{pattern: "/login", get: h.loginForm, post: h.logIn},
		{pattern: "/login/code", post: h.secondStep},
		{pattern: "/logout", post: h.logOut},
		{pattern: "/signup", get: h.signUpForm, post: h.signUp},
		{pattern: paths.Invite, get: h.signUpForm, post: h.signUp},
		{pattern: paths.Reset, get: h.resetForm, post: h.reset},
		{pattern: paths.Setup, get: h.setUpForm, post: h.setUp},
		{pattern: paths.Authorize, get: h.consentForm, post: h.consent},
		{pattern: paths.Authorize + "/{$}", get: h.consentForm, post: h.consent},
	})
}

type loginPage struct {
	Login  string // as typed before
	Error  string
	Next   string // query of the form's address, "" or "?next=..."
	Open   bool   // sign-up is possible
	ForApp bool   // an app has sent the reader here
	Kept   string // a form that is given back after the log-in

	Correct  bool // the account waits for the confirmation of an address that may be wrong
	Passkeys bool // passkeys can be used
}

func (h *authPages) loginForm(c *call) error {
	return h.showLogin(c, http.StatusOK, loginPage{})
}

func (h *authPages) showLogin(c *call, code int, p loginPage) error {
	about, err := c.instance()
	if err != nil {
		return err
	}
	p.Open = about.Registrations.Anybody()
	p.ForApp = strings.HasPrefix(c.next(), paths.Authorize)
	p.Next, p.Kept, p.Passkeys = c.nextQuery(), keptText(c), h.security.PasskeysOn()
	return c.render(code, page{Title: c.tr("Log in"), Body: loginView(c, p), Script: true})
}

func (h *authPages) logIn(c *call) error {
	p := loginPage{Login: strings.TrimPrefix(c.typed("login"), "@")}
	err := c.startSession(p.Login, c.r.PostForm.Get("password"))
	if err == nil {
		return h.afterLogIn(c)
	}
	var second *identity.SecondFactorError
	if errors.As(err, &second) {
		return showSecond(c, http.StatusOK, secondPage{Ticket: second.Ticket})
	}
	return h.refuseLogIn(c, p, err)
}

// refuseLogIn shows the form again with its error.
func (h *authPages) refuseLogIn(c *call, p loginPage, err error) error {
	var refused *linnet.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Kind {
	case linnet.Unauthenticated, linnet.Invalid, linnet.Forbidden:
		p.Error = c.told(refused)
		p.Correct = errors.Is(err, identity.ErrEmailWanted) || errors.Is(err, identity.ErrEmailSent)
		return h.showLogin(c, http.StatusUnprocessableEntity, p)
	case linnet.TooMany:
		retryAfter(c.w.Header(), refused)
		p.Error = c.tr("Too many log-in attempts.") + " " + c.wait(refused.RetryAfter)
		return h.showLogin(c, http.StatusTooManyRequests, p)
	}
	return err
}

// secondPage asks for the code of the second factor.
type secondPage struct {
	Ticket string
	Error  string
	Next   string // as in loginPage
	Kept   string // likewise
}

func showSecond(c *call, code int, p secondPage) error {
	p.Next, p.Kept = c.nextQuery(), keptText(c)
	return c.render(code, page{Title: c.tr("Log in"), Body: secondView(c, p), Script: true})
}

// secondStep takes the code and completes the log-in.
func (h *authPages) secondStep(c *call) error {
	ticket := c.typed("ticket")
	token, u, err := h.identity.FinishLogIn(c.visiting(), ticket, c.typed("code"))
	switch {
	case err == nil:
		c.noteDevice(u.ID)
		if err := c.takeSession(token); err != nil {
			return err
		}
		return h.afterLogIn(c)
	case isKind(err, linnet.Invalid):
		return showSecond(c, http.StatusUnprocessableEntity, secondPage{Ticket: ticket, Error: c.tr("This code is incorrect or has already been used.")})
	}
	return h.refuseLogIn(c, loginPage{}, err)
}

// afterLogIn leads on from a log-in: to the form that waited for it, if one did.
func (h *authPages) afterLogIn(c *call) error {
	if k, ok := keptHere(c); ok {
		return h.giveBackAfter(c, k, c.begun)
	}
	return c.seeOther(c.next())
}

// keptText is the form that waits for the log-in, as an input of the log-in holds it.
func keptText(c *call) string {
	if c.kept != "" {
		return c.kept
	}
	if k, ok := keptHere(c); ok {
		return k.Text()
	}
	return ""
}

func (h *authPages) logOut(c *call) error {
	if c.token != "" {
		if err := h.identity.LogOut(c.r.Context(), c.token); err != nil && !isKind(err, linnet.Unauthenticated) {
			return err
		}
	}
	c.setCookie(sessionCookie, "", -1e9)
	return c.seeOther("/")
}

// toLogin redirects to the log-in page, and from there to path.
func (c *call) toLogin(path string) error {
	return c.seeOther("/login?next=" + url.QueryEscape(path))
}

// next is where a log-in leads: a path of ours, and the landing page if the
// address asks for anything else.
func (c *call) next() string {
	if next := c.r.URL.Query().Get("next"); ui.IsLocalPath(next) {
		return next
	}
	return "/"
}

// nextQuery carries next on to a form's address; "" if it is the landing page.
func (c *call) nextQuery() string {
	if next := c.next(); next != "/" {
		return "?next=" + url.QueryEscape(next)
	}
	return ""
}
