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

	// ClientAddr says which address a request comes from, for throttling, with
	// forwarded headers judged by whoever knows the proxies. nil: the peer of the
	// connection.
	ClientAddr func(*http.Request) netip.Addr

	// Stopping, when closed, ends what would otherwise stay open, so that the HTTP
	// server can shut down. nil: never.
	Stopping <-chan struct{}

	// Now is the clock behind "5 min". nil: time.Now.
	Now func() time.Time

	lang *locale.Language // of all pages; nil: the reader's. Only tests set it
}

// site is the handler. It is not changed after New, so it may be used by many
// requests at once.
type site struct {
	svc    *app.App
	opts   Options
	url    *url.URL // where people reach the installation
	secure bool     // by https: cookies are kept to it
	origin *http.CrossOriginProtection
	mux    *http.ServeMux
	lines  *lines
	title  *atomic.Pointer[string] // of the installation as last read, for pages that must not ask; nil: not known
	zones  *sync.Map               // *time.Location by name, see zone
}

// New returns the handler of all pages. It answers every path, unknown ones with
// a page of its own, so paths of the client API must be routed away before.
// Cookies are made for https when the service's public URL is https. A request id
// that an outer handler has put into the answer's X-Request-Id is kept, otherwise
// one is made. New panics if a template or the public URL is broken, which the
// first test finds.
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
		lines: &lines{open: map[linnet.ID]int{}}, title: new(atomic.Pointer[string]), zones: new(sync.Map)}
	// A proxy may hand on another Host than the one that browsers name as origin.
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

	foreign bool // posts may come from elsewhere, without the token of a form: the address has a secret
}

func routes() []route {
	return slices.Concat(securityRoutes(), passkeyRoutes(), emailRoutes(), settingsRoutes(), exportRoutes(), oldPostsRoutes(), importRoutes(), pushRoutes(), installRoutes(), styleRoutes(), signUpBlockRoutes(), adminRoutes(), inviteRoutes(), startRoutes(), timelineRoutes(), composeRoutes(), scheduledRoutes(), draftRoutes(), tagRoutes(), listRoutes(), groupRoutes(), rankRoutes(), ownFeedRoutes(), messageRoutes(), notificationRoutes(), liveRoutes(),
		wellKnownRoutes(), termsRoutes(), []route{
			{pattern: "/about", get: (*call).landing},
			{pattern: "/emoji", get: (*call).emojis},
			{pattern: announcementsPath, get: own((*call).announcements)},
			{pattern: announcementsPath + "/{id}", post: own((*call).actOnAnnouncement)},
			{pattern: "/requests", get: own((*call).requests)},
			{pattern: "/search", get: own((*call).search)},
			{pattern: "/theme", post: own((*call).chooseTheme)},
			{pattern: "/login", get: (*call).loginForm, post: (*call).logIn},
			{pattern: "/login/code", post: (*call).secondStep},
			{pattern: "/logout", post: (*call).logOut},
			{pattern: "/signup", get: (*call).signUpForm, post: (*call).signUp},
			{pattern: invitePath, get: (*call).signUpForm, post: (*call).signUp},
			{pattern: resetPath, get: (*call).resetForm, post: (*call).reset},
			{pattern: setupPath, get: (*call).setUpForm, post: (*call).setUp},
			{pattern: authorizePath, get: (*call).consentForm, post: (*call).consent},
			{pattern: authorizePath + "/{$}", get: (*call).consentForm, post: (*call).consent},
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

// visiting is the context for what says who somebody is: it knows where the request comes from.
func (c *call) visiting() context.Context {
	return identity.WithVisitor(c.r.Context(), identity.Visitor{From: c.from(), Agent: c.r.UserAgent()})
}

// from is the address that the request comes from.
func (c *call) from() netip.Addr { return c.opts.ClientAddr(c.r) }
