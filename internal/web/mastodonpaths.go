package web

import (
	"net/url"
	"path"
	"strings"
	"sync"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// mastodonPath maps a path of Mastodon's web pages to our path for the same page. In both, {name}
// is a segment and {rest...} all following segments.
type mastodonPath struct {
	from, to string
	find     func(h *handler, c *page.Context, vars map[string]string) (string, error) // determines the path instead of to
}

// mastodonPaths returns paths that apps, share buttons and old links open. The first match applies.
// No path matches two patterns of the same group.
// https://github.com/mastodon/mastodon/blob/main/config/routes.rb
func mastodonPaths() []mastodonPath {
	var all []mastodonPath
	for _, group := range []map[string]string{
		// public pages
		{
			"/home": "/", "/getting-started": "/", "/getting-started-misc": "/", "/keyboard-shortcuts": "/", "/start": "/", "/start/{rest...}": "/", "/overview": "/", "/overview/about": "/about",
			"/public": "/local", "/public/local": "/local", "/public/remote": "/local", "/explore/{rest...}": "/explore", "/directory": "/explore", "/publish": paths.Compose, "/statuses/new": paths.Compose,
			"/conversations": paths.Messages, "/notifications_v2": paths.Notifications, "/notifications_v2/{rest...}": paths.Notifications, "/notifications/requests/{id}": "/notifications/requests", "/followed_tags": paths.FollowedTags,
			"/follow_requests": "/requests", "/blocks": "/settings/blocks", "/domain_blocks": "/settings/blocks", "/mutes": "/settings/mutes", "/links/{rest...}": "/explore",
			"/timelines/home": "/", "/timelines/public": "/local", "/timelines/public/local": "/local", "/timelines/direct": paths.Messages, "/timelines/tag/{tag}": "/tags/{tag}", "/timelines/list/{id}": "/lists/{id}",
			"/about/more": "/about", "/terms-of-service": paths.Terms, "/terms-of-service/{day}": paths.Terms + "/{day}", "/manifest": paths.Manifest, "/manifest.json": paths.Manifest,
			"/users/{login}/followers": "/@{login}/followers", "/users/{login}/following": "/@{login}/following", "/users/{login}/remote_follow": "/@{login}", "/users/{login}/with_replies": "/@{login}/replies", "/users/{login}/media": "/@{login}/media",
			"/users/{login}/statuses/{id}/activity": "/@{login}/{id}", "/users/{login}/statuses/{id}/embed": "/@{login}/{id}/embed", "/users/{login}/updates/{id}": "/@{login}/{id}",
			"/{@login}/with_replies": "/{@login}/replies", "/{@login}/{id}/reblogs": "/{@login}/{id}/boosts", "/relationships": "/", "/remote_interaction_helper": "/login",
		},
		// sign-up and login
		{
			"/auth/sign_in": "/login", "/auth/sign_up": "/signup", "/auth": "/signup", "/auth/edit": paths.Security, "/auth/setup": paths.Email, "/auth/cancel": paths.DeleteAccount, "/auth/sign_out": "/login",
			"/auth/password/new": paths.Forgot, "/auth/password/edit": paths.Forgot, "/auth/confirmation/new": paths.Correct, "/auth/confirmation": paths.Correct,
			"/invites": paths.Invites, "/filters": paths.Filters, "/filters/new": paths.Filters + "/new", "/filters/{id}/edit": paths.Filters + "/{id}", "/filters/{id}/statuses": paths.Filters + "/{id}",
			"/oauth/authorized_applications": "/settings/apps", "/statuses_cleanup": paths.OldPosts, "/severed_relationships": "/", "/disputes/strikes": paths.Strikes, "/disputes/strikes/{id}": paths.Strikes,
		},
		// settings
		{
			"/settings/preferences": "/settings/appearance", "/settings/preferences/appearance": "/settings/appearance", "/settings/preferences/notifications": "/settings/notifications",
			"/settings/preferences/other": "/settings/profile", "/settings/preferences/posting_defaults": "/settings/profile", "/settings/privacy": "/settings/profile", "/settings/verification": "/settings/profile",
			"/settings/applications": "/settings/apps", "/settings/applications/{rest...}": "/settings/apps", "/settings/import": paths.Imports, "/settings/exports/{rest...}": paths.Export,
			"/settings/two_factor_authentication_methods": paths.TwoFactor, "/settings/otp_authentication": paths.TwoFactor, "/settings/two_factor_authentication": paths.TwoFactor, "/settings/two_factor_authentication/{rest...}": paths.TwoFactor,
			"/settings/security_keys": paths.Security, "/settings/security_keys/new": paths.Security, "/settings/login_activities": paths.SecurityLog, "/settings/featured_tags": paths.FeaturedTags,
			"/settings/migration": paths.Export, "/settings/migration/{rest...}": paths.Export, "/settings/aliases": paths.Imports, "/settings/statuses_cleanup": paths.OldPosts,
		},
		// moderation and administration
		{
			"/admin/dashboard": paths.AdminOverview, "/admin/accounts": paths.AdminUsers, "/admin/pending_accounts": paths.AdminUsers, "/admin/accounts/{id}/{rest...}": paths.AdminUsers, "/admin/action_logs": "/admin/audit", "/admin/custom_emojis": paths.AdminEmoji, "/admin/custom_emojis/new": paths.AdminEmoji,
			"/admin/email_domain_blocks": paths.AdminSignUpBlocks, "/admin/email_domain_blocks/new": paths.AdminSignUpBlocks, "/admin/ip_blocks": paths.AdminSignUpBlocks, "/admin/ip_blocks/new": paths.AdminSignUpBlocks, "/admin/username_blocks": paths.AdminSignUpBlocks,
			"/admin/domain_blocks/new": paths.AdminOverview, "/admin/domain_allows/new": paths.AdminOverview, "/admin/instances": paths.AdminOverview, "/admin/instances/{rest...}": paths.AdminOverview, "/admin/relays": paths.AdminOverview, "/admin/webhooks": paths.AdminOverview, "/admin/software_updates": paths.AdminHealth,
			"/admin/rules": paths.AdminSettings + "/rules", "/admin/rules/{rest...}": paths.AdminSettings + "/rules", "/admin/warning_presets": paths.AdminReports, "/admin/terms_of_service": paths.AdminTerms, "/admin/terms_of_service/{rest...}": paths.AdminTerms,
			"/admin/settings/edit": paths.AdminSettings, "/admin/settings/branding": paths.AdminSettings, "/admin/settings/about": paths.AdminSettings + "/rules", "/admin/settings/registrations": paths.AdminSettings + "/signup", "/admin/settings/discovery": paths.AdminSettings + "/posts",
			"/admin/settings/appearance": paths.AdminSettings + "/look", "/admin/settings/content_retention": paths.AdminSettings + "/posts", "/admin/roles/new": paths.AdminRoles, "/admin/roles/{id}/edit": paths.AdminRoles + "/{id}", "/admin/announcements/new": paths.AdminAnnouncements, "/admin/announcements/{id}/edit": paths.AdminAnnouncements + "/{id}",
			"/admin/trends/{rest...}": "/explore", "/admin/tags": "/explore", "/admin/tags/{rest...}": "/explore", "/admin/follow_recommendations": "/explore", "/admin/disputes/{rest...}": paths.AdminStrikes, "/sidekiq": "/admin/tasks", "/sidekiq/{rest...}": "/admin/tasks", "/pghero": paths.AdminStore,
		},
	} {
		for from, to := range group {
			all = append(all, mastodonPath{from: from, to: to})
		}
	}
	return append(all, []mastodonPath{
		{from: "/share", find: (*handler).sharePath}, {from: "/intent", find: (*handler).intentPath},
		{from: "/authorize_interaction", find: (*handler).interactionPath}, {from: "/authorize_follow", find: (*handler).interactionPath},
		{from: "/statuses/{id}", find: (*handler).statusPath}, {from: "/interact/{id}", find: (*handler).statusPath}, {from: "/redirect/statuses/{id}", find: (*handler).statusPath},
		{from: "/accounts/{id}", find: (*handler).accountPath}, {from: "/redirect/accounts/{id}", find: (*handler).accountPath},
		{from: "/admin/accounts/{id}", find: (*handler).staffAccountPath},
		{from: "/pinned", find: (*handler).ownProfilePath}, {from: "/profile/{rest...}", to: "/settings/profile"}, {from: "/profile", to: "/settings/profile"},
		{from: "/web", to: "/"}, {from: "/web/{rest...}", to: "/{rest...}"}, {from: "/deck", to: "/"}, {from: "/deck/{rest...}", to: "/{rest...}"},
	}...)
}

// literalPaths returns the set of paths without placeholders.
var literalPaths = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, m := range mastodonPaths() {
		if !strings.Contains(m.from, "{") {
			all[m.from] = true
		}
	}
	return all
})

