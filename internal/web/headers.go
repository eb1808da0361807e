package web

import (
	"net/http"
	"strings"

	"linnet/internal/web/assets"
)

// secureHeaders sets what keeps a page from being framed, sniffed or scripted by
// others: only our own files are run, and they reach nothing but this server.
// formTargets, if not "", is added to where forms may lead: Chromium and WebKit
// hold redirects that answer a form against form-action too
// (https://github.com/w3c/webappsec-csp/issues/8).
//
// The referrer policy is same-origin, not no-referrer: with the latter browsers
// send "Origin: null" with our own forms, and over plain http (no
// Sec-Fetch-Site) they could not be told from foreign ones.
func secureHeaders(h http.Header, formTargets string) {
	if formTargets != "" {
		formTargets = " " + formTargets
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; "+
		"form-action 'self'"+formTargets+"; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
}

// allowFrames lets other sites show a page in a frame. The page must have no form
// and must not depend on who looks at it, so that nobody can be made to click on
// something of theirs.
func allowFrames(h http.Header) {
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'", "frame-ancestors *", 1))
	h.Del("X-Frame-Options")
}

// cacheHeaders keeps pages that show who is logged in, or hold a form, out of
// every cache. Pages that are alike for all strangers may be kept if they are
// asked for again each time.
func (c *call) cacheHeaders(h http.Header) {
	h.Add("Vary", "Cookie")
	h.Add("Vary", "Accept-Language")
	if c.shared && c.me == nil && c.formKey == "" {
		h.Set("Cache-Control", "no-cache")
		return
	}
	h.Set("Cache-Control", "no-store")
}

// sheetOf returns the name of the additional style sheet of an area of the pages, "" for none.
func sheetOf(place string) string {
	switch place {
	case messagesPath:
		return "talk.css"
	case noticesPath:
		return "notices.css"
	case settingsRoot, adminPath:
		return "panes.css"
	}
	return ""
}

// serveFound serves an asset and reports whether it exists. Assets answer GET and HEAD only.
func serveFound(w http.ResponseWriter, r *http.Request) bool {
	f, ok := assets.Find(r.URL.Path)
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	serveAsset(w, r, f)
	return true
}

// serveAsset serves a file that never changes at its path.
func serveAsset(w http.ResponseWriter, r *http.Request, f assets.File) {
	secureHeaders(w.Header(), "")
	f.ServeHTTP(w, r)
}
