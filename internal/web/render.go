package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"linnet/internal/linnet"
)

//go:embed templates/*.html
var templateFiles embed.FS

// parsePages parses all templates, so that a broken one is found at start. A file
// holds a page, under the file's name, or only parts of several ("part_*"). They are
// one set: a set for each page, with all parts in it, took half of the memory of an
// idle server.
func parsePages(s *site) *template.Template {
	return template.Must(template.New("").Funcs(s.funcs()).ParseFS(templateFiles, "templates/*.html"))
}

// page is what the layout shows; Main is for the page's own template.
type page struct {
	Title      string
	Main       any
	Body       template.HTML // made of Main by the page's template
	Card       *card         // for previews elsewhere; nil: none
	Alternates []alternate   // the same in other forms
	Listed     bool          // search engines may list it
	Framed     bool          // stands in a frame of another site: the page has no layout and no forms
	Bare       bool          // made without asking the store, as when that has failed
	Here       string        // path of the entry in the navigation that this page belongs to

	Live string // where the page hears of what comes while it is open, "": nothing

	c      *call
	Site   string // name of the installation
	Unread int    // notifications that the reader has not seen
	Talks  int    // messages of theirs with something unread, among the newest
}

// card is what other sites show of a page that is linked there (Open Graph).
type card struct{ Type, Title, Text, URL string }

func (p page) Me() *linnet.UserView { return p.c.me }
func (p page) Version() string      { return p.c.opts.Version }

// FormToken is called by each form that posts, and only there: it may set a cookie.
func (p page) FormToken() string { return p.c.formToken() }

// Staff reports whether the reader moderates.
func (p page) Staff() bool { return p.c.me != nil && p.c.me.Role.Staff() }

// Look is how the reader wants pages to be.
func (p page) Look() linnet.Look {
	if p.c.me == nil {
		return linnet.Look{}
	}
	return p.c.me.Look
}

// Theme is "light" or "dark" if the reader has chosen, "" to go by the system.
func (p page) Theme() string { return p.Look().Theme }

// maxUnread is how many unread notifications the navigation counts.
const maxUnread = 99

// unread counts what the reader has not seen: notifications, and conversations.
func (c *call) unread() (notices, talks int, err error) {
	if c.me == nil {
		return 0, 0, nil
	}
	if notices, err = c.svc.Notify.UnreadNotifications(c.r.Context(), c.me.ID, linnet.NotificationFilter{}, maxUnread); err != nil {
		return 0, 0, fmt.Errorf("count unread notifications: %w", err)
	}
	if talks, err = c.svc.Posting.UnreadConversations(c.r.Context(), c.me.ID); err != nil {
		return 0, 0, fmt.Errorf("count unread messages: %w", err)
	}
	return notices, talks, nil
}

// render answers with a page. It is built whole before the first byte leaves, so
// that an error can still become a page of its own.
func (c *call) render(code int, name string, p page) error {
	p.c, p.Site = c, c.url.Host
	if known := c.title.Load(); known != nil {
		p.Site = *known
	}
	if !p.Bare {
		about, err := c.instance()
		if err != nil {
			return err
		}
		if about.Title != "" {
			p.Site = about.Title
		}
		c.title.Store(&p.Site)
		if p.Unread, p.Talks, err = c.unread(); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	err := c.pages.ExecuteTemplate(&b, name+".html", p)
	if err == nil && !p.Framed {
		p.Body = template.HTML(b.String()) // escaped by its template
		b.Reset()
		err = c.pages.ExecuteTemplate(&b, "layout", p)
	}
	if err != nil {
		return fmt.Errorf("build page %s: %w", name, err)
	}
	h := c.w.Header()
	secureHeaders(h, c.mayGoTo)
	if p.Framed {
		allowFrames(h)
	}
	c.cacheHeaders(h)
	if !p.Listed {
		h.Set("X-Robots-Tag", "noindex")
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	c.w.WriteHeader(code)
	if c.r.Method == http.MethodHead {
		return nil
	}
	// A reader who has gone away is no error of the page.
	_, _ = b.WriteTo(c.w)
	return nil
}
