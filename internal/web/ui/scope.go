package ui

import (
	"slices"
	"strings"

	"linnet/internal/locale"
)

// Power is a permission that an app requests, in words.
type Power struct {
	Scope string
	Words string
	Grave bool // highlighted as risky
}

// Powers describes scopes in words, without duplicates, the widest first.
func Powers(scopes []string) []Power {
	var ps []Power
	for _, s := range scopes {
		p := Power{Scope: s, Words: scopeInWords(s), Grave: strings.HasPrefix(s, "admin:")}
		if !slices.Contains(ps, p) {
			ps = append(ps, p)
		}
	}
	slices.SortStableFunc(ps, func(a, b Power) int {
		return strings.Count(a.Scope, ":") - strings.Count(b.Scope, ":")
	})
	return ps
}

// scopeWords describes scopes in English. https://docs.joinmastodon.org/api/oauth-scopes/
var scopeWords = map[string]string{
	"read":                               locale.Mark("Read everything you can see, including followers-only posts, direct messages, lists and notifications"),
	"write":                              locale.Mark("Act on your behalf: post, send messages, delete, favourite, follow, change your profile and lists"),
	"follow":                             locale.Mark("See and change your follows, mutes and blocks"),
	"push":                               locale.Mark("Send you push notifications"),
	"profile":                            locale.Mark("See your name and profile only"),
	"admin:read":                         locale.Mark("Read everything administrators can see"),
	"admin:write":                        locale.Mark("Perform all administrator actions"),
	"read:accounts":                      locale.Mark("See people's profiles, including yours"),
	"read:blocks":                        locale.Mark("See your blocks"),
	"read:bookmarks":                     locale.Mark("See your bookmarks"),
	"read:collections":                   locale.Mark("See your collections"),
	"read:favourites":                    locale.Mark("See your favourites"),
	"read:filters":                       locale.Mark("See your filters"),
	"read:follows":                       locale.Mark("See your follows"),
	"read:groups":                        locale.Mark("See your groups"),
	"read:lists":                         locale.Mark("See your lists"),
	"read:mutes":                         locale.Mark("See your mutes"),
	"read:notifications":                 locale.Mark("See your notifications"),
	"read:search":                        locale.Mark("Search on your behalf"),
	"read:statuses":                      locale.Mark("Read all posts you can see, including followers-only posts and direct messages"),
	"read:me":                            locale.Mark("See your profile"),
	"write:accounts":                     locale.Mark("Change your profile"),
	"write:blocks":                       locale.Mark("Change your blocks"),
	"write:bookmarks":                    locale.Mark("Change your bookmarks"),
	"write:collections":                  locale.Mark("Change your collections"),
	"write:conversations":                locale.Mark("Change your conversations"),
	"write:favourites":                   locale.Mark("Change your favourites"),
	"write:filters":                      locale.Mark("Change your filters"),
	"write:follows":                      locale.Mark("Follow and unfollow people"),
	"write:groups":                       locale.Mark("Change your groups"),
	"write:lists":                        locale.Mark("Change your lists"),
	"write:media":                        locale.Mark("Upload media"),
	"write:mutes":                        locale.Mark("Change your mutes"),
	"write:notifications":                locale.Mark("Change your notifications"),
	"write:reports":                      locale.Mark("Report people to the moderators"),
	"write:statuses":                     locale.Mark("Publish and delete posts"),
	"admin:read:accounts":                locale.Mark("Read all accounts (administrator)"),
	"admin:read:reports":                 locale.Mark("Read all reports (administrator)"),
	"admin:read:domain_allows":           locale.Mark("Read all domain allows (administrator)"),
	"admin:read:domain_blocks":           locale.Mark("Read all domain blocks (administrator)"),
	"admin:read:ip_blocks":               locale.Mark("Read all IP blocks (administrator)"),
	"admin:read:email_domain_blocks":     locale.Mark("Read all e-mail domain blocks (administrator)"),
	"admin:read:canonical_email_blocks":  locale.Mark("Read all canonical e-mail blocks (administrator)"),
	"admin:write:accounts":               locale.Mark("Moderate accounts (administrator)"),
	"admin:write:reports":                locale.Mark("Handle reports (administrator)"),
	"admin:write:domain_allows":          locale.Mark("Change domain allows (administrator)"),
	"admin:write:domain_blocks":          locale.Mark("Change domain blocks (administrator)"),
	"admin:write:ip_blocks":              locale.Mark("Change IP blocks (administrator)"),
	"admin:write:email_domain_blocks":    locale.Mark("Change e-mail domain blocks (administrator)"),
	"admin:write:canonical_email_blocks": locale.Mark("Change canonical e-mail blocks (administrator)"),
}

// scopeInWords describes a scope in English.
func scopeInWords(scope string) string {
	if words, ok := scopeWords[scope]; ok {
		return words
	}
	return "Use the permission “" + scope + "”"
}
