package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/app"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/assets"
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

	lang *locale.Language // of all pages; nil: the reader's. Only tests set it
}

// site is the handler. It is immutable after New, so requests can share it.
type site struct {
	svc    *app.App
	opts   Options
	url    *url.URL // where people reach the installation
	secure bool     // https: cookies are limited to it
	origin *http.CrossOriginProtection
	mux    *http.ServeMux
	lines  *lines
	title  *atomic.Pointer[string] // of the installation as last read, for pages that must not ask; nil: not known
	zones  *sync.Map               // *time.Location by name, see zone

	outdated  func(*call) error                  // answers a form whose token does not fit
	groupPage func(*call, linnet.UserView) error // shows a group in place of a profile
	chatPage  func(*call, groupHead) error       // shows a chat to its members
	staff     linnet.Permission                  // with one of these there is something to see in the administration
}

// New returns the handler of all pages. It responds to every path, so paths of the client API must
// be routed before. If the service's public URL is https, cookies require https. It uses the
// X-Request-Id of an outer handler, or sets one. It panics if the public URL is invalid.
func New(svc *app.App, opts Options) http.Handler {
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
	s := &site{svc: svc, opts: opts, url: u, secure: u.Scheme == "https",
		origin: http.NewCrossOriginProtection(), mux: http.NewServeMux(),
		lines: &lines{open: map[linnet.ID]int{}}, title: new(atomic.Pointer[string]), zones: new(sync.Map),
		outdated: (*call).giveBack, groupPage: (*call).group, chatPage: (*call).chat, staff: staffPermissions()}
	// A proxy can send another Host than the one in the browser's Origin.
	if err := s.origin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		panic("web: public URL: " + err.Error())
	}
	for _, rt := range routes() {
		s.mux.Handle(rt.pattern, s.serve(rt))
	}
	return s
}

// route says what answers the methods of a path; a missing one is refused. HEAD
// is answered as GET.
type route struct {
	pattern   string
	get, post func(*call) error

	program bool // for programs: visitors whom a private server keeps out get an error, and no redirect to the log-in
	foreign bool // accepts posts from other sites without a form token, because the address has a secret
}

func routes() []route {
	return slices.Concat(authRoutes(), securityRoutes(), passkeyRoutes(), emailRoutes(), exportRoutes(), importRoutes(), settingsRoutes(), oldPostsRoutes(), pushRoutes(),
		installRoutes(), styleRoutes(), signUpBlockRoutes(), adminRoutes(), instanceRoutes(), adminTermsRoutes(), inviteRoutes(), startRoutes(), timelineRoutes(), composeRoutes(), scheduledRoutes(), draftRoutes(), tagRoutes(), listRoutes(),
		groupRoutes(), rankRoutes(), ownFeedRoutes(), messageRoutes(), notificationRoutes(), liveRoutes(), wellKnownRoutes(), termsRoutes(), []route{
			{pattern: "/requests", get: own((*call).requests)},
			{pattern: "/search", get: own((*call).search)},
			{pattern: "/users/{login}", get: (*call).lastingName},
			{pattern: "/users/{login}/statuses/{id}", get: (*call).lastingName},
			{pattern: "/", get: (*call).elsewhere},
		})
}

// ServeHTTP dispatches what the mux has no patterns for: the files, and paths
// that begin with "/@".
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, assets.Prefix) && serveFound(w, r):
	case strings.HasPrefix(r.URL.Path, "/tags/") && feedFormat(r.URL.Path) != "":
		s.serve(tagFeedRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, avatarPrefix) && serveAvatar(w, r):
	case isMastodonPath(r.URL.Path):
		s.serve(route{pattern: "/", get: (*call).elsewhere}).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@"):
		s.serve(personRoute(r.URL.Path)).ServeHTTP(w, r)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// peerAddr is the address of the other end of the connection; the zero Addr if it
// has none, as on a unix socket.
func peerAddr(r *http.Request) netip.Addr {
	ap, _ := netip.ParseAddrPort(r.RemoteAddr)
	return ap.Addr()
}

// visiting returns the context of the request with its origin, for log-ins.
func (c *call) visiting() context.Context {
	return identity.WithVisitor(c.r.Context(), identity.Visitor{From: c.from(), Agent: c.r.UserAgent()})
}

// from is the address that the request comes from.
func (c *call) from() netip.Addr { return c.opts.ClientAddr(c.r) }
