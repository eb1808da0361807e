package page

import (
	"crypto/hmac"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// maxOthers is the number of accounts that a browser can hold in addition to the active one.
const maxOthers = 5

// othersCookie is the name of the cookie with the sessions of the other accounts, see
// [Others]. Each is stored as a user id and a token, all separated by dots.
const othersCookie = "linnet-others"

// OtherAccount is an account that is logged in on this browser in addition to the active one.
type OtherAccount struct {
	linnet.UserView
	token string
}

// others are the other accounts of a request.
type others struct {
	read   bool
	active []OtherAccount    // the last used first
	ended  []linnet.UserView // accounts whose sessions have ended
}

// Others returns the other accounts of this browser, the last used first. It reads them once per
// request. Sessions that have ended are left out. The browser has at most one session of a user.
func Others(c *Context) ([]OtherAccount, error) {
	if c.others.read {
		return c.others.active, nil
	}
	var ids []linnet.ID
	var tokens []string
	for rest := Cookie(c, othersCookie); rest != "" && len(tokens) < maxOthers; {
		var id, token string
		id, rest, _ = strings.Cut(rest, ".")
		token, rest, _ = strings.Cut(rest, ".")
		if user, ok := linnet.ParseID(id); ok && token != c.SessionToken && !slices.Contains(tokens, token) {
			ids, tokens = append(ids, user), append(tokens, token)
		}
	}
	if len(tokens) > 0 {
		if err := loadOthers(c, ids, tokens); err != nil {
			return nil, fmt.Errorf("look up the other accounts: %w", err)
		}
	}
	c.others.read = true
	return c.others.active, nil
}

// errTooManyAccounts is returned if a browser can't hold another account.
func errTooManyAccounts() error {
	return linnet.Errorf(linnet.Forbidden, "You can be logged in to at most %d accounts in this browser. Log out of one of them first.", maxOthers+1)
}

// CheckAccounts returns an error if this browser can't hold another account.
func CheckAccounts(c *Context) error {
	all, err := Others(c)
	if err == nil && c.Me != nil && len(all) == maxOthers {
		err = errTooManyAccounts()
	}
	return err
}

// loadOthers loads the accounts of tokens. The user ids from the cookie are only used to name the
// accounts of ended sessions.
func loadOthers(c *Context, ids []linnet.ID, tokens []string) error {
	ctx := c.Request.Context()
	sessions, err := c.svc.Identity.WebSessions(ctx, tokens)
	if err != nil {
		return err
	}
	for i, s := range sessions {
		if s.User != 0 {
			ids[i] = s.User
		}
	}
	users, err := c.svc.View.Users(ctx, 0, ids)
	if err != nil {
		return err
	}
	c.others.active, c.others.ended = nil, nil
	for i, s := range sessions {
		at := slices.IndexFunc(users, func(u linnet.UserView) bool { return u.ID == ids[i] })
		known := c.Me != nil && c.Me.ID == ids[i] || slices.ContainsFunc(c.others.active, func(o OtherAccount) bool { return o.ID == ids[i] })
		switch {
		case at < 0 || known:
		case s.User == 0:
			c.others.ended = append(c.others.ended, users[at])
		default:
			c.others.active = append(c.others.active, OtherAccount{users[at], tokens[i]})
		}
	}
	return nil
}

// SessionCookies returns the header with the cookies of a session that this request has started or
// switched to.
func SessionCookies(c *Context) string {
	return c.CookieName(SessionCookie) + "=" + c.NewSession + "; " + c.CookieName(othersCookie) + "=" + encodeOthers(c.others.active)
}

// encodeOthers returns the value of the cookie with the other accounts.
func encodeOthers(all []OtherAccount) string {
	value := make([]string, len(all))
	for i, o := range all {
		value[i] = o.ID.String() + "." + o.token
	}
	return strings.Join(value, ".")
}

// setOthers stores the other accounts of this browser in its cookie.
func setOthers(c *Context, all []OtherAccount) {
	c.others = others{read: true, active: all}
	age := SessionAge
	if len(all) == 0 {
		age = -time.Second
	}
	if len(all) > 0 || Cookie(c, othersCookie) != "" {
		c.SetCookie(othersCookie, encodeOthers(all), age)
	}
}

// resume makes another account active if the session of the active one has ended, so that the
// reader continues with an account that is still logged in. Only visits of pages do this: forms
// must not be sent for another account than they were made for.
func resume(c *Context) error {
	if Cookie(c, othersCookie) == "" || !isVisit(c) {
		return nil
	}
	all, err := Others(c)
	if err != nil || len(all) == 0 {
		return err
	}
	if err := activate(c, all[0], all[1:]); err != nil || c.Me == nil {
		return err
	}
	c.Resumed = true
	return nil
}

// activate continues the session of an account. The others stay in addition to it.
func activate(c *Context, to OtherAccount, others []OtherAccount) error {
	c.SessionToken, c.SessionID, c.Me, c.mac = "", "", nil, ""
	if err := c.IdentifyBy(to.token); err != nil || c.Me == nil {
		return err
	}
	c.SetCookie(SessionCookie, to.token, SessionAge)
	c.NewSession = to.token
	setOthers(c, others)
	return nil
}

// isVisit reports whether the browser shows the response as a page. Browsers that don't send this
// are assumed to do so.
func isVisit(c *Context) bool {
	mode := c.Request.Header.Get("Sec-Fetch-Mode")
	return IsRead(c.Request) && (mode == "" || mode == "navigate")
}

// noteEnded removes accounts from the cookie whose sessions have ended, and keeps them for a notice
// on the page. The cookie doesn't prove that this browser had them, so a private server names them
// only to users.
func noteEnded(c *Context) error {
	if _, err := Others(c); err != nil {
		return err
	}
	if c.ended = c.others.ended; len(c.ended) == 0 || !isVisit(c) {
		c.ended = nil
		return nil
	}
	setOthers(c, c.others.active)
	c.Shared = false
	if c.Me == nil {
		if private, err := c.svc.Core.Private(c.Request.Context()); private || err != nil {
			c.ended = nil
			return err
		}
	}
	return nil
}

// SwitchAccount makes another account of this browser active. It returns false if the browser has
// no session of the account.
func SwitchAccount(c *Context, login string) (bool, error) {
	all, err := Others(c)
	if err != nil {
		return false, err
	}
	if c.Me != nil && strings.EqualFold(c.Me.Login, login) {
		c.NewSession = c.SessionToken
		return true, nil
	}
	at := slices.IndexFunc(all, func(o OtherAccount) bool { return strings.EqualFold(o.Login, login) })
	if at < 0 {
		return false, nil
	}
	to, rest := all[at], slices.Delete(slices.Clone(all), at, at+1)
	if c.Me != nil {
		rest = slices.Insert(rest, 0, OtherAccount{*c.Me, c.SessionToken})
	}
	if err := activate(c, to, rest); err != nil || c.Me != nil {
		return err == nil, err
	}
	setOthers(c, rest) // the session has ended meanwhile; the next visit resumes the previous account
	return false, nil
}

// LeaveAccount removes the active account from this browser, whose session has ended, and activates
// the last used one of the others.
func LeaveAccount(c *Context) error {
	all, err := Others(c)
	if err != nil {
		return err
	}
	c.SessionToken, c.SessionID, c.Me = "", "", nil
	c.SetCookie(SessionCookie, "", -time.Second)
	if len(all) == 0 {
		return nil
	}
	return activate(c, all[0], all[1:])
}

// LogOut ends the session of the account in this browser for which the submitted form was made. If
// it is the active one, the last used one of the others becomes active.
func LogOut(c *Context) error {
	all, err := Others(c)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(o OtherAccount) bool { return o.ID == FormUser(c) })
	if at < 0 {
		if err := endSession(c, c.SessionToken); err != nil {
			return err
		}
		return LeaveAccount(c)
	}
	if err := endSession(c, all[at].token); err != nil {
		return err
	}
	setOthers(c, slices.Delete(slices.Clone(all), at, at+1))
	return nil
}

