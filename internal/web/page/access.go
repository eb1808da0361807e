package page

import (
	"context"
	"fmt"
	"net/http"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Allowed restricts a page to staff with all of some permissions. Visitors are redirected to the
// login. For all others the page doesn't exist.
func Allowed(all linnet.Permission, do func(*Context) error) func(*Context) error {
	return guarded(do, func(c *Context) error { return c.svc.Core.Authorize(c.Request.Context(), c.Actor(), all) })
}

// AllowedAny is like Allowed, for staff with one of some permissions.
func AllowedAny(of linnet.Permission, do func(*Context) error) func(*Context) error {
	return guarded(do, func(c *Context) error { return c.svc.Core.AuthorizeAny(c.Request.Context(), c.Actor(), of) })
}

// May reports whether the reader has all of some permissions. It decides which links and forms a
// page offers. Actions check permissions themselves.
func (c *Context) May(all linnet.Permission) bool {
	return c.Me != nil && c.Me.Role.Staff() && c.svc.Core.KnownRoles().May(&c.Me.User).Has(all)
}

// MayActOn reports whether the reader has all the given permissions and outranks a user. The reader
// must be logged in.
func (c *Context) MayActOn(all linnet.Permission, on *linnet.User) bool {
	return c.svc.Core.MayActOn(&c.Me.User, all, on)
}

// Actor returns the reader as an actor in this browser session.
func (c *Context) Actor() linnet.Actor { return linnet.By(c.Me.ID).In(c.SessionID) }

// guarded restricts a page to readers that check permits.
func guarded(do, check func(*Context) error) func(*Context) error {
	return LoggedIn(func(c *Context) error {
		err := check(c)
		if c.svc.Core.Unsecured(err) {
			return &Error{Code: http.StatusForbidden, Heading: "Two-factor authentication required", Back: paths.Security, BackText: "Password and security",
				Msg: "Moderators and administrators need two-factor authentication or a passkey. Set up one of them, then come back here."}
		}
		if IsKind(err, linnet.Forbidden) {
			return NotFound()
		}
		if err != nil {
			return err
		}
		return do(c)
	})
}

// MayAny is like May, for one of some permissions.
func (c *Context) MayAny(of linnet.Permission) bool {
	return c.Me != nil && c.Me.Role.Staff() && c.svc.Core.KnownRoles().May(&c.Me.User).Any(of)
}

// administers reports whether the reader can open any page of the administration.
func administers(c *Context) bool {
	return c.MayAny(c.staff)
}

// LoggedIn restricts a page to logged-in users.
func LoggedIn(do func(*Context) error) func(*Context) error {
	return func(c *Context) error {
		switch {
		case c.Me != nil:
			return do(c)
		case c.Request.Method == http.MethodPost:
			return c.RedirectToLogin(paths.Security)
		}
		return c.RedirectToLogin(c.Request.URL.RequestURI())
	}
}

// DeviceAndLocation returns the names of a device and a location in the reader's language.
func DeviceAndLocation(ctx context.Context, device, place string) []string {
	in := ui.ReaderOf(ctx).Lang
	return []string{identity.DeviceIn(in, device), identity.NetworkIn(in, place)}
}

// OpenInPrivate returns the reason why a private server shows a page to visitors without a login,
// or "". All other pages redirect to the login. Assets aren't pages, and missing paths and wrong
// methods are refused earlier.
func OpenInPrivate(pattern string) (reason string) {
	switch pattern {
	case "/login", "/login/code", paths.PasskeyLogin, paths.PasskeyLogin + "/begin":
		return "logging in"
	case paths.SwitchAccount:
		return "the browser has a session of the account"
	case "/logout":
		return "browsers with an expired session need it"
	case "/signup":
		return "signing up, where that is allowed"
	case paths.Privacy, paths.Terms, paths.Terms + "/{day}":
		return "new members agree to it"
	case paths.Invite:
		return "the invitation is the proof"
	case paths.Reset, paths.Confirm, paths.Unsubscribe, paths.Strike:
		return "the link is the proof"
	case paths.Forgot, paths.Correct:
		return "users who can't log in need it"
	case paths.Setup:
		return "the link is the proof, and there is no account yet"
	case paths.Authorize, paths.Authorize + "/{$}":
		return "apps send users here to log in; it shows only the name of the app"
	case paths.Robots:
		return "it tells crawlers to stay away"
	case paths.AccentSheet, paths.CustomSheet:
		return "the login page uses it"
	case paths.Favicon, paths.TouchIcon:
		return "the same logo everywhere"
	case paths.Manifest:
		return "the login page shows the name too"
	case paths.ServiceWorker, paths.Offline:
		return "the same everywhere"
	case paths.HostMeta:
		return "it has only the address for looking up accounts"
	case paths.ChangePassword:
		return "it redirects to a page that needs a login"
	case paths.SecurityText:
		return "finders of vulnerabilities need the contact"
	}
	return ""
}

// refusePrivate redirects visitors without a login to the login page, if the server is private
// and the page isn't open.
func (c *Context) refusePrivate(rt Route) (bool, error) {
	if c.Me != nil || OpenInPrivate(rt.Pattern) != "" {
		return false, nil
	}
	private, err := c.svc.Core.Private(c.Request.Context())
	switch {
	case err != nil:
		return true, fmt.Errorf("read the privacy of the instance: %w", err)
	case !private:
		return false, nil
	case rt.Program:
		c.Writer.Header().Set("WWW-Authenticate", `Bearer realm="Linnet"`)
		return true, &Error{Code: http.StatusUnauthorized, Msg: "You need to log in to see anything on this server.", Back: "/login", BackText: "Log in"}
	case c.Request.Method == http.MethodPost, c.Request.URL.Path == "/":
		return true, c.Redirect("/login")
	}
	return true, c.RedirectToLogin(c.Request.URL.RequestURI())
}
