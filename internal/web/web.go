package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/app"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/view"
	"linnet/internal/web/account"
	"linnet/internal/web/admin"
	"linnet/internal/web/assets"
	"linnet/internal/web/auth"
	"linnet/internal/web/compose"
	"linnet/internal/web/feed"
	"linnet/internal/web/form"
	"linnet/internal/web/group"
	"linnet/internal/web/instance"
	"linnet/internal/web/message"
	"linnet/internal/web/notification"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ranking"
	"linnet/internal/web/search"
	"linnet/internal/web/settings"
	"linnet/internal/web/timeline"
)

// handler serves all pages and files. It is immutable after New.
type handler struct {
	site      *page.Site
	mux       *http.ServeMux
	person    map[string]http.Handler // below "/@", by pattern
	unknown   http.Handler            // paths without a page
	core      *core.Service
	view      *view.Service
	feedPages *feed.Pages
	postPages *post.Pages
}

// Options are the settings of the pages. The zero value works.
type Options = page.Options

// New returns the handler of all pages. It responds to every path, so paths of the client API must
// be routed before. If the service's public URL is https, cookies require https. It uses the
// X-Request-Id of an outer handler, or sets one. It panics if the public URL is invalid.
func New(svc *app.App, opts Options) http.Handler {
	unread := func(ctx context.Context, me linnet.ID) (notifications, conversations int, err error) {
		if notifications, err = svc.Notify.UnreadShown(ctx, me); err != nil {
			return 0, 0, fmt.Errorf("count unread notifications: %w", err)
		}
		if conversations, err = svc.Posting.Conversations.Unread(ctx, me); err != nil {
			return 0, 0, fmt.Errorf("count unread messages: %w", err)
		}
		return notifications, conversations, nil
	}
	s := page.NewSite(page.Services{MaxImport: svc.Archives.MaxImport(), Core: svc.Core, Emails: svc.Emails, Identity: svc.Identity, Settings: svc.Settings, NoteFault: svc.Moderation.Statistics.NoteFault,
		Translation: svc.Translation, Unread: unread, Uploads: svc.Uploads, View: svc.View}, opts, form.StaffPermissions())
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

// build creates the areas of the pages. It returns the routes of the mux and those below "/@".
func (h *handler) build(svc *app.App) (routes, person []page.Route) {
	posts := &post.Pages{Posting: svc.Posting, Social: svc.Social, View: svc.View}
	composer := &compose.Pages{Cards: svc.Cards, Core: svc.Core, Discovery: svc.Discovery, Groups: svc.Groups, Posts: posts, Posting: svc.Posting, Uploads: svc.Uploads, View: svc.View}
	people := &people.Pages{Core: svc.Core, Discovery: svc.Discovery, Lists: svc.Lists, Moderation: svc.Moderation, Outside: svc.Outside, Posts: posts, Posting: svc.Posting, Reading: svc.Reading, Social: svc.Social, View: svc.View}
	groups := &group.Pages{Composer: composer, Discovery: svc.Discovery, Groups: svc.Groups, People: people, Posts: posts, Posting: svc.Posting, Reading: svc.Reading, View: svc.View}
	messages := &message.Pages{Composer: composer, Groups: groups, Discovery: svc.Discovery, Posting: svc.Posting, Reading: svc.Reading, View: svc.View}
	people.GroupPage, groups.ChatPage = groups.Group, messages.Chat
	notifications := &notification.Pages{Groups: groups, Notify: svc.Notify, Reading: svc.Reading, Social: svc.Social}
	feeds := &feed.Pages{Reading: svc.Reading, View: svc.View}
	timelines := &timeline.Pages{Announcing: svc.Announcing, Composer: composer, Core: svc.Core, Discovery: svc.Discovery, Feeds: svc.Feeds, Trends: svc.Trends, Identity: svc.Identity, Invites: svc.Invites, Settings: svc.Settings,
		Lists: svc.Lists, Live: svc.Live, People: people, Posts: posts, Posting: svc.Posting, Reading: svc.Reading, Social: svc.Social, Translation: svc.Translation, View: svc.View}
	ranking := &ranking.Pages{Discovery: svc.Discovery, Feeds: svc.Feeds, Lists: svc.Lists, View: svc.View}
	search := &search.Pages{Discovery: svc.Discovery, Outside: svc.Outside, People: people}
	auth := &auth.Pages{Composer: composer, Core: svc.Core, Emails: svc.Emails, Identity: svc.Identity, Settings: svc.Settings, Invites: svc.Invites, Apps: svc.Apps, Moderation: svc.Moderation, Posting: svc.Posting, Security: svc.Security, Uploads: svc.Uploads, View: svc.View, Pages: h}
	account := &account.Pages{Archives: svc.Archives, Emails: svc.Emails, Identity: svc.Identity, Moderation: svc.Moderation, Security: svc.Security, Social: svc.Social}
	settings := &settings.Pages{Core: svc.Core, Discovery: svc.Discovery, Identity: svc.Identity, Lists: svc.Lists, Notify: svc.Notify, Posting: svc.Posting, Push: svc.Push, Reading: svc.Reading, Social: svc.Social}
	instance := &instance.Pages{Announcing: svc.Announcing, Core: svc.Core, Identity: svc.Identity, Settings: svc.Settings, Invites: svc.Invites, Emojis: svc.Emojis, Moderation: svc.Moderation, View: svc.View}
	staff := &admin.Pages{Core: svc.Core, Identity: svc.Identity, Settings: svc.Settings, Moderation: svc.Moderation, Outside: svc.Outside, StepsLeft: instance.StepsLeft}
	h.core, h.view, h.postPages, h.feedPages = svc.Core, svc.View, posts, feeds
	h.site.Outdated = auth.ShowOutdated
	routes = slices.Concat(auth.Routes(), account.Routes(), settings.Routes(), staff.Routes(), instance.Routes(), timelines.Routes(), ranking.Routes(), composer.Routes(), groups.Routes(),
		messages.Routes(), notifications.Routes(), people.Routes(), search.Routes(), []page.Route{
			{Pattern: paths.Manifest, Get: manifest}, {Pattern: paths.ServiceWorker, Get: worker}, {Pattern: paths.Offline, Get: offline}, {Pattern: paths.TouchIcon, Get: touchIcon},
			{Pattern: paths.Robots, Get: h.robots}, {Pattern: paths.Favicon, Get: favicon}, {Pattern: paths.HostMeta, Get: hostMeta}, {Pattern: paths.ChangePassword, Get: whereToChangePassword},
			{Pattern: paths.SecurityText, Get: securityContact}, {Pattern: "/", Get: h.elsewhere},
		})
	return routes, personRoutes(people, posts, timelines, composer)
}

// ServeHTTP routes paths that need more than the patterns of the mux: files, feeds, Mastodon's
// paths and paths that begin with "/@".
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, assets.Prefix) && page.ServeFound(w, r):
	case strings.HasPrefix(r.URL.Path, "/tags/") && paths.FeedExt(r.URL.Path) != "":
		h.site.Serve(h.feedPages.TagRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, paths.AvatarPrefix) && serveAvatar(w, r):
	case isMastodonPath(r.URL.Path):
		h.unknown.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@") && paths.FeedExt(r.URL.Path) != "":
		h.site.Serve(h.feedPages.PersonRoute(r.URL.Path)).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/@"):
		h.person[h.personPattern(r.URL.Path)].ServeHTTP(w, r)
	default:
		h.mux.ServeHTTP(w, r)
	}
}
