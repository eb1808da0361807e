package form

import (
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Show loads a page with the current values of its form.
type Show = func(*page.Context) (*Page, error)

// Save stores the submitted form of a page. It returns the address of the page to show next.
type Save = func(*page.Context) (next string, err error)

// Member returns the route of a page of the settings. show or save can be nil.
func Member(pattern string, show Show, save Save) page.Route {
	return route(pattern, page.LoggedIn, show, save)
}

// Staff returns the route of a page for staff who have all permissions in needs. show or save can
// be nil.
func Staff(pattern string, needs linnet.Permission, show Show, save Save) page.Route {
	return route(pattern, func(do func(*page.Context) error) func(*page.Context) error { return page.Allowed(needs, do) }, show, save)
}

func route(pattern string, guard func(func(*page.Context) error) func(*page.Context) error, show Show, save Save) page.Route {
	rt := page.Route{Pattern: pattern}
	if show != nil {
		rt.Get = guard(Get(show))
	}
	if save != nil {
		rt.Post = guard(Post(show, save))
	}
	return rt
}

// Get returns the handler that shows a page.
func Get(show Show) func(*page.Context) error {
	return func(c *page.Context) error {
		p, err := show(c)
		if err != nil {
			return err
		}
		return p.Render(c, http.StatusOK)
	}
}

// Post returns the handler that saves the form of a page and redirects. If values are refused, it
// shows the page again, with the submitted values and their errors.
func Post(show Show, save Save) func(*page.Context) error {
	return func(c *page.Context) error {
		next, err := save(c)
		if err != nil {
			return ShowErrors(c, show, err)
		}
		return c.Redirect(next)
	}
}

// ShowErrors shows a page again with the submitted values, if err is about them. It returns other
// errors.
func ShowErrors(c *page.Context, show Show, err error) error {
	if show == nil || !page.IsInvalid(err) {
		return err
	}
	p, failed := show(c)
	if failed != nil {
		return failed
	}
	if p.Form == nil || !p.Form.isSubmitted() || !p.Form.Refused(err) {
		return err
	}
	return p.Render(c, http.StatusUnprocessableEntity)
}

// Render shows the page next to the menu of the settings or the administration.
func (p *Page) Render(c *page.Context, code int) error {
	var menu Menu
	var done string
	if strings.HasPrefix(p.Path, paths.Admin) {
		menu, done = AdminMenu(c), c.Tr("Done. See the audit log for details.")
	} else {
		var err error
		if menu, err = settingsMenu(c, p.Path); err != nil {
			return err
		}
		done = c.Tr("Saved.")
	}
	if p.Done == "" && c.Request.URL.Query().Get("done") != "" {
		p.Done = done
	}
	body := p.Body
	if body == nil {
		if p.Parts == nil && p.Form != nil {
			p.Parts = []Section{{Form: p.Form}}
		}
		body = PageView(*p)
	}
	return menu.ShowBody(c, code, p.Title, p.Path, body)
}

// Saved returns the address of a page that confirms that the form was saved.
func Saved(path string) string { return ui.WithDone(path, "saved") }
