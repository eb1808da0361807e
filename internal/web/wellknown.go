package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"linnet/internal/web/assets"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// sendText sends a short document that is the same for all users.
func sendText(c *page.Context, kind, text string) error {
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", kind+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	c.Writer.WriteHeader(http.StatusOK)
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write([]byte(text)) // the client may have disconnected
	}
	return nil
}

// robots keeps crawlers from addresses that aren't pages. The X-Robots-Tag of each page, which
// crawlers read only on permitted paths, says whether it can be listed. RFC 9309.
func (h *handler) robots(c *page.Context) error {
	private, err := h.core.Private(c.Request.Context())
	if err != nil {
		return err
	}
	if private {
		return sendText(c, "text/plain", "User-agent: *\nDisallow: /\n")
	}
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, p := range []string{"/api/", "/oauth/", "/settings/", "/admin", "/login", "/signup", "/invite/", "/setup/", "/search"} {
		b.WriteString("Disallow: " + p + "\n")
	}
	return sendText(c, "text/plain", b.String())
}

// favicon serves the icon from the path that programs use if they don't read pages.
func favicon(c *page.Context) error {
	about, err := c.Instance()
	if err == nil && about.Icon.Name != "" {
		return c.Redirect(paths.File(about.Icon.Name))
	}
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("Content-Type", "image/x-icon")
	h.Set("Content-Length", strconv.Itoa(len(faviconBody)))
	c.Writer.WriteHeader(http.StatusOK)
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write(faviconBody) // the client may have disconnected
	}
	return nil
}

// faviconBody is the logo in 16, 32 and 48 pixels.
var faviconBody = assets.Read("favicon.ico")

// hostMeta serves the address of WebFinger. RFC 6415 section 3.
func hostMeta(c *page.Context) error {
	c.AllowAnyOrigin() // scripts of other sites use WebFinger, RFC 7033 section 5
	return sendText(c, "application/xrd+xml", `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="`+ui.Escape(c.URL.String())+`/.well-known/webfinger?resource={uri}"/>
</XRD>
`)
}

// whereToChangePassword redirects password managers to the form.
// https://w3c.github.io/webappsec-change-password-url/
func whereToChangePassword(c *page.Context) error { return c.Redirect(paths.Security + "#password") }

// securityTextAge is the period of validity of the contact.
const securityTextAge = 180 * 24 * time.Hour

// securityContact serves the operator's contact for security reports, if one is set. RFC 9116.
func securityContact(c *page.Context) error {
	about, err := c.Instance()
	if err != nil {
		return err
	}
	if about.Contact == "" {
		return page.NotFound()
	}
	expires := c.Opts.Now().UTC().Add(securityTextAge).Truncate(24 * time.Hour)
	return sendText(c, "text/plain", "Contact: mailto:"+mailto(about.Contact)+"\nExpires: "+expires.Format(time.RFC3339)+
		"\nPreferred-Languages: en\nCanonical: "+c.URL.String()+paths.SecurityText+"\n")
}

// mailto escapes an address so that it cannot start another line or field. RFC 6068 section 2.
func mailto(address string) string {
	var b strings.Builder
	for _, c := range []byte(address) {
		if c > ' ' && c < 0x7f && !strings.ContainsRune(`%?&#"<>[]\^{|}`+"`", rune(c)) {
			b.WriteByte(c)
			continue
		}
		const hex = "0123456789ABCDEF"
		b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
	}
	return b.String()
}
