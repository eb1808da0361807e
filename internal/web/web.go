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
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/view"
	"linnet/internal/web/assets"
	"linnet/internal/web/paths"
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

// site is what all pages have in common. It is immutable after New, so requests can share it.
type site struct {
	svc    *app.App
	opts   Options
	url    *url.URL // where people reach the installation
	secure bool     // https: cookies are limited to it
	origin *http.CrossOriginProtection
	title  *atomic.Pointer[string] // of the installation as last read, for pages that must not ask; nil: not known
	zones  *sync.Map               // *time.Location by name, see zone

	outdated func(*call) error // answers a form whose token does not fit
	staff    linnet.Permission // with one of these there is something to see in the administration
}

// handler answers every request for a page or a file. It is immutable after New.
type handler struct {
	site           *site
	mux            *http.ServeMux
	person         map[string]http.Handler // of the paths below "/@", by pattern
	unknown        http.Handler            // of paths that have no page
	core           *core.Service
	view           *view.Service
	syndicatePages *syndicatePages
	postPages      *postPages
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
	s := &site{svc: svc, opts: opts, url: u, secure: u.Scheme == "https", origin: http.NewCrossOriginProtection(),
		title: new(atomic.Pointer[string]), zones: new(sync.Map), staff: staffPermissions()}
	// A proxy can send another Host than the one in the browser's Origin.
	if err := s.origin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		panic("web: public URL: " + err.Error())
	}
	h := &handler{site: s, mux: http.NewServeMux(), person: map[string]http.Handler{}}
	routes, person := h.build(svc)
	for _, rt := range routes {
		h.mux.Handle(rt.pattern, s.serve(rt))
	}
	for _, rt := range person {
		h.person[rt.pattern] = s.serve(rt)
	}
	h.unknown = s.serve(route{pattern: "/", get: h.elsewhere})
	h.person[elsewhereBelowPerson] = s.serve(route{pattern: elsewhereBelowPerson, get: h.elsewhere})
	return h
}

// build makes the areas of the pages, and returns the routes of the mux and those below "/@".
func (h *handler) build(svc *app.App) (routes, person []route) {
	posts := &postPages{posting: svc.Posting, social: svc.Social, view: svc.View}
	composer := &composePages{core: svc.Core, discovery: svc.Discovery, groups: svc.Groups, postPages: posts, posting: svc.Posting, uploads: svc.Uploads, view: svc.View}
	people := &peoplePages{core: svc.Core, discovery: svc.Discovery, lists: svc.Lists, moderation: svc.Moderation, postPages: posts, posting: svc.Posting, reading: svc.Reading, social: svc.Social, view: svc.View}
	groups := &groupPages{composePages: composer, discovery: svc.Discovery, groups: svc.Groups, peoplePages: people, postPages: posts, posting: svc.Posting, reading: svc.Reading, view: svc.View}
	messages := &messagePages{composePages: composer, discovery: svc.Discovery, posting: svc.Posting, reading: svc.Reading, view: svc.View}
	people.groupPage, groups.chatPage = groups.group, messages.chat
	notifications := &notificationPages{groups: svc.Groups, notify: svc.Notify, reading: svc.Reading, social: svc.Social, view: svc.View}
	feeds := &syndicatePages{reading: svc.Reading, view: svc.View}
	timelines := &timelinePages{announcing: svc.Announcing, composePages: composer, core: svc.Core, discovery: svc.Discovery, identity: svc.Identity, lines: &lines{open: map[linnet.ID]int{}},
		lists: svc.Lists, live: svc.Live, peoplePages: people, postPages: posts, posting: svc.Posting, reading: svc.Reading, social: svc.Social, translation: svc.Translation, view: svc.View}
	ranking := &rankingPages{discovery: svc.Discovery, lists: svc.Lists, view: svc.View}
	search := &searchPages{discovery: svc.Discovery, peoplePages: people}
	auth := &authPages{composePages: composer, core: svc.Core, emails: svc.Emails, identity: svc.Identity, moderation: svc.Moderation, posting: svc.Posting, security: svc.Security, uploads: svc.Uploads, view: svc.View, pages: h}
	account := &accountPages{archives: svc.Archives, authPages: auth, emails: svc.Emails, identity: svc.Identity, security: svc.Security, social: svc.Social}
	settings := &settingsPages{core: svc.Core, discovery: svc.Discovery, identity: svc.Identity, lists: svc.Lists, notify: svc.Notify, posting: svc.Posting, push: svc.Push, reading: svc.Reading, social: svc.Social}
	instance := &instancePages{announcing: svc.Announcing, core: svc.Core, identity: svc.Identity, moderation: svc.Moderation}
	staff := &adminPages{core: svc.Core, identity: svc.Identity, instancePages: instance, moderation: svc.Moderation}
	h.core, h.view, h.postPages, h.syndicatePages = svc.Core, svc.View, posts, feeds
	h.site.outdated = auth.giveBack
	routes = slices.Concat(auth.authRoutes(), auth.termsRoutes(), account.securityRoutes(), account.passkeyRoutes(), account.emailRoutes(), account.exportRoutes(), account.importRoutes(),
		settings.settingsRoutes(), settings.oldPostsRoutes(), settings.pushRoutes(), settings.styleRoutes(), staff.adminRoutes(), instance.instanceRoutes(), instance.adminTermsRoutes(), instance.inviteRoutes(), instance.startRoutes(), instance.signUpBlockRoutes(),
		timelines.timelineRoutes(), timelines.tagRoutes(), timelines.listRoutes(), timelines.liveRoutes(), ranking.rankRoutes(), ranking.ownFeedRoutes(),
		composer.composeRoutes(), composer.scheduledRoutes(), composer.draftRoutes(), groups.groupRoutes(), messages.messageRoutes(), notifications.notificationRoutes(),
		installRoutes(), h.wellKnownRoutes(), []route{
			{pattern: "/requests", get: own(people.requests)},
			{pattern: "/search", get: own(search.search)},
			{pattern: "/users/{login}", get: lastingName},
			{pattern: "/users/{login}/statuses/{id}", get: lastingName},
			{pattern: "/", get: h.elsewhere},
		})
	return routes, personRoutes(people, posts, timelines, composer)
}

// route says what answers the methods of a path; a missing one is refused. HEAD
// is answered as GET.
type route struct {
	pattern   string
	get, post func(*call) error

	program bool // for programs: visitors whom a private server keeps out get an error, and no redirect to the log-in
	foreign bool // accepts posts from other sites without a form token, because the address has a secret
}

// ServeHTTP dispatches what the mux has no patterns for: the files, and paths
// that begin with "/@".
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, assets.Prefix) && serveFound(w, r):
	case strings.HasPrefix(r.URL.Path, "/tags/") && feedFormat(r.URL.Path) != "":
		h.site.serve(h.syndicatePages.tagFeedRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, paths.AvatarPrefix) && serveAvatar(w, r):
	case isMastodonPath(r.URL.Path):
		h.unknown.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@") && feedFormat(r.URL.Path) != "":
		h.site.serve(h.syndicatePages.personFeedRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@"):
		h.person[h.personPattern(r.URL.Path)].ServeHTTP(w, r)
	default:
		h.mux.ServeHTTP(w, r)
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
