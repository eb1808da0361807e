package web

import (
	"net/url"
	"path"
	"strings"
	"sync"

	"linnet/internal/linnet"
)

// mastodonPath is a path of Mastodon's web pages, with our path for the same page. In both, {name}
// is a segment and {rest...} all following segments.
type mastodonPath struct {
	from, to string
	find     func(h *handler, c *call, vars map[string]string) (string, error) // finds the path instead of to
}

// mastodonPaths are paths that apps, share buttons and old links open. The first that matches
// counts.
// https://github.com/mastodon/mastodon/blob/main/config/routes.rb
func mastodonPaths() []mastodonPath {
	var all []mastodonPath
	for _, group := range []map[string]string{readingPaths(), accountPaths(), settingsPaths(), staffPaths()} {
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

// readingPaths returns the public pages. No two of a group match the same path.
func readingPaths() map[string]string {
	return map[string]string{
		"/home": "/", "/getting-started": "/", "/getting-started-misc": "/", "/keyboard-shortcuts": "/", "/start": "/", "/start/{rest...}": "/", "/overview": "/", "/overview/about": "/about",
		"/public": "/local", "/public/local": "/local", "/public/remote": "/local", "/explore/{rest...}": "/explore", "/directory": "/explore", "/publish": composePath, "/statuses/new": composePath,
		"/conversations": messagesPath, "/notifications_v2": noticesPath, "/notifications_v2/{rest...}": noticesPath, "/notifications/requests/{id}": "/notifications/requests", "/followed_tags": followedTagsPath,
		"/follow_requests": "/requests", "/blocks": "/settings/blocks", "/domain_blocks": "/settings/blocks", "/mutes": "/settings/mutes", "/links/{rest...}": "/explore",
		"/timelines/home": "/", "/timelines/public": "/local", "/timelines/public/local": "/local", "/timelines/direct": messagesPath, "/timelines/tag/{tag}": "/tags/{tag}", "/timelines/list/{id}": "/lists/{id}",
		"/about/more": "/about", "/terms-of-service": termsPath, "/terms-of-service/{day}": termsPath + "/{day}", "/manifest": manifestPath, "/manifest.json": manifestPath,
		"/users/{login}/followers": "/@{login}/followers", "/users/{login}/following": "/@{login}/following", "/users/{login}/remote_follow": "/@{login}", "/users/{login}/with_replies": "/@{login}/replies", "/users/{login}/media": "/@{login}/media",
		"/users/{login}/statuses/{id}/activity": "/@{login}/{id}", "/users/{login}/statuses/{id}/embed": "/@{login}/{id}/embed", "/users/{login}/updates/{id}": "/@{login}/{id}",
		"/{@login}/with_replies": "/{@login}/replies", "/{@login}/{id}/reblogs": "/{@login}/{id}/boosts", "/relationships": "/", "/remote_interaction_helper": "/login",
	}
}

// accountPaths are the pages of signing up and logging in.
func accountPaths() map[string]string {
	return map[string]string{
		"/auth/sign_in": "/login", "/auth/sign_up": "/signup", "/auth": "/signup", "/auth/edit": securityPath, "/auth/setup": emailPath, "/auth/cancel": deletePath, "/auth/sign_out": "/login",
		"/auth/password/new": forgotPath, "/auth/password/edit": forgotPath, "/auth/confirmation/new": correctPath, "/auth/confirmation": correctPath,
		"/invites": ownInvitesPath, "/filters": filtersPath, "/filters/new": filtersPath + "/new", "/filters/{id}/edit": filtersPath + "/{id}", "/filters/{id}/statuses": filtersPath + "/{id}",
		"/oauth/authorized_applications": "/settings/apps", "/statuses_cleanup": oldPostsPath, "/severed_relationships": "/", "/disputes/strikes": securityLogPath, "/disputes/strikes/{id}": securityLogPath,
	}
}

// settingsPaths are the pages of a user's settings.
func settingsPaths() map[string]string {
	return map[string]string{
		"/settings/preferences": "/settings/appearance", "/settings/preferences/appearance": "/settings/appearance", "/settings/preferences/notifications": "/settings/notifications",
		"/settings/preferences/other": "/settings/profile", "/settings/preferences/posting_defaults": "/settings/profile", "/settings/privacy": "/settings/profile", "/settings/verification": "/settings/profile",
		"/settings/applications": "/settings/apps", "/settings/applications/{rest...}": "/settings/apps", "/settings/import": importsPath, "/settings/exports/{rest...}": exportPath,
		"/settings/two_factor_authentication_methods": twoFactorPath, "/settings/otp_authentication": twoFactorPath, "/settings/two_factor_authentication": twoFactorPath, "/settings/two_factor_authentication/{rest...}": twoFactorPath,
		"/settings/security_keys": securityPath, "/settings/security_keys/new": securityPath, "/settings/login_activities": securityLogPath, "/settings/featured_tags": tagsPath,
		"/settings/migration": exportPath, "/settings/migration/{rest...}": exportPath, "/settings/aliases": importsPath, "/settings/statuses_cleanup": oldPostsPath,
	}
}

// staffPaths are the pages of moderation and administration.
func staffPaths() map[string]string {
	return map[string]string{
		"/admin/dashboard": overviewPath, "/admin/accounts": usersPath, "/admin/pending_accounts": usersPath, "/admin/accounts/{id}/{rest...}": usersPath, "/admin/action_logs": "/admin/audit", "/admin/custom_emojis": emojiPath, "/admin/custom_emojis/new": emojiPath,
		"/admin/email_domain_blocks": signUpBlocksPath, "/admin/email_domain_blocks/new": signUpBlocksPath, "/admin/ip_blocks": signUpBlocksPath, "/admin/ip_blocks/new": signUpBlocksPath, "/admin/username_blocks": signUpBlocksPath,
		"/admin/domain_blocks/new": overviewPath, "/admin/domain_allows/new": overviewPath, "/admin/instances": overviewPath, "/admin/instances/{rest...}": overviewPath, "/admin/relays": overviewPath, "/admin/webhooks": overviewPath, "/admin/software_updates": healthPath,
		"/admin/rules": settingsPath + "/rules", "/admin/rules/{rest...}": settingsPath + "/rules", "/admin/warning_presets": reportsPath, "/admin/terms_of_service": adminTermsPath, "/admin/terms_of_service/{rest...}": adminTermsPath,
		"/admin/settings/edit": settingsPath, "/admin/settings/branding": settingsPath, "/admin/settings/about": settingsPath + "/rules", "/admin/settings/registrations": settingsPath + "/signup", "/admin/settings/discovery": settingsPath + "/posts",
		"/admin/settings/appearance": settingsPath + "/look", "/admin/settings/content_retention": settingsPath + "/posts", "/admin/roles/new": rolesPath, "/admin/roles/{id}/edit": rolesPath + "/{id}", "/admin/announcements/new": adminAnnouncementsPath, "/admin/announcements/{id}/edit": adminAnnouncementsPath + "/{id}",
		"/admin/trends/{rest...}": "/explore", "/admin/tags": "/explore", "/admin/tags/{rest...}": "/explore", "/admin/follow_recommendations": "/explore", "/admin/disputes/{rest...}": reportsPath, "/sidekiq": "/admin/tasks", "/sidekiq/{rest...}": "/admin/tasks", "/pghero": storePath,
	}
}

// elsewhereBelowPerson is the pattern of paths below a profile that are no page here.
const elsewhereBelowPerson = "/@{login}/..."

// literalPaths are the paths without placeholders.
var literalPaths = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, m := range mastodonPaths() {
		if !strings.Contains(m.from, "{") {
			all[m.from] = true
		}
	}
	return all
})