// LogOutAll ends the sessions of all accounts in this browser.
func LogOutAll(c *Context) error {
	all, err := Others(c)
	if err != nil {
		return err
	}
	for _, o := range append(slices.Clone(all), OtherAccount{token: c.SessionToken}) {
		if err := endSession(c, o.token); err != nil {
			return err
		}
	}
	c.SetCookie(SessionCookie, "", -time.Second)
	setOthers(c, nil)
	return nil
}

// endSession ends a session of this browser, if it hasn't ended yet.
func endSession(c *Context, token string) error {
	if token == "" {
		return nil
	}
	if err := c.svc.Identity.LogOut(c.Request.Context(), token); err != nil && !IsKind(err, linnet.Unauthenticated) {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

// FormUser returns the user for whose page the submitted form was made, or 0 for a visitor. The
// token of the form need not be valid.
func FormUser(c *Context) linnet.ID {
	_, id, _ := strings.Cut(c.Request.PostForm.Get(tokenField), ".")
	user, _ := linnet.ParseID(id) // otherwise 0
	return user
}

// ofOtherAccount reports whether the submitted form was made for another account of this browser.
func ofOtherAccount(c *Context) bool {
	all, err := Others(c)
	return err == nil && slices.ContainsFunc(all, func(o OtherAccount) bool {
		return hmac.Equal([]byte(c.Request.PostForm.Get(tokenField)), []byte(formMAC(o.token)+"."+o.ID.String()))
	})
}

// CheckReader returns an error if the request comes from the page of another account than the
// active one. The script sends the profile's path of the account in "as".
func CheckReader(c *Context) error {
	if as := c.Request.URL.Query().Get("as"); as != "" && (c.Me == nil || as != paths.Person(c.Me.Login)) {
		return &Error{Code: http.StatusConflict, Msg: "You've switched accounts or logged out. Reload the page."}
	}
	return nil
}
