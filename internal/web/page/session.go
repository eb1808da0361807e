package page

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// SessionAge is the lifetime of a browser's session cookie, the same as that of the session.
const SessionAge = 90 * 24 * time.Hour

// Cookies. Under https their names begin with __Host-, which browsers accept only
// from this very host, by https and for all paths, so that neither a neighbouring
// subdomain nor plain http can plant one.
const (
	SessionCookie = "linnet"
	formCookie    = "linnet-form" // key of form tokens without a log-in
)

func (s *Site) CookieName(name string) string {
	if s.Secure() {
		return "__Host-" + name
	}
	return name
}

// cookie returns the value of one of our cookies, "" if the browser sent none.
func (c *Context) cookie(name string) string {
	k, err := c.Request.Cookie(c.CookieName(name))
	if err != nil {
		return ""
	}
	return k.Value
}

// SetCookie gives the browser a cookie; age 0 lasts until it is closed, a
// negative age removes it.
func (c *Context) SetCookie(name, value string, age time.Duration) {
	http.SetCookie(c.Writer, &http.Cookie{Name: c.CookieName(name), Value: value, Path: "/",
		MaxAge: int(age / time.Second), HttpOnly: true, Secure: c.Secure(), SameSite: http.SameSiteLaxMode})
}

// identify finds the logged-in user. It deletes an invalid cookie. App tokens are not accepted,
// even in the cookie.
func identify(c *Context) error {
	token := c.cookie(SessionCookie)
	if token == "" {
		return nil
	}
	return c.IdentifyBy(token)
}

// IdentifyBy takes up the session of a token.
func (c *Context) IdentifyBy(token string) error {
	ctx := c.Request.Context()
	session, err := c.svc.Identity.Session(ctx, token)
	if IsKind(err, linnet.Unauthenticated) || err == nil && (!session.Web || session.User == 0 || session.Pending) {
		c.SetCookie(SessionCookie, "", -time.Second)
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up the log-in: %w", err)
	}
	me, err := c.svc.View.User(ctx, session.User, session.User)
	if IsKind(err, linnet.NotFound) {
		c.SetCookie(SessionCookie, "", -time.Second)
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up the session: %w", err)
	}
	c.SessionToken, c.SessionID, c.Me = token, session.ID, &me
	return nil
}

// StartSession logs the browser in. It ends the previous session and deletes the cookie of earlier
// form tokens, so that data known before the log-in is useless after it.
func (c *Context) StartSession(login, password string) error {
	token, u, err := c.svc.Identity.LogIn(c.VisitorContext(), login, password, c.ClientAddr())
	if err != nil {
		return err
	}
	c.NoteDevice(u.ID)
	return c.TakeSession(token)
}

// TakeSession gives the browser a new session in the place of the one it had.
func (c *Context) TakeSession(token string) error {
	if c.SessionToken != "" {
		if err := c.svc.Identity.LogOut(c.Request.Context(), c.SessionToken); err != nil && !IsKind(err, linnet.Unauthenticated) {
			return fmt.Errorf("end the earlier log-in: %w", err)
		}
	}
	c.SetCookie(SessionCookie, token, SessionAge)
	c.NewSession = token
	c.SetCookie(formCookie, "", -time.Second)
	return nil
}

// SameOrigin reports whether the browser says that the request comes from a page of this server, or
// does not say where it comes from.
func (c *Context) SameOrigin() bool { return c.origin.Check(c.Request) == nil }

// RedirectToLogin redirects to the log-in page, and from there to path.
func (c *Context) RedirectToLogin(path string) error {
	return c.Redirect("/login?next=" + url.QueryEscape(path))
}

// NextPath is where a log-in leads: a path of ours, and the landing page if the
// address asks for anything else.
func (c *Context) NextPath() string {
	if next := c.Request.URL.Query().Get("next"); ui.IsLocalPath(next) {
		return next
	}
	return "/"
}

// NextQuery carries next on to a form's address; "" if it is the landing page.
func (c *Context) NextQuery() string {
	if next := c.NextPath(); next != "/" {
		return "?next=" + url.QueryEscape(next)
	}
	return ""
}

// OwnSession is the session of this browser.
func (c *Context) OwnSession() identity.OwnSession {
	return identity.OwnSession{User: c.Me.ID, ID: c.SessionID}
}

// PasswordConfirmed reports whether the password was given in this session a short while
// ago. If the store does not say, it was not.
func (c *Context) PasswordConfirmed() bool {
	ok, err := c.svc.Identity.Confirmed(c.Request.Context(), c.OwnSession())
	return ok && err == nil
}

// ConfirmPassword takes the password that a form asks for besides, if it was typed.
func (c *Context) ConfirmPassword() error {
	password := c.Request.PostForm.Get("password")
	if password == "" {
		return nil // social says whether it was needed
	}
	return c.svc.Identity.ConfirmPassword(c.VisitorContext(), c.OwnSession(), password, c.ClientAddr())
}

// deviceCookie identifies this browser among those that have logged in to an account.
const (
	deviceCookie = "linnet-device"
	deviceAge    = 2 * SessionAge
)

// NoteDevice records that this browser has logged in. Errors are only logged, because the log-in is
// done.
func (c *Context) NoteDevice(user linnet.ID) {
	had := c.cookie(deviceCookie)
	cookie, err := c.svc.Emails.NoteDevice(c.VisitorContext(), user, had)
	if err != nil {
		c.LogError(http.StatusInternalServerError, err)
		return
	}
	if cookie != "" {
		c.SetCookie(deviceCookie, cookie, deviceAge)
	}
}

// PreviousPage is the path of the page whose form was sent, or other if the browser
// does not say, or names a page that is not ours.
func (c *Context) PreviousPage(other string) string {
	u, err := url.Parse(c.Request.Referer())
	if err != nil || u.Host == "" || u.Host != c.Request.Host && u.Host != c.URL.Host || !ui.IsLocalPath(u.RequestURI()) {
		return other
	}
	return u.RequestURI()
}

// caller is who asks, as limits count it.
func caller(c *Context) core.Caller {
	by := core.Caller{Session: c.SessionID, From: c.Opts.ClientAddr(c.Request)}
	if c.Me != nil {
		by.User = c.Me.ID
	}
	return by
}

// throttle counts the request like one of the client API. Every page counts; files
// do not, nor do drawn pictures as SVG, which cost no more than files.
func throttle(c *Context) error {
	class := core.RateGeneral
	if q := c.Request.URL.RawQuery; strings.Contains(q, "max_id=") || strings.Contains(q, "min_id=") {
		class = core.RatePaging
	}
	_, err := c.svc.Core.AllowRequest(c.Request.Context(), caller(c), class)
	return err
}

// CountAs counts the request on the limits of a class besides.
func (c *Context) CountAs(class core.RateClass) error {
	return c.svc.Core.AllowClass(c.Request.Context(), caller(c), class)
}
