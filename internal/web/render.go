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

// pages holds a template for each page, every one with the layout and the parts
// around it.
type pages map[string]*template.Template

// pageNames are the files in templates/ that are pages, not parts.
var pageNames = [...]string{"landing", "login", "signup", "waiting", "setup", "consent", "code", "refused",
	"profile", "status", "tag", "second", "security", "two_factor", "delete", "error"}

// parsePages parses all templates, so that a broken one is found at start.
func parsePages(s *site) pages {
	parts := template.Must(template.New("parts").Funcs(s.funcs()).
		ParseFS(templateFiles, "templates/layout.html", "templates/part_*.html"))
	all := pages{}
	for _, name := range pageNames {
		t := template.Must(parts.Clone())
		all[name] = template.Must(t.ParseFS(templateFiles, "templates/"+name+".html"))
	}
	return all
}

// page is what the layout shows; Main is for the page's own template.
type page struct {
	Title  string
	Main   any
	Card   *card // for previews elsewhere; nil: none
	Listed bool  // search engines may list it
	Bare   bool  // made without asking the store, as when that has failed

	c    *call
	Site string // name of the installation
}

// card is what other sites show of a page that is linked there (Open Graph).
type card struct{ Type, Title, Text, URL string }

func (p page) Me() *linnet.UserView { return p.c.me }
func (p page) Version() string      { return p.c.opts.Version }

// FormToken is called by each form that posts, and only there: it may set a cookie.
func (p page) FormToken() string { return p.c.formToken() }

// render answers with a page. It is built whole before the first byte leaves, so
// that an error can still become a page of its own.
func (c *call) render(code int, name string, p page) error {
	p.c, p.Site = c, c.url.Host
	if !p.Bare {
		about, err := c.instance()
		if err != nil {
			return err
		}
		if about.Title != "" {
			p.Site = about.Title
		}
	}
	var b bytes.Buffer
	if err := c.pages[name].ExecuteTemplate(&b, "layout", p); err != nil {
		return fmt.Errorf("build page %s: %w", name, err)
	}
	h := c.w.Header()
	secureHeaders(h, c.mayGoTo)
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
