package web

import (
	"fmt"
	"net/http"
	"strings"
)

// openInPrivate returns why a private server shows a page to visitors who aren't logged in. Other
// pages, including future ones, redirect to the log-in. Assets aren't pages. Missing addresses and
// wrong methods are refused before.
func openInPrivate(pattern string) (reason string) {
	switch pattern {
	case "/login", "/login/code", passkeyLoginPath, passkeyLoginPath + "/begin":
		return "logging in"
	case "/logout":
		return "a log-in that has ended is left by it"
	case "/signup":
		return "signing up, where that is allowed"
	case privacyPath, termsPath, termsPath + "/{day}":
		return "who signs up agrees to it"
	case invitePath:
		return "the invitation is the proof"
	case resetPath, confirmPath, unsubscribePath:
		return "the link is the proof"
	case forgotPath, correctPath:
		return "whoever cannot log in gets in again by it"
	case setupPath:
		return "the link is the proof, and there is nobody yet"
	case authorizePath, authorizePath + "/{$}":
		return "apps send people here to log in; it names the app alone"
	case robotsPath:
		return "it tells crawlers to stay away"
	case accentPath, stylePath:
		return "the log-in page has the colours too"
	case faviconPath, touchPath:
		return "the same logo everywhere"
	case manifestPath:
		return "the name stands on the log-in page too"
	case workerPath, offlinePath:
		return "the same everywhere"
	case hostMetaPath:
		return "says where names are looked up"
	case changePasswordPath:
		return "leads to the log-in all the same"
	case securityPathPublic:
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

const setupPath = "/setup/{token}"

// secretPaths returns the patterns of links that contain a secret. The secret is not logged.
func secretPaths() []string {
	return []string{setupPath, invitePath, resetPath, confirmPath, unsubscribePath}
}

// PathForLog returns the path of a request without the secret of a link.
func PathForLog(r *http.Request) string {
	for _, pattern := range secretPaths() {
		if begin, _, _ := strings.Cut(pattern, "{"); strings.HasPrefix(r.URL.Path, begin) {
			return begin + "..."
		}
	}
	return r.URL.Path
}
