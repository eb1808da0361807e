package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/view"
	"linnet/internal/web/assets"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Page is the content of a page and its options for the layout. The Body is created when the page
// is rendered.
type Page struct {
	Title      string
	Body       templ.Component
	Card       *Card           // for link previews on other sites; nil for none
	Alternates []Alternate     // the same content in other formats
	Listed     bool            // search engines can list it
	Framed     bool            // in a frame of another site: without layout and forms
	Bare       bool            // rendered without the store, for example if it failed
	Part       bool            // only the body, which the script adds to a page
	Sheet      string          // name of a style sheet in addition to the one of its area; "" for none
	Script     bool            // visitors without a login get the script too
	SidePanel  templ.Component // shown next to the page if there is room; nil for none
	Wide       bool            // also uses the space of the side column
	Chat       bool            // as high as the window, without a footer
	Here       string          // path of the entry in the navigation that this page belongs to
}

// Card is the link preview of a page on other sites (Open Graph).
type Card struct {
	Type, Title, Text, URL string
	Image                  string // name of an uploaded file; "" for none
	ImageAlt               string // description of the image; "" for none
}

// pageAppearance returns the reader's settings for the appearance of pages.
func pageAppearance(c *Context) linnet.Appearance {
	if c.Me == nil {
		return linnet.Appearance{}
	}
	return c.Me.Appearance
}

// unreadTitle returns the number of unread notifications and conversations for the title; "" for 0.
func unreadTitle(c *Context) string {
	if n := c.notices + c.unreadMessages; n > 0 {
		return "(" + strconv.Itoa(n) + ") "
	}
	return ""
}

// Unread counts the unread notifications and conversations of the reader.
func Unread(c *Context) (notices, conversations int, err error) {
	if c.Me == nil {
		return 0, 0, nil
	}
	return c.svc.Unread(c.Request.Context(), c.Me.ID)
}

// Render sends a page. It is rendered completely first, so that an error can become an error page.
func (c *Context) Render(code int, p Page) error {
	if err := LoadSurroundings(c, p.Bare || p.Part); err != nil {
		return err
	}
	body := p.Body
	if !p.Framed && !p.Part {
		body = layout(c, p)
	}
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	// Without the deadline of the request, because the page about a timeout must be rendered too.
	if err := body.Render(c.ForReader(context.WithoutCancel(c.Request.Context())), b); err != nil {
		return fmt.Errorf("build page %q: %w", p.Title, err)
	}
	h := c.Writer.Header()
	SecureHeaders(h, c.FormTargets)
	if p.Framed { // the page has no form and doesn't depend on the reader, so clickjacking is impossible
		h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'", "frame-ancestors *", 1))
		h.Del("X-Frame-Options")
	}
	h.Add("Vary", "Cookie")
	h.Add("Vary", "Accept-Language")
	h.Set("Cache-Control", "no-store")
	if c.Shared && c.Me == nil && c.formKey == "" { // the same for all visitors; caches must revalidate it
		h.Set("Cache-Control", "no-cache")
	}
	if !p.Listed {
		h.Set("X-Robots-Tag", "noindex")
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	c.Writer.WriteHeader(code)
	if c.Request.Method == http.MethodHead {
		return nil
	}
	// A disconnected client is not an error.
	_, _ = b.WriteTo(c.Writer)
	return nil
}

// LoadSurroundings loads the data of the layout. With bare it doesn't use the store.
func LoadSurroundings(c *Context, bare bool) error {
	c.ServerName = c.URL.Host
	known := c.title.Load()
	if known != nil {
		c.ServerName = *known
	}
	if bare {
		return nil
	}
	about, err := c.Instance()
	if err != nil {
		return err
	}
	if about.Title != "" {
		c.ServerName = about.Title
	}
	if name := c.ServerName; known == nil || *known != name {
		c.title.Store(&name) // a copy, because other requests read it
	}
	if c.notices, c.unreadMessages, err = Unread(c); err != nil {
		return err
	}
	return noteEnded(c)
}

// sheets returns the addresses of the custom style sheets. Pages of staff and logins don't use the
// style sheet, so that it can't break them.
func (c *Context) sheets() (sheets []string) {
	if c.About == nil {
		return nil
	}
	if a := c.About.Accent; a.Light != "" {
		sheets = append(sheets, paths.AccentSheet+"?v="+strings.ReplaceAll(a.Light+a.Dark, "#", ""))
	}
	if c.About.Style != "" && !strings.HasPrefix(c.Request.URL.Path, paths.Admin) && !strings.HasPrefix(c.Request.URL.Path, "/login") {
		sheets = append(sheets, paths.CustomSheet+"?v="+c.About.Style)
	}
	return sheets
}

// Logo returns the address of the server's icon.
func (c *Context) Logo() string {
	if c.About != nil && c.About.Icon.Name != "" {
		return paths.File(c.About.Icon.Name)
	}
	return assets.Path("icons.svg")
}

// SecureHeaders sets headers that prevent framing, sniffing and foreign scripts: pages run only our
// own files, which connect only to this server. formTargets, if not "", is added to the targets of
// forms, because Chromium and WebKit check redirects of forms against form-action too
// (https://github.com/w3c/webappsec-csp/issues/8).
//
// The referrer policy is same-origin, not no-referrer: with the latter, browsers send "Origin:
// null" with our own forms, and over plain http (no Sec-Fetch-Site) they couldn't be distinguished
// from foreign ones.
func SecureHeaders(h http.Header, formTargets string) {
	if formTargets != "" {
		formTargets = " " + formTargets
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; "+
		"form-action 'self'"+formTargets+"; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
}

// sheetOf returns the name of the additional style sheet of an area of the pages, "" for none.
func sheetOf(place string) string {
	switch place {
	case "/compose":
		return "attached.css"
	case paths.Messages:
		return "talk.css"
	case paths.Notifications:
		return "notices.css"
	case paths.Settings, paths.Admin:
		return "panes.css"
	}
	return ""
}

// ServeFound serves an asset and reports whether it exists. Assets support only GET and HEAD.
func ServeFound(w http.ResponseWriter, r *http.Request) bool {
	f, ok := assets.Find(r.URL.Path)
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	ServeAsset(w, r, f)
	return true
}

// ServeAsset serves an asset. The content of its path never changes.
func ServeAsset(w http.ResponseWriter, r *http.Request, f assets.File) {
	SecureHeaders(w.Header(), "")
	f.ServeHTTP(w, r)
}

// Pictured returns a line with pictures in place of shortcodes.
func (c *Context) Pictured(line string) templ.Component {
	return ui.Markup(text.WithPictures(line, view.Pictures(c.svc.Core.Emojis())))
}

// HasEmojis reports whether there are custom emoji to choose from.
func HasEmojis(c *Context) bool { return len(c.svc.Core.Emojis().Offered()) > 0 }

// here marks the entry of the navigation that the page belongs to.
func here(p Page, path string) templ.OrderedAttributes {
	if p.Here != path {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-current", Value: "page"}}
}

// hasAnnouncements reports whether there are current announcements.
func hasAnnouncements(c *Context) bool {
	return len(c.svc.Core.Announcements().Shown(c.Opts.Now())) > 0
}

// TrendRows is the number of tags on the Explore page, and SidePanelRows the number of rows of each
// section in a side panel.
const TrendRows, SidePanelRows = 5, 3

// LogMissing logs the errors of sections that are left out of a side panel.
func LogMissing(c *Context, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		c.LogError(http.StatusInternalServerError, fmt.Errorf("read the sidebar: %w", err))
	}
}
