package web

import (
	"net/http"
	"slices"
	"strings"

	"linnet/internal/app"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/view"
	"linnet/internal/web/assets"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
)

// handler answers every request for a page or a file. It is immutable after New.
type handler struct {
	site           *page.Site
	mux            *http.ServeMux
	person         map[string]http.Handler // of the paths below "/@", by pattern
	unknown        http.Handler            // of paths that have no page
	core           *core.Service
	view           *view.Service
	syndicatePages *syndicatePages
	postPages      *post.Pages
}

// Options are what the pages need besides the services. The zero value works.
type Options = page.Options

// New returns the handler of all pages. It responds to every path, so paths of the client API must
// be routed before. If the service's public URL is https, cookies require https. It uses the
// X-Request-Id of an outer handler, or sets one. It panics if the public URL is invalid.
func New(svc *app.App, opts Options) http.Handler {
	s := page.NewSite(page.Services{Archives: svc.Archives, Core: svc.Core, Emails: svc.Emails, Identity: svc.Identity, Moderation: svc.Moderation, Notify: svc.Notify,
		Posting: svc.Posting, Reading: svc.Reading, Translation: svc.Translation, Uploads: svc.Uploads, View: svc.View}, opts, form.StaffPermissions())
	h := &handler{site: s, mux: http.NewServeMux(), person: map[string]http.Handler{}}
	routes, person := h.build(svc)
	for _, rt := range routes {
		h.mux.Handle(rt.Pattern, s.Serve(rt))
	}
	for _, rt := range person {
		h.person[rt.Pattern] = s.Serve(rt)
	}
	h.unknown = s.Serve(page.Route{Pattern: "/", Get: h.elsewhere})
	h.person[page.UnknownPersonPath] = s.Serve(page.Route{Pattern: page.UnknownPersonPath, Get: h.elsewhere})
	return h
}

// build makes the areas of the pages, and returns the routes of the mux and those below "/@".
func (h *handler) build(svc *app.App) (routes, person []page.Route) {
	posts := &post.Pages{Posting: svc.Posting, Social: svc.Social, View: svc.View}
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
	h.site.Outdated = auth.giveBack
	routes = slices.Concat(auth.Routes(), account.Routes(), settings.Routes(), staff.Routes(), instance.Routes(), timelines.Routes(), ranking.Routes(), composer.Routes(), groups.Routes(),
		messages.Routes(), notifications.Routes(), people.Routes(), search.Routes(), installRoutes(), h.wellKnownRoutes(), []page.Route{{Pattern: "/", Get: h.elsewhere}})
	return routes, personRoutes(people, posts, timelines, composer)
}

// ServeHTTP dispatches what the mux has no patterns for: the files, and paths
// that begin with "/@".
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, assets.Prefix) && page.ServeFound(w, r):
	case strings.HasPrefix(r.URL.Path, "/tags/") && feedFormat(r.URL.Path) != "":
		h.site.Serve(h.syndicatePages.tagFeedRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, paths.AvatarPrefix) && serveAvatar(w, r):
	case isMastodonPath(r.URL.Path):
		h.unknown.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@") && feedFormat(r.URL.Path) != "":
		h.site.Serve(h.syndicatePages.personFeedRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@"):
		h.person[h.personPattern(r.URL.Path)].ServeHTTP(w, r)
	default:
		h.mux.ServeHTTP(w, r)
	}
}
