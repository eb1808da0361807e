package web

import (
	"slices"
	"strings"

	"linnet/internal/locale"
)

// power is something that an app wants to be able to do, in words.
type power struct {
	Scope string
	Words string
	Grave bool // worth a second thought
}

// powers says in words what a list of scopes allows, each once, the widest first.
func powers(scopes []string) []power {
	var ps []power
	for _, s := range scopes {
		p := power{Scope: s, Words: scopeInWords(s), Grave: strings.HasPrefix(s, "admin:")}
		if !slices.Contains(ps, p) {
			ps = append(ps, p)
		}
	}
	slices.SortStableFunc(ps, func(a, b power) int {
		return strings.Count(a.Scope, ":") - strings.Count(b.Scope, ":")
	})
	return ps
}

// scopeWords explain scopes, in texts that are looked up where they are shown.
// https://docs.joinmastodon.org/api/oauth-scopes/
var scopeWords = map[string]string{
	"read":                               locale.Mark("Read everything you can read: timelines, private statuses, lists, notifications"),
	"write":                              locale.Mark("Act for you: post, delete, favourite, follow, change your profile and lists"),
	"follow":                             locale.Mark("See and change whom you follow, mute and block"),
	"push":                               locale.Mark("Send you notifications while it is closed"),
	"profile":                            locale.Mark("See your name and profile, and nothing else"),
	"admin:read":                         locale.Mark("Read everything that administrators can read"),
	"admin:write":                        locale.Mark("Act as an administrator"),
	"read:accounts":                      locale.Mark("See people's profiles, and yours"),
	"read:blocks":                        locale.Mark("See your blocks"),
	"read:bookmarks":                     locale.Mark("See your bookmarks"),
	"read:collections":                   locale.Mark("See your collections"),
	"read:favourites":                    locale.Mark("See your favourites"),
	"read:filters":                       locale.Mark("See your filters"),
	"read:follows":                       locale.Mark("See whom you follow"),
	"read:groups":                        locale.Mark("See your groups"),
	"read:lists":                         locale.Mark("See your lists"),
	"read:mutes":                         locale.Mark("See your mutes"),
	"read:notifications":                 locale.Mark("See your notifications"),
	"read:search":                        locale.Mark("Search as you"),
	"read:statuses":                      locale.Mark("Read statuses, private ones too"),
	"read:me":                            locale.Mark("See your own profile"),
	"write:accounts":                     locale.Mark("Change your profile"),
	"write:blocks":                       locale.Mark("Change your blocks"),
	"write:bookmarks":                    locale.Mark("Change your bookmarks"),
	"write:collections":                  locale.Mark("Change your collections"),
	"write:conversations":                locale.Mark("Change your conversations"),
	"write:favourites":                   locale.Mark("Change your favourites"),
	"write:filters":                      locale.Mark("Change your filters"),
	"write:follows":                      locale.Mark("Follow and unfollow people as you"),
	"write:groups":                       locale.Mark("Change your groups"),
	"write:lists":                        locale.Mark("Change your lists"),
	"write:media":                        locale.Mark("Upload pictures and other files as you"),
	"write:mutes":                        locale.Mark("Change your mutes"),
	"write:notifications":                locale.Mark("Change your notifications"),
	"write:reports":                      locale.Mark("Report people to the moderators as you"),
	"write:statuses":                     locale.Mark("Post and delete statuses as you"),
	"admin:read:accounts":                locale.Mark("As an administrator, read accounts"),
	"admin:read:reports":                 locale.Mark("As an administrator, read reports"),
	"admin:read:domain_allows":           locale.Mark("As an administrator, read domain allows"),
	"admin:read:domain_blocks":           locale.Mark("As an administrator, read domain blocks"),
	"admin:read:ip_blocks":               locale.Mark("As an administrator, read ip blocks"),
	"admin:read:email_domain_blocks":     locale.Mark("As an administrator, read email domain blocks"),
	"admin:read:canonical_email_blocks":  locale.Mark("As an administrator, read canonical email blocks"),
	"admin:write:accounts":               locale.Mark("As an administrator, change accounts"),
	"admin:write:reports":                locale.Mark("As an administrator, change reports"),
	"admin:write:domain_allows":          locale.Mark("As an administrator, change domain allows"),
	"admin:write:domain_blocks":          locale.Mark("As an administrator, change domain blocks"),
	"admin:write:ip_blocks":              locale.Mark("As an administrator, change ip blocks"),
	"admin:write:email_domain_blocks":    locale.Mark("As an administrator, change email domain blocks"),
	"admin:write:canonical_email_blocks": locale.Mark("As an administrator, change canonical email blocks"),
}

// scopeInWords explains a scope.
func scopeInWords(scope string) string {
	if words, ok := scopeWords[scope]; ok {
		return words
	}
	return "Use the permission “" + scope + "”"
}
