package linnet

import (
	"slices"
	"strings"
)

// followScopes are the scopes in the deprecated scope "follow".
var followScopes = [...]string{
	"read:blocks", "write:blocks", "read:follows", "write:follows", "read:mutes", "write:mutes",
}

var readScopes = [...]string{"accounts", "blocks", "bookmarks", "collections", "favourites", "filters", "follows",
	"groups", "lists", "mutes", "notifications", "search", "statuses", "me"}

var writeScopes = [...]string{"accounts", "blocks", "bookmarks", "collections", "conversations", "favourites", "filters",
	"follows", "groups", "lists", "media", "mutes", "notifications", "reports", "statuses"}

// ValidScope reports whether s is a scope that clients can request.
// https://docs.joinmastodon.org/api/oauth-scopes/
func ValidScope(s string) bool {
	switch s {
	case "read", "write", "follow", "push", "profile", "admin:read", "admin:write":
		return true
	}
	if rest, ok := strings.CutPrefix(s, "read:"); ok {
		return slices.Contains(readScopes[:], rest)
	}
	if rest, ok := strings.CutPrefix(s, "write:"); ok {
		return slices.Contains(writeScopes[:], rest)
	}
	if strings.HasPrefix(s, "admin:read:") || strings.HasPrefix(s, "admin:write:") {
		switch s[strings.LastIndexByte(s, ':')+1:] {
		case "accounts", "reports", "domain_allows", "domain_blocks", "ip_blocks", "email_domain_blocks", "canonical_email_blocks":
			return true
		}
	}
	return false
}

// ScopeWithin reports whether scope is one of have or contained in one of them.
func ScopeWithin(scope string, have []string) bool {
	for _, h := range have {
		if h == scope || strings.HasPrefix(scope, h+":") {
			return true
		}
		if h == "follow" && slices.Contains(followScopes[:], scope) {
			return true
		}
	}
	return false
}
