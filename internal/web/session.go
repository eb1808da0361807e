package web

import (
	"fmt"
	"net/http"
	"time"

	"linnet/internal/linnet"
)

// sessionAge is the lifetime of a browser's session cookie, the same as that of the session.
const sessionAge = 90 * 24 * time.Hour

// Cookies. Under https their names begin with __Host-, which browsers accept only
// from this very host, by https and for all paths, so that neither a neighbouring
// subdomain nor plain http can plant one.
const (
	sessionCookie = "linnet"
	formCookie    = "linnet-form" // key of form tokens without a log-in
)

func (s *site) cookieName(name string) string {
	if s.secure {
		return "__Host-" + name
	}
	return name
}

// cookie returns the value of one of our cookies, "" if the browser sent none.
func (c *call) cookie(name string) string {
	k, err := c.r.Cookie(c.cookieName(name))
	if err != nil {
		return ""
	}
	return k.Value
}

// setCookie gives the browser a cookie; age 0 lasts until it is closed, a
// negative age removes it.
func (c *call) setCookie(name, value string, age time.Duration) {
	http.SetCookie(c.w, &http.Cookie{Name: c.cookieName(name), Value: value, Path: "/",
		MaxAge: int(age / time.Second), HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode})
}

// identify finds the logged-in user. It deletes an invalid cookie. App tokens are not accepted,
// even in the cookie.
func (c *call) identify() error {
	token := c.cookie(sessionCookie)
	if token == "" {
		return nil
	}
	return c.identifyBy(token)
}

// identifyBy takes up the session of a token.
func (c *call) identifyBy(token string) error {
	ctx := c.r.Context()
	session, err := c.svc.Identity.Session(ctx, token)
	if isKind(err, linnet.Unauthenticated) || err == nil && (!session.Web || session.User == 0 || session.Pending) {
		c.setCookie(sessionCookie, "", -time.Second)
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up the log-in: %w", err)
	}
	me, err := c.svc.View.User(ctx, session.User, session.User)
	if isKind(err, linnet.NotFound) {
		c.setCookie(sessionCookie, "", -time.Second)
		return nil
	}
	if err != nil {
		return fmt.Errorf("look up the session: %w", err)
	}
	c.token, c.session, c.me = token, session.ID, &me
	return nil
}

// startSession logs the browser in. It ends the previous session and deletes the cookie of earlier
// form tokens, so that data known before the log-in is useless after it.
func (c *call) startSession(login, password string) error {
	token, u, err := c.svc.Identity.LogIn(c.visiting(), login, password, c.from())
	if err != nil {
		return err
	}
	c.noteDevice(u.ID)
	return c.takeSession(token)
}

// takeSession gives the browser a new session in the place of the one it had.
func (c *call) takeSession(token string) error {
	if c.token != "" {
		if err := c.svc.Identity.LogOut(c.r.Context(), c.token); err != nil && !isKind(err, linnet.Unauthenticated) {
			return fmt.Errorf("end the earlier log-in: %w", err)
		}
	}
	c.setCookie(sessionCookie, token, sessionAge)
	c.begun = token
	c.setCookie(formCookie, "", -time.Second)
	return nil
}
