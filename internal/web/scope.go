package web

import (
	"slices"
	"strings"
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

// scopeInWords explains a scope. https://docs.joinmastodon.org/api/oauth-scopes/
func scopeInWords(scope string) string {
	switch scope {
	case "read":
		return "Read everything you can read: timelines, private statuses, lists, notifications"
	case "write":
		return "Act for you: post, delete, favourite, follow, change your profile and lists"
	case "follow":
		return "See and change whom you follow, mute and block"
	case "push":
		return "Send you notifications while it is closed"
	case "profile":
		return "See your name and profile, and nothing else"
	case "admin:read":
		return "Read everything that administrators can read"
	case "admin:write":
		return "Act as an administrator"
	}
	if what, ok := strings.CutPrefix(scope, "admin:read:"); ok {
		return "As an administrator, read " + plain(what)
	}
	if what, ok := strings.CutPrefix(scope, "admin:write:"); ok {
		return "As an administrator, change " + plain(what)
	}
	verb, what, _ := strings.Cut(scope, ":")
	return narrowScope(verb, what)
}

// narrowScope explains "read:..." and "write:...".
func narrowScope(verb, what string) string {
	switch verb + ":" + what {
	case "read:accounts":
		return "See people's profiles, and yours"
	case "read:me":
		return "See your own profile"
	case "read:statuses":
		return "Read statuses, private ones too"
	case "read:search":
		return "Search as you"
	case "write:accounts":
		return "Change your profile"
	case "write:statuses":
		return "Post and delete statuses as you"
	case "write:media":
		return "Upload pictures and other files as you"
	case "write:reports":
		return "Report people to the moderators as you"
	case "read:follows":
		return "See whom you follow"
	case "write:follows":
		return "Follow and unfollow people as you"
	}
	switch verb {
	case "read":
		return "See your " + plain(what)
	case "write":
		return "Change your " + plain(what)
	}
	return "Use the permission “" + verb + "”"
}

// plain turns a word of a scope into words.
func plain(what string) string { return strings.ReplaceAll(what, "_", " ") }
