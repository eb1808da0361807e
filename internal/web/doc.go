// Package web serves the pages for browsers: timelines, profiles, threads and the composer for
// members, public pages of profiles, statuses and tags, and the landing, set-up, login, sign-up
// and authorization pages. Every page works without JavaScript. The script updates open pages and
// saves steps.
//
// Handlers in Go read and decide. The components in *.templ files define the HTML. "make generate"
// compiles them to Go. A component whose name ends in View is a page, and others are parts of
// several pages. White space between elements becomes one blank, and there is none after a
// component at the end of its line. Package assets has the style sheets and scripts.
//
// The package knows components, forms, cookies and status codes. It asks the services for
// everything: an object that a service doesn't show the viewer gets the same 404 page as a missing
// one, and a refused action isn't done, whatever a page offers. Pages leave out actions that the
// viewer's role or relation excludes. The package must not know storage or the client API.
//
// Invariants: GET changes nothing. Every POST passes the checks of its origin and form token. A
// browser is redirected to other sites only at a validated redirect URI. Every response is an HTML
// page with a way out.
package web
