package web

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/app"
	"linnet/internal/locale"
	"linnet/internal/web/feed"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// This file exports the few internals that the HTTP tests need.

// IsMastodonPath reports whether a path is a literal path of Mastodon.
var IsMastodonPath = isMastodonPath

// AppManifest is the manifest of the installed app.
type AppManifest = appManifest

// Route is a path pattern with its methods.
type Route struct {
	Pattern            string
	Get, Post, Foreign bool
}

func exported(all []page.Route) []Route {
	out := make([]Route, len(all))
	for i, rt := range all {
		out[i] = Route{Pattern: rt.Pattern, Get: rt.Get != nil, Post: rt.Post != nil, Foreign: rt.Foreign}
	}
	return out
}

// Routes returns the routes of the mux.
func Routes() []Route {
	routes, _ := (&handler{site: &page.Site{}}).build(&app.App{})
	return exported(routes)
}

// AdminRoutes returns the routes of the administration. Invitations are excluded because they
// depend on the settings too.
func AdminRoutes() []Route {
	return slices.DeleteFunc(Routes(), func(r Route) bool {
		return !strings.HasPrefix(r.Pattern, paths.Admin) || strings.HasPrefix(r.Pattern, paths.AdminInvites)
	})
}

// SecurityRoutes returns the routes of the security settings.
func SecurityRoutes() []Route {
	return slices.DeleteFunc(Routes(), func(r Route) bool {
		switch r.Pattern {
		case "/settings/password", "/settings/sessions", "/settings/sessions/others", paths.TwoFactor, paths.DeleteAccount:
			return false
		}
		return !strings.HasPrefix(r.Pattern, paths.Security) && !strings.HasPrefix(r.Pattern, paths.TwoFactor+"/")
	})
}

// AllRoutes returns all routes, including profiles and feeds.
func AllRoutes() []Route {
	all, person := (&handler{site: &page.Site{}}).build(&app.App{})
	all = append(person, all...)
	feeds := &feed.Pages{}
	for _, f := range paths.FeedFormats() {
		all = append(all, feeds.PersonRoute("/@x"+f.Ext), feeds.TagRoute("/tags/x"+f.Ext))
	}
	return exported(all)
}

// MastodonPaths returns the path patterns of Mastodon's web pages that redirect to ours.
func MastodonPaths() (all []string) {
	for _, m := range mastodonPaths() {
		all = append(all, m.from)
	}
	return all
}

// WithLanguage returns options with a fixed language for all pages.
func WithLanguage(o page.Options, l *locale.Language) page.Options {
	o.Lang = l
	return o
}

// WithPage returns a handler with a single page at /x, which responds with the error of get. It
// logs to log.
func WithPage(all http.Handler, log *slog.Logger, get func(context.Context) error) http.Handler {
	h := *all.(*handler)
	h.site.Opts.Log = log
	h.mux = http.NewServeMux()
	h.mux.Handle("/x", h.site.Serve(page.Route{Pattern: "/x", Get: func(c *page.Context) error { return get(c.Request.Context()) }}))
	return &h
}
