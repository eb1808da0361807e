package web

import (
	"fmt"
	"net/http"
)

// openInPrivate lists the pages that a private installation shows to those who
// are not logged in, with the reason. Any other page, also one that is added
// later, leads to the log-in. Files of the design are no pages; addresses of
// nothing and methods that a page does not have are refused before.
func openInPrivate(pattern string) (reason string) {
	switch pattern {
	case "/login", "/login/code":
		return "logging in"
	case "/logout":
		return "a log-in that has ended is left by it"
	case "/signup":
		return "signing up, where that is allowed"
	case "/invite/{code}":
		return "the invitation is the proof"
	case "/setup/{token}":
		return "the link is the proof, and there is nobody yet"
	case "/oauth/authorize", "/oauth/authorize/{$}":
		return "apps send people here to log in; it names the app alone"
	}
	return ""
}

// keptOut sends those who are not logged in to the log-in page if the
// installation is private and the page is not open to all.
func (c *call) keptOut(rt route) (bool, error) {
	if c.me != nil || openInPrivate(rt.pattern) != "" {
		return false, nil
	}
	private, err := c.svc.Private(c.r.Context())
	switch {
	case err != nil:
		return true, fmt.Errorf("look up whether the installation is private: %w", err)
	case !private:
		return false, nil
	case c.r.Method == http.MethodPost, c.r.URL.Path == "/":
		return true, c.seeOther("/login")
	}
	return true, c.toLogin(c.r.URL.RequestURI())
}
