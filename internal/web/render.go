package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
)

// page is what the layout shows, with a Body of the page's own. The Body is made when
// the page is rendered, not before.
type page struct {
	Title      string
	Body       templ.Component
	Card       *card           // for previews elsewhere; nil: none
	Alternates []alternate     // the same in other forms
	Listed     bool            // search engines can list it
	Framed     bool            // in a frame of another site: without layout and forms
	Bare       bool            // made without asking the store, as when that has failed
	Script     bool            // strangers get the script as well
	Aside      templ.Component // shown next to the page if there is room; nil for none
	Wide       bool            // also uses the space of the side column
	Chat       bool            // as high as the window, with nothing below
	Here       string          // path of the entry in the navigation that this page belongs to
}

// card is what other sites show of a page that is linked there (Open Graph).
type card struct {
	Type, Title, Text, URL string
	Image                  string // the name of a file; "": none
	ImageAlt               string // its description; "": none
}

// pageAppearance is how the reader wants pages to be.
func (c *call) pageAppearance() linnet.Appearance {
	if c.me == nil {
		return linnet.Appearance{}
	}
	return c.me.Appearance
}

// unread counts what the reader has not seen: notifications, and conversations.
func (c *call) unread() (notices, talks int, err error) {
	if c.me == nil {
		return 0, 0, nil
	}
	if notices, err = c.svc.Notify.UnreadShown(c.r.Context(), c.me.ID); err != nil {
		return 0, 0, fmt.Errorf("count unread notifications: %w", err)
	}
	if talks, err = c.svc.Posting.UnreadConversations(c.r.Context(), c.me.ID); err != nil {
		return 0, 0, fmt.Errorf("count unread messages: %w", err)
	}
	return notices, talks, nil
}

// render sends a page. It is rendered completely first, so that an error can become an error page.
func (c *call) render(code int, p page) error {
	if err := c.surroundings(p.Bare); err != nil {
		return err
	}
	body := p.Body
	if !p.Framed {
		body = layout(c, p)
	}
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	// A component is not made once the request has ended; that it took too long is a page too.
	if err := body.Render(c.forReader(context.WithoutCancel(c.r.Context())), b); err != nil {
		return fmt.Errorf("build page %q: %w", p.Title, err)
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
	// A disconnected client is not an error.
	_, _ = b.WriteTo(c.w)
	return nil
}

// surroundings loads the data around every page. With bare it doesn't use the store.
func (c *call) surroundings(bare bool) error {
	c.place = c.url.Host
	known := c.title.Load()
	if known != nil {
		c.place = *known
	}
	if bare {
		return nil
	}
	about, err := c.instance()
	if err != nil {
		return err
	}
	if about.Title != "" {
		c.place = about.Title
	}
	if place := c.place; known == nil || *known != place {
		c.title.Store(&place) // a copy: other requests read it while this one may change its own
	}
	c.notices, c.unreadMessages, err = c.unread()
	return err
}