// isMastodonPath reports whether a path is a literal one of Mastodon's. It takes precedence over
// our own patterns with placeholders.
func isMastodonPath(p string) bool { return literalPaths()[strings.TrimSuffix(p, "/")] }

// elsewhere redirects a path of Mastodon's to ours. Any other path that reaches it is unknown.
func (h *handler) elsewhere(c *call) error {
	for _, m := range mastodonPaths() {
		vars, ok := matchPath(m.from, c.r.URL.Path)
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
		if to == c.r.URL.Path {
			break
		}
		return c.seeOther(to)
	}
	return errNowhere()
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

// sharePath leads to the composer, filled in from the parameters of a share button.
func (h *handler) sharePath(c *call, _ map[string]string) (string, error) {
	return shareOf(c.r.URL.Query()), nil
}

func shareOf(q url.Values) string {
	var parts []string
	for _, name := range []string{"title", "text", "url"} {
		if s := strings.TrimSpace(q.Get(name)); s != "" {
			parts = append(parts, s)
		}
	}
	return composePath + "?" + url.Values{"text": {strings.Join(parts, " ")}}.Encode()
}

// intentPath opens an address of the scheme web+mastodon.
func (h *handler) intentPath(c *call, _ map[string]string) (string, error) {
	u, err := url.Parse(c.r.URL.Query().Get("uri"))
	if err != nil || u.Scheme != "web+mastodon" {
		return "", errNowhere()
	}
	switch u.Host {
	case "share":
		return shareOf(u.Query()), nil
	case "follow":
		return h.named(c, u.Query().Get("uri")), nil
	}
	return "", errNowhere()
}

// interactionPath opens the account or status that another site's follow button names.
func (h *handler) interactionPath(c *call, _ map[string]string) (string, error) {
	q := c.r.URL.Query()
	name := q.Get("uri")
	if name == "" {
		name = q.Get("acct")
	}
	if strings.TrimSpace(name) == "" {
		return "", errNowhere()
	}
	return h.named(c, name), nil
}

// named returns the page of the account or status that an address or handle names, else a
// search for it.
func (h *handler) named(c *call, name string) string {
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

// statusPath leads to a status that only its id names.
func (h *handler) statusPath(c *call, vars map[string]string) (string, error) {
	st, err := h.postPages.statusNamed(c, vars["{id}"])
	if err != nil {
		return "", err
	}
	return fillPath("/@"+st.By.Login+"/"+st.ID.String(), nil), nil
}

func (h *handler) accountPath(c *call, vars map[string]string) (string, error) {
	return h.accountBelow(c, "/@", vars)
}

func (h *handler) staffAccountPath(c *call, vars map[string]string) (string, error) {
	return h.accountBelow(c, "/admin/users/", vars)
}

// accountBelow is a path that ends in the login of the account that only its id names.
func (h *handler) accountBelow(c *call, prefix string, vars map[string]string) (string, error) {
	id, ok := linnet.ParseID(vars["{id}"])
	if !ok {
		return "", errNowhere()
	}
	who, err := h.view.User(c.r.Context(), c.viewer(), id)
	if err != nil {
		return "", notThere(err, "look up an account")
	}
	return fillPath(prefix+who.Login, nil), nil
}

func (h *handler) ownProfilePath(c *call, _ map[string]string) (string, error) {
	if c.me == nil {
		return "/login?" + url.Values{"next": {c.r.URL.Path}}.Encode(), nil
	}
	return fillPath("/@"+c.me.Login, nil), nil
}
