package page

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// Context is a request and its response.
type Context struct {
	*Site
	Writer    http.ResponseWriter
	Request   *http.Request
	Pattern   string // of the route; unlike the path it contains no secrets
	RequestID string // value of the X-Request-Id header

	SessionToken string                // of the session; "" without a login
	SessionID    string                // its id
	Me           *linnet.UserView      // nil without a login
	About        *linnet.Instance      // description of the server, see Instance
	mac          string                // token of the page's forms, see FormToken
	formKey      string                // key of the form token without a login
	FormTargets  string                // additional targets of the page's forms, for the CSP
	Shared       bool                  // the page is the same for all visitors without a login
	Reason       Reason                // why statuses are on the page
	NewSession   string                // token of a session that this request has started or switched to
	Resumed      bool                  // the session of the active account has ended, see resume
	ended        []linnet.UserView     // accounts that this browser no longer has, see noteEnded
	others       others                // other accounts of this browser, see Others
	Files        map[string][]SentFile // of the form, by input
	PendingForm  string                // encoded form that is shown again after the login

	languages []string         // cache of Languages
	timeZone  *time.Location   // cache of Zone
	language  *locale.Language // cache of Lang

	ServerName              string // name of the server
	notices, unreadMessages int    // numbers of unread notifications and conversations
}

// Serve turns a route into a handler. It identifies the reader, checks the method and the form
// token, and calls the route's function. Only this function turns errors into pages.
func (s *Site) Serve(rt Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Context{Site: s, Writer: w, Request: r, Pattern: rt.Pattern, RequestID: w.Header().Get("X-Request-Id")}
		if c.RequestID == "" {
			c.RequestID = rand.Text()[:16]
			w.Header().Set("X-Request-Id", c.RequestID)
		}
		defer failOnPanic(c)
		if err := run(c, rt); err != nil {
			fail(c, err)
		}
	})
}

// failOnPanic handles a panic like other internal errors. Pages are sent only when complete, so
// nothing has been sent yet.
func failOnPanic(c *Context) {
	switch v := recover(); v {
	case nil:
	case http.ErrAbortHandler:
		panic(v)
	default:
		fail(c, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
	}
}

// run checks the request and calls the function of the route.
func run(c *Context, rt Route) error {
	do := rt.Get
	switch c.Request.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodPost:
		do = rt.Post
	default:
		do = nil
	}
	if do == nil {
		_ = identify(c) // for the error page; the error doesn't matter
		return refuseMethod(c, rt)
	}
	if c.Request.Method == http.MethodPost {
		if !rt.Foreign && !c.SameOrigin() {
			return ForeignForm(c.Request, locale.Mark("We didn't accept the form because it was sent from another site. Nothing was changed."))
		}
		defer func() {
			for _, all := range c.Files {
				for _, f := range all {
					f.File.Close()
				}
			}
		}()
		if err := readForm(c); err != nil {
			return err
		}
	}
	if err := identify(c); err != nil {
		return err
	}
	// Pages count against the rate limits like API requests. Static files and avatars don't count,
	// because they are cheap.
	class := core.RateGeneral
	if q := c.Request.URL.RawQuery; strings.Contains(q, "max_id=") || strings.Contains(q, "min_id=") {
		class = core.RatePaging
	}
	if _, err := c.svc.Core.AllowRequest(c.Request.Context(), caller(c), class); err != nil {
		return err
	}
	if c.Request.Method == http.MethodPost && !rt.Foreign && !formTokenFits(c) && !(rt.AnyAccount && ofOtherAccount(c)) {
		return c.Outdated(c)
	}
	if away, err := c.refusePrivate(rt); away || err != nil {
		return err
	}
	return do(c)
}

// refuseMethod returns the error for a method that the route doesn't support.
func refuseMethod(c *Context, rt Route) error {
	switch {
	case rt.Pattern == "/", rt.Pattern == UnknownPersonPath: // of paths without another route
		return NotFound()
	case rt.Get != nil && rt.Post != nil:
		c.Writer.Header().Set("Allow", "GET, HEAD, POST")
	case rt.Get != nil:
		c.Writer.Header().Set("Allow", "GET, HEAD")
	case rt.Post != nil:
		c.Writer.Header().Set("Allow", "POST")
	default:
		return NotFound()
	}
	return &Error{Code: http.StatusMethodNotAllowed,
		Msg: "This page doesn't accept %s requests.", Args: []any{c.Request.Method}}
}

// Viewer returns the id of the reader, or 0 without a login.
func (c *Context) Viewer() linnet.ID {
	if c.Me == nil {
		return 0
	}
	return c.Me.ID
}

// Instance returns the description of the server. It reads it once per request.
func (c *Context) Instance() (linnet.Instance, error) {
	if c.About == nil {
		v, err := c.svc.Settings.Instance(c.Request.Context())
		if err != nil {
			return linnet.Instance{}, fmt.Errorf("read the instance settings: %w", err)
		}
		c.About = &v.Instance
	}
	return *c.About, nil
}

// Redirect redirects the browser to a path of this server, with GET.
func (c *Context) Redirect(path string) error {
	h := c.Writer.Header()
	SecureHeaders(h, "")
	h.Set("Cache-Control", "no-store")
	h.Set("Location", path)
	c.Writer.WriteHeader(http.StatusSeeOther)
	return nil
}

// IsKind reports whether err is a [linnet.Error] of kind k.
func IsKind(err error, k linnet.Kind) bool {
	var e *linnet.Error
	return errors.As(err, &e) && e.Kind == k
}

// NotFound returns the error for a path without a page.
func NotFound() error { return linnet.Errorf(linnet.NotFound, "there is no page at this address") }

// PersonInPath splits "/@login/rest".
func (c *Context) PersonInPath() (login, rest string) {
	login, rest, _ = strings.Cut(strings.TrimPrefix(c.Request.URL.Path, "/@"), "/")
	return login, rest
}

// JSON sends a response to the script.
func (c *Context) JSON(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write a response: %w", err)
	}
	h := c.Writer.Header()
	SecureHeaders(h, "")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_, _ = c.Writer.Write(body) // the client may have disconnected
	return nil
}

// Alternate is a link to the same content in another format.
type Alternate struct{ Type, Title, URL string }

// IsRead reports whether the reader sees the page, and the browser isn't only prefetching it.
// https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
func IsRead(r *http.Request) bool {
	h := r.Header
	return r.Method == http.MethodGet && !strings.HasPrefix(h.Get("Sec-Purpose"), "prefetch") && h.Get("Purpose") != "prefetch" && h.Get("X-Moz") != "prefetch"
}