// isMastodonPath reports whether a path is a literal path of Mastodon. It takes precedence over our
// own patterns with placeholders.
func isMastodonPath(p string) bool { return literalPaths()[strings.TrimSuffix(p, "/")] }

// elsewhere redirects a path of Mastodon to ours. All other paths return 404.
func (h *handler) elsewhere(c *page.Context) error {
	for _, m := range mastodonPaths() {
		vars, ok := matchPath(m.from, c.Request.URL.Path)
		if !ok {
			continue
		}
		to := fillPath(m.to, vars)
		if m.find != nil {
			var err error
			if to, err = m.find(h, c, vars); err != nil {
				return err
			}
		}
		if to == c.Request.URL.Path {
			break
		}
		return c.Redirect(to)
	}
	return page.NotFound()
}

// matchPath returns the values of the placeholders of a pattern.
func matchPath(pattern, p string) (vars map[string]string, ok bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(strings.TrimSuffix(p, "/"), "/")
	vars = map[string]string{}
	for i, w := range want {
		switch {
		case i >= len(have):
			return nil, false
		case w == "{rest...}":
			vars[w] = strings.Join(have[i:], "/")
			return vars, vars[w] != ""
		case strings.HasPrefix(w, "{"):
			vars[w] = have[i]
			ok = have[i] != "" && (w != "{@login}" || have[i][0] == '@')
		default:
			ok = w == have[i]
		}
		if !ok {
			return nil, false
		}
	}
	return vars, len(want) == len(have)
}

