package page

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/translation"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Options are the settings of the pages. The zero value works.
type Options struct {
	Version string       // of Linnet, shown in the footer of each page
	Log     *slog.Logger // nil: slog.Default()

	// ClientAddr returns the address of a request, for rate limits. It can trust forwarded headers
	// of known proxies. Nil means the peer of the connection.
	ClientAddr func(*http.Request) netip.Addr

	// Stopping is closed to end streams, so that the HTTP server can shut down. Nil means never.
	Stopping <-chan struct{}

	// Now is the clock of relative times. Nil means time.Now.
	Now func() time.Time

	Lang *locale.Language // of all pages; nil for the reader's. Only tests set it
}

// Services are the services that every page needs. All fields are required.
type Services struct {
	Core        *core.Service
	Emails      *identity.Emails
	Identity    *identity.Service
	Settings    *identity.Settings
	Translation *translation.Service
	Uploads     *uploads.Service
	View        *view.Service

	// Unread counts the unread notifications and conversations of a user, for the layout.
	Unread func(ctx context.Context, me linnet.ID) (notifications, conversations int, err error)

	NoteFault func() // counts an internal error
	MaxImport int64  // size of the largest archive of posts that can be imported, in bytes
}

// Site has the data that all requests share. It doesn't change after the first request.
type Site struct {
	Opts Options
	URL  *url.URL // public URL of the server

	// Outdated handles a form with an invalid token. Set it before the first request.
	Outdated func(*Context) error

	svc    Services
	staff  linnet.Permission // each of these opens a page of the administration
	origin *http.CrossOriginProtection
	title  atomic.Pointer[string] // last known name of the server, for pages without the store
	zones  sync.Map               // cache of zoneNamed: *time.Location by name
}

// NewSite returns a site. Each of the permissions staff opens a page of the administration. It
// panics if the public URL is invalid.
func NewSite(svc Services, opts Options, staff linnet.Permission) *Site {
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.ClientAddr == nil {
		opts.ClientAddr = peerAddr
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	u, err := url.Parse(svc.Core.PublicURL())
	if err != nil || u.Host == "" {
		panic(fmt.Sprintf("web: public URL %q is not absolute", svc.Core.PublicURL()))
	}
	s := &Site{svc: svc, Opts: opts, URL: u, origin: http.NewCrossOriginProtection(), staff: staff}
	// A proxy can send another Host than the one in the browser's Origin.
	if err := s.origin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		panic("web: public URL: " + err.Error())
	}
	return s
}

// Secure reports whether the public URL of the server uses https. Cookies are then limited to
// https.
func (s *Site) Secure() bool { return s.URL.Scheme == "https" }

// Route names the functions that handle the methods of a path. Methods without a function are
// refused. HEAD is handled as GET.
type Route struct {
	Pattern   string
	Get, Post func(*Context) error

	Program    bool // for programs: on a private server visitors get an error instead of a redirect to the login
	AnyAccount bool // accepts forms of all accounts of this browser, also of those that aren't active

	Foreign bool // accepts posts from other sites without a form token, because the address has a secret
}

// peerAddr returns the address of the peer of the connection. It is invalid for a Unix socket.
func peerAddr(r *http.Request) netip.Addr {
	ap, _ := netip.ParseAddrPort(r.RemoteAddr)
	return ap.Addr()
}

// VisitorContext returns the context of the request with its origin, for logins.
func (c *Context) VisitorContext() context.Context {
	return identity.WithVisitor(c.Request.Context(), identity.Visitor{From: c.ClientAddr(), Agent: c.Request.UserAgent()})
}

// ClientAddr returns the address of the client.
func (c *Context) ClientAddr() netip.Addr { return c.Opts.ClientAddr(c.Request) }
