package web

import (
	"net/http"
	"strings"

	"linnet/internal/web/assets"
	"linnet/internal/web/paths"
)

// secureHeaders sets headers that prevent framing, sniffing and foreign scripts: pages run only our
// own files, which connect only to this server. formTargets, if not "", is added to the targets of
// forms, because Chromium and WebKit check redirects of forms against form-action too
// (https://github.com/w3c/webappsec-csp/issues/8).
//
// The referrer policy is same-origin, not no-referrer: with the latter, browsers send "Origin:
// null" with our own forms, and over plain http (no Sec-Fetch-Site) they couldn't be distinguished
// from foreign ones.
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

// allowFrames lets other sites show a page in a frame. The page must have no form and must not
// depend on the reader, to prevent clickjacking.
func allowFrames(h http.Header) {
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'", "frame-ancestors *", 1))
	h.Del("X-Frame-Options")
}

// cacheHeaders prevents caching of pages with a log-in or a form. Caches can store pages that are
// the same for all visitors, but must revalidate them.
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
	case paths.Messages:
		return "talk.css"
	case paths.Notifications:
		return "notices.css"
	case paths.Settings, paths.Admin:
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
