package web

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// call is one request on its way to an answer.
type call struct {
	*site
	w       http.ResponseWriter
	r       *http.Request
	pattern string // of the route; unlike the path it holds no secrets
	id      string // of the request

	token   string                // of the session; "" without a log-in
	session string                // its ID
	me      *linnet.UserView      // nil without a log-in
	about   *linnet.Instance      // read by render or landing
	mac     string                // token for the page's forms, made when first asked for
	formKey string                // value of the cookie behind forms, see formToken
	mayGoTo string                // additional targets of the page's forms, for the CSP
	shared  bool                  // the page is the same for all visitors without a log-in
	why     why                   // what brings statuses to the page
	begun   string                // token of a session that this request has begun
	files   map[string][]sentFile // of the form, by input
	kept    string                // a form that waits for the log-in to be given back

	languages []string         // see reads
	here      *time.Location   // see zone
	speaks    *locale.Language // see lang

	place                   string // name of the installation
	notices, unreadMessages int    // what the reader has not seen: notifications, and messages among the newest
}

// serve turns a route into a handler. It identifies the reader, checks the method and the form
// token, and calls the route's function. Only this function turns errors into pages.
func (s *site) serve(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{site: s, w: w, r: r, pattern: rt.pattern, id: w.Header().Get("X-Request-Id")}
		if c.id == "" {
			c.id = rand.Text()[:16]
			w.Header().Set("X-Request-Id", c.id)
		}
		defer c.recover()
		if err := c.run(rt); err != nil {
			c.fail(err)
		}
	})
}

// recover handles a panic like other internal errors. Pages are sent only when complete, so nothing
// has been sent yet.
func (c *call) recover() {
	switch v := recover(); v {
	case nil:
	case http.ErrAbortHandler:
		panic(v)
	default:
		c.fail(fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
	}
}

func (c *call) run(rt route) error {
	do := rt.get
	switch c.r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodPost:
		do = rt.post
	default:
		do = nil
	}
	if do == nil {
		_ = c.identify() // for the error page; the error doesn't matter
		return refuseMethod(c, rt)
	}
	if c.r.Method == http.MethodPost {
		if err := c.origin.Check(c.r); err != nil && !rt.foreign {
			return foreignForm(c.r, locale.Mark("We didn't accept the form because it was sent from another site. Nothing was changed."))
		}
		defer c.closeFiles()
		if err := c.readForm(); err != nil {
			return err
		}
	}
	if err := c.identify(); err != nil {
		return err
	}
	if err := c.throttle(); err != nil {
		return err
	}
	if c.r.Method == http.MethodPost && !rt.foreign && !c.formTokenFits() {
		return c.outdated(c)
	}
	if away, err := c.keptOut(rt); away || err != nil {
		return err
	}
	return do(c)
}

// refuseMethod answers a method that the path does not have.
func refuseMethod(c *call, rt route) error {
	switch {
	case rt.pattern == "/", rt.pattern == elsewhereBelowPerson: // of paths without another route
		return errNowhere()
	case rt.get != nil && rt.post != nil:
		c.w.Header().Set("Allow", "GET, HEAD, POST")
	case rt.get != nil:
		c.w.Header().Set("Allow", "GET, HEAD")
	case rt.post != nil:
		c.w.Header().Set("Allow", "POST")
	default:
		return errNowhere()
	}
	return &httpError{code: http.StatusMethodNotAllowed,
		msg: "This address doesn't support %s.", args: []any{c.r.Method}}
}

// viewer returns the id of the reader; 0 without a log-in.
func (c *call) viewer() linnet.ID {
	if c.me == nil {
		return 0
	}
	return c.me.ID
}

// instance describes the installation, read once a request.
func (c *call) instance() (linnet.Instance, error) {
	if c.about == nil {
		v, err := c.svc.Identity.Instance(c.r.Context())
		if err != nil {
			return linnet.Instance{}, fmt.Errorf("describe the installation: %w", err)
		}
		c.about = &v.Instance
	}
	return *c.about, nil
}

// seeOther sends the browser to another page of the installation by GET.
func (c *call) seeOther(path string) error {
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Cache-Control", "no-store")
	h.Set("Location", path)
	c.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// isKind reports whether err is one of social's refusals of kind k.
func isKind(err error, k linnet.Kind) bool {
	var e *linnet.Error
	return errors.As(err, &e) && e.Kind == k
}

// errNowhere says that an address leads nowhere.
func errNowhere() error { return linnet.Errorf(linnet.NotFound, "there is no page at this address") }
