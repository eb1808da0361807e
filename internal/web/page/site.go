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
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/translation"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Options are what the pages need besides the service. The zero value works.
type Options struct {
	Version string       // of Linnet, shown at the foot of each page
	Log     *slog.Logger // nil: slog.Default()

	// ClientAddr returns the address of a request, for rate limits. It can trust forwarded headers
	// of known proxies. Nil means the peer of the connection.
	ClientAddr func(*http.Request) netip.Addr

	// Stopping, when closed, ends what would otherwise stay open, so that the HTTP
	// server can shut down. nil: never.
	Stopping <-chan struct{}

	// Now is the clock behind "5 min". nil: time.Now.
	Now func() time.Time

	Lang *locale.Language // of all pages; nil: the reader's. Only tests set it
}

// Services are what every page needs. All fields are required.
type Services struct {
	NoteFault   func() // counts an internal error
	MaxImport   int64  // size of the largest archive of posts that can be imported, in bytes
	Core        *core.Service
	Emails      *identity.Emails
	Identity    *identity.Service
	Notify      *notify.Service
	Posting     *posting.Service
	Reading     *reading.Service
	Translation *translation.Service
	Uploads     *uploads.Service
	View        *view.Service
}

// Site is what all pages have in common. It is immutable once it serves, so requests share it.
type Site struct {
	Opts Options
	URL  *url.URL // where people reach the server

	// Outdated answers a form whose token does not fit. Set it before the first request.
	Outdated func(*Context) error

	svc    Services
	staff  linnet.Permission // each of these opens a page of the administration
	origin *http.CrossOriginProtection
	title  atomic.Pointer[string] // of the server as last read, for pages that must not ask; nil: not known
	zones  sync.Map               // *time.Location by name, see zoneNamed
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

// Secure reports whether people reach the server by https. Cookies are limited to it then.
func (s *Site) Secure() bool { return s.URL.Scheme == "https" }

// Route says what answers the methods of a path; a missing one is refused. HEAD
// is answered as GET.
type Route struct {
	Pattern   string
	Get, Post func(*Context) error

	Program bool // for programs: visitors whom a private server keeps out get an error, and no redirect to the log-in
	Foreign bool // accepts posts from other sites without a form token, because the address has a secret
}

// peerAddr is the address of the other end of the connection; the zero Addr if it
// has none, as on a unix socket.
func peerAddr(r *http.Request) netip.Addr {
	ap, _ := netip.ParseAddrPort(r.RemoteAddr)
	return ap.Addr()
}

// VisitorContext returns the context of the request with its origin, for log-ins.
func (c *Context) VisitorContext() context.Context {
	return identity.WithVisitor(c.Request.Context(), identity.Visitor{From: c.ClientAddr(), Agent: c.Request.UserAgent()})
}

// ClientAddr is the address that the request comes from.
func (c *Context) ClientAddr() netip.Addr { return c.Opts.ClientAddr(c.Request) }
