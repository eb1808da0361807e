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

func authRoutes() []route {
	return slices.Concat(passkeyLoginRoutes(), linkRoutes(), []route{
		{pattern: "/login", get: (*call).loginForm, post: (*call).logIn},
		{pattern: "/login/code", post: (*call).secondStep},
		{pattern: "/logout", post: (*call).logOut},
		{pattern: "/signup", get: (*call).signUpForm, post: (*call).signUp},
		{pattern: invitePath, get: (*call).signUpForm, post: (*call).signUp},
		{pattern: resetPath, get: (*call).resetForm, post: (*call).reset},
		{pattern: setupPath, get: (*call).setUpForm, post: (*call).setUp},
		{pattern: authorizePath, get: (*call).consentForm, post: (*call).consent},
		{pattern: authorizePath + "/{$}", get: (*call).consentForm, post: (*call).consent},
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

func (c *call) loginForm() error {
	return c.showLogin(http.StatusOK, loginPage{})
}

func (c *call) showLogin(code int, p loginPage) error {
	about, err := c.instance()
	if err != nil {
		return err
	}
	p.Open = about.Registrations.Anybody()
	p.ForApp = strings.HasPrefix(c.next(), authorizePath)
	p.Next, p.Kept, p.Passkeys = c.nextQuery(), c.keptText(), c.svc.Security.PasskeysOn()
	return c.render(code, page{Title: c.tr("Log in"), Body: loginView(c, p), Script: true})
}

func (c *call) logIn() error {
	p := loginPage{Login: strings.TrimPrefix(c.typed("login"), "@")}
	err := c.startSession(p.Login, c.r.PostForm.Get("password"))
	if err == nil {
		return c.afterLogIn()
	}
	var second *identity.SecondFactorError
	if errors.As(err, &second) {
		return c.showSecond(http.StatusOK, secondPage{Ticket: second.Ticket})
	}
	return c.refuseLogIn(p, err)
}

// refuseLogIn shows the form again with its error.
func (c *call) refuseLogIn(p loginPage, err error) error {
	var refused *linnet.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Kind {
	case linnet.Unauthenticated, linnet.Invalid, linnet.Forbidden:
		p.Error = c.told(refused)
		p.Correct = errors.Is(err, identity.ErrEmailWanted) || errors.Is(err, identity.ErrEmailSent)
		return c.showLogin(http.StatusUnprocessableEntity, p)
	case linnet.TooMany:
		retryAfter(c.w.Header(), refused)
		p.Error = c.tr("Too many log-in attempts.") + " " + c.wait(refused.RetryAfter)
		return c.showLogin(http.StatusTooManyRequests, p)
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

func (c *call) showSecond(code int, p secondPage) error {
	p.Next, p.Kept = c.nextQuery(), c.keptText()
	return c.render(code, page{Title: c.tr("Log in"), Body: secondView(c, p), Script: true})
}

// secondStep takes the code and completes the log-in.
func (c *call) secondStep() error {
	ticket := c.typed("ticket")
	token, u, err := c.svc.Identity.FinishLogIn(c.visiting(), ticket, c.typed("code"))
	switch {
	case err == nil:
		c.noteDevice(u.ID)
		if err := c.takeSession(token); err != nil {
			return err
		}
		return c.afterLogIn()
	case isKind(err, linnet.Invalid):
		return c.showSecond(http.StatusUnprocessableEntity, secondPage{Ticket: ticket, Error: c.tr("This code is incorrect or has already been used.")})
	}
	return c.refuseLogIn(loginPage{}, err)
}

// afterLogIn leads on from a log-in: to the form that waited for it, if one did.
func (c *call) afterLogIn() error {
	if k, ok := c.keptHere(); ok {
		return c.giveBackAfter(k, c.begun)
	}
	return c.seeOther(c.next())
}

// keptText is the form that waits for the log-in, as an input of the log-in holds it.
func (c *call) keptText() string {
	if c.kept != "" {
		return c.kept
	}
	if k, ok := c.keptHere(); ok {
		return k.Text()
	}
	return ""
}

func (c *call) logOut() error {
	if c.token != "" {
		if err := c.svc.Identity.LogOut(c.r.Context(), c.token); err != nil && !isKind(err, linnet.Unauthenticated) {
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
	if next := c.r.URL.Query().Get("next"); isLocal(next) {
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

// isLocal reports whether browsers take a path as one of this installation. They
// read "//host" and "/\host" as other hosts, and drop tabs and newlines before
// they look.
func isLocal(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsRune(path, '\\') {
		return false
	}
	for i := range len(path) {
		if path[i] <= ' ' || path[i] == 0x7f {
			return false
		}
	}
	u, err := url.Parse(path)
	return err == nil && u.Host == "" && u.Scheme == ""
}