// fillPath puts values into a path. The result is always a path of this server.
func fillPath(to string, vars map[string]string) string {
	for name, value := range vars {
		to = strings.ReplaceAll(to, name, value)
	}
	u := url.URL{Path: path.Clean("/" + to)}
	return u.EscapedPath()
}

// sharePath returns the path of the composer, filled in from the parameters of a share button, or
// of an app that shares with the installed app.
func (h *handler) sharePath(c *page.Context, _ map[string]string) (string, error) {
	return shareOf(c.Request.URL.Query()), nil
}

func shareOf(q url.Values) string {
	var parts []string
	for _, name := range []string{"title", "text", "url"} {
		s := strings.TrimSpace(q.Get(name))
		if s == "" || name != "text" && strings.Contains(q.Get("text"), s) {
			continue // some apps repeat the title or the link in the text
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return paths.Compose
	}
	return paths.Compose + "?" + url.Values{"text": {strings.Join(parts, " ")}}.Encode()
}

// intentPath resolves an address with the scheme web+mastodon.
func (h *handler) intentPath(c *page.Context, _ map[string]string) (string, error) {
	u, err := url.Parse(c.Request.URL.Query().Get("uri"))
	if err != nil || u.Scheme != "web+mastodon" {
		return "", page.NotFound()
	}
	switch u.Host {
	case "share":
		return shareOf(u.Query()), nil
	case "follow":
		return h.named(c, u.Query().Get("uri")), nil
	}
	return "", page.NotFound()
}

// interactionPath returns the path of the account or post that another site's follow button names.
func (h *handler) interactionPath(c *page.Context, _ map[string]string) (string, error) {
	q := c.Request.URL.Query()
	name := q.Get("uri")
	if name == "" {
		name = q.Get("acct")
	}
	if strings.TrimSpace(name) == "" {
		return "", page.NotFound()
	}
	return h.named(c, name), nil
}

// named returns the path of the account or post that an address or handle names. Unknown names
// become a search.
func (h *handler) named(c *page.Context, name string) string {
	if login, status, ok := h.core.LocalAddress(name); ok {
		if status != 0 {
			return fillPath("/@"+login+"/"+status.String(), nil)
		}
		return fillPath("/@"+login, nil)
	}
	if login, ok := h.core.LocalLogin(strings.TrimPrefix(strings.TrimSpace(name), "acct:")); ok {
		return fillPath("/@"+login, nil)
	}
	return "/search?" + url.Values{"q": {strings.TrimPrefix(name, "acct:")}}.Encode()
}

// statusPath returns the path of the post with the given id.
func (h *handler) statusPath(c *page.Context, vars map[string]string) (string, error) {
	st, err := h.postPages.StatusNamed(c, vars["{id}"])
	if err != nil {
		return "", err
	}
	return fillPath("/@"+st.By.Login+"/"+st.ID.String(), nil), nil
}

func (h *handler) accountPath(c *page.Context, vars map[string]string) (string, error) {
	return h.accountBelow(c, "/@", vars)
}

func (h *handler) staffAccountPath(c *page.Context, vars map[string]string) (string, error) {
	return h.accountBelow(c, "/admin/users/", vars)
}

// accountBelow returns prefix followed by the login of the account with the given id.
func (h *handler) accountBelow(c *page.Context, prefix string, vars map[string]string) (string, error) {
	id, ok := linnet.ParseID(vars["{id}"])
	if !ok {
		return "", page.NotFound()
	}
	who, err := h.view.User(c.Request.Context(), c.Viewer(), id)
	if err != nil {
		return "", page.OrNotFound(err, "look up an account")
	}
	return fillPath(prefix+who.Login, nil), nil
}

func (h *handler) ownProfilePath(c *page.Context, _ map[string]string) (string, error) {
	if c.Me == nil {
		return "/login?" + url.Values{"next": {c.Request.URL.Path}}.Encode(), nil
	}
	return fillPath("/@"+c.Me.Login, nil), nil
}
