package web

import (
	"fmt"
	"net/http"

	"linnet/internal/web/paths"
)

// openInPrivate returns why a private server shows a page to visitors who aren't logged in. Other
// pages, including future ones, redirect to the log-in. Assets aren't pages. Missing addresses and
// wrong methods are refused before.
func openInPrivate(pattern string) (reason string) {
	switch pattern {
	case "/login", "/login/code", paths.PasskeyLogin, paths.PasskeyLogin + "/begin":
		return "logging in"
	case "/logout":
		return "a log-in that has ended is left by it"
	case "/signup":
		return "signing up, where that is allowed"
	case paths.Privacy, paths.Terms, paths.Terms + "/{day}":
		return "who signs up agrees to it"
	case paths.Invite:
		return "the invitation is the proof"
	case paths.Reset, paths.Confirm, paths.Unsubscribe:
		return "the link is the proof"
	case paths.Forgot, paths.Correct:
		return "whoever cannot log in gets in again by it"
	case paths.Setup:
		return "the link is the proof, and there is nobody yet"
	case paths.Authorize, paths.Authorize + "/{$}":
		return "apps send people here to log in; it names the app alone"
	case paths.Robots:
		return "it tells crawlers to stay away"
	case paths.AccentSheet, paths.CustomSheet:
		return "the log-in page has the colours too"
	case paths.Favicon, paths.TouchIcon:
		return "the same logo everywhere"
	case paths.Manifest:
		return "the name stands on the log-in page too"
	case paths.ServiceWorker, paths.Offline:
		return "the same everywhere"
	case paths.HostMeta:
		return "says where names are looked up"
	case paths.ChangePassword:
		return "leads to the log-in all the same"
	case paths.SecurityText:
		return "whoever finds a hole must know whom to tell"
	}
	return ""
}

// errNobody is the error for visitors who aren't logged in, on addresses for programs, which can't
// be redirected to the log-in.
func errNobody(c *call) error {
	c.w.Header().Set("WWW-Authenticate", `Bearer realm="Linnet"`)
	return &httpError{code: http.StatusUnauthorized, msg: "You need to log in to see anything on this server.",
		back: "/login", text: "Log in"}
}

// keptOut redirects visitors who aren't logged in to the log-in page, if the server is private and
// the page is not open.
func (c *call) keptOut(rt route) (bool, error) {
	if c.me != nil || openInPrivate(rt.pattern) != "" {
		return false, nil
	}
	private, err := c.svc.Core.Private(c.r.Context())
	switch {
	case err != nil:
		return true, fmt.Errorf("look up whether the installation is private: %w", err)
	case !private:
		return false, nil
	case rt.program:
		return true, errNobody(c)
	case c.r.Method == http.MethodPost, c.r.URL.Path == "/":
		return true, c.seeOther("/login")
	}
	return true, c.toLogin(c.r.URL.RequestURI())
}
