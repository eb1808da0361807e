package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// SessionAge is the lifetime of a session and its cookie.
const SessionAge = 90 * 24 * time.Hour

// Cookies. With https their names begin with __Host-. Browsers accept such cookies only from this
// host, over https and for all paths, so that neither a sibling subdomain nor plain http can set
// one.
const (
	SessionCookie = "linnet"
	formCookie    = "linnet-form" // key of form tokens without a login
)

// CookieName returns the name of a cookie, with the prefix __Host- for https.
func (s *Site) CookieName(name string) string {
	if s.Secure() {
		return "__Host-" + name
	}
	return name
}

// Cookie returns the value of a cookie of this server, or "".
func Cookie(c *Context, name string) string {
	k, err := c.Request.Cookie(c.CookieName(name))
	if err != nil {
		return ""
	}
	return k.Value
}

// SetCookie sets a cookie. Age 0 lasts until the browser is closed, and a negative age deletes the
// cookie.
func (c *Context) SetCookie(name, value string, age time.Duration) {
	http.SetCookie(c.Writer, &http.Cookie{Name: c.CookieName(name), Value: value, Path: "/",
		MaxAge: int(age / time.Second), HttpOnly: true, Secure: c.Secure(), SameSite: http.SameSiteLaxMode})
}

// identify finds the logged-in user by the session cookie. App tokens are not accepted, even in the
// cookie.
func identify(c *Context) error {
	if token := Cookie(c, SessionCookie); token != "" {
		if err := c.IdentifyBy(token); err != nil || c.Me != nil {
			return err
		}
	}
	return resume(c)
}

// IdentifyBy continues the session with a token. If it has ended, only a visit deletes the cookie.
// Other requests can be older than the cookie that the browser has by now.
func (c *Context) IdentifyBy(token string) error {
	ctx := c.Request.Context()
	forget := func() {
		if isVisit(c) {
			c.SetCookie(SessionCookie, "", -time.Second)
		}
	}
	session, err := c.svc.Identity.Session(ctx, token)
	if IsKind(err, linnet.Unauthenticated) || err == nil && (!session.Web || session.User == 0 || session.Pending) {
		forget()
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up the login: %w", err)
	}
	me, err := c.svc.View.User(ctx, session.User, session.User)
	if IsKind(err, linnet.NotFound) {
		forget()
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up the session: %w", err)
	}
	c.SessionToken, c.SessionID, c.Me = token, session.ID, &me
	return nil
}

// StartSession logs the browser in, see TakeSession. It deletes the key of earlier form tokens, so
// that data from before the login is useless after it.
func (c *Context) StartSession(login, password string) error {
	token, u, err := c.svc.Identity.LogIn(c.VisitorContext(), login, password, c.ClientAddr())
	if err != nil {
		return err
	}
	return c.TakeSession(token, u.ID)
}

// TakeSession makes a new session of a user the active one. It ends the previous session of the
// same user in this browser. Sessions of other users become other accounts. If the browser has too
// many accounts, the new session ends with an error.
func (c *Context) TakeSession(token string, user linnet.ID) error {
	all, err := Others(c)
	if err != nil {
		return err
	}
	if c.Me != nil {
		all = slices.Insert(slices.Clone(all), 0, OtherAccount{*c.Me, c.SessionToken})
	}
	var keep []OtherAccount
	for _, o := range all {
		if o.ID != user {
			keep = append(keep, o)
		} else if err := endSession(c, o.token); err != nil {
			return err
		}
	}
	if len(keep) > maxOthers {
		if err := endSession(c, token); err != nil {
			return err
		}
		return errTooManyAccounts()
	}
	NoteDevice(c, user)
	setOthers(c, keep)
	c.SetCookie(SessionCookie, token, SessionAge)
	c.NewSession = token
	c.SetCookie(formCookie, "", -time.Second)
	return nil
}

// SameOrigin reports whether the request comes from a page of this server, or the browser doesn't
// send its origin.
func (c *Context) SameOrigin() bool { return c.origin.Check(c.Request) == nil }

// RedirectToLogin redirects to the login page, and from there to path.
func (c *Context) RedirectToLogin(path string) error {
	return c.Redirect("/login?next=" + url.QueryEscape(path))
}

// NextPath returns the path to which the login leads. Anything except a path of this server
// becomes the landing page.
func (c *Context) NextPath() string {
	if next := c.Request.URL.Query().Get("next"); ui.IsLocalPath(next) {
		return next
	}
	return "/"
}

// NextQuery returns the query that passes NextPath on to a form; "" for the landing page.
func (c *Context) NextQuery() string {
	if next := c.NextPath(); next != "/" {
		return "?next=" + url.QueryEscape(next)
	}
	return ""
}

// OwnSession returns the session of this browser.
func (c *Context) OwnSession() identity.OwnSession {
	return identity.OwnSession{User: c.Me.ID, ID: c.SessionID}
}

// PasswordConfirmed reports whether the password was entered in this session recently. It returns
// false if the store fails.
func (c *Context) PasswordConfirmed() bool {
	ok, err := c.svc.Identity.Confirmed(c.Request.Context(), c.OwnSession())
	return ok && err == nil
}

// ConfirmPassword checks the password of a form that needs one, if it was entered.
func (c *Context) ConfirmPassword() error {
	password := c.Request.PostForm.Get("password")
	if password == "" {
		return nil // the service decides whether it is required
	}
	return c.svc.Identity.ConfirmPassword(c.VisitorContext(), c.OwnSession(), password, c.ClientAddr())
}

// deviceCookie is the name of the cookie that identifies a browser to the accounts that have logged
// in with it.
const (
	deviceCookie = "linnet-device"
	deviceAge    = 2 * SessionAge
)

// NoteDevice records that this browser has logged in. Errors are only logged, because the login is
// complete.
func NoteDevice(c *Context, user linnet.ID) {
	had := Cookie(c, deviceCookie)
	cookie, err := c.svc.Emails.NoteDevice(c.VisitorContext(), user, had)
	if err != nil {
		c.LogError(http.StatusInternalServerError, err)
		return
	}
	if cookie != "" {
		c.SetCookie(deviceCookie, cookie, deviceAge)
	}
}

// PreviousPage returns the path of the page with the submitted form. It returns other if the
// browser doesn't send it, or if the page is on another server.
func (c *Context) PreviousPage(other string) string {
	u, err := url.Parse(c.Request.Referer())
	if err != nil || u.Host == "" || u.Host != c.Request.Host && u.Host != c.URL.Host || !ui.IsLocalPath(u.RequestURI()) {
		return other
	}
	return u.RequestURI()
}

// caller returns the caller of the request for rate limits.
func caller(c *Context) core.Caller {
	by := core.Caller{Session: c.SessionID, From: c.Opts.ClientAddr(c.Request)}
	if c.Me != nil {
		by.User = c.Me.ID
	}
	return by
}

// CountAs also counts the request against the limits of a class.
func (c *Context) CountAs(class core.RateClass) error {
	return c.svc.Core.AllowClass(c.Request.Context(), caller(c), class)
}
