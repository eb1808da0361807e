package linnet

import (
	"slices"
	"strings"
	"time"
)

// App is a registered OAuth client. Its secret is shown once, when registered.
type App struct {
	ID           ID
	ClientID     string
	Name         string
	Website      string
	RedirectURIs []string
	Scopes       []string
	CreatedAt    time.Time
}

// AppRequest is a request to register an app.
type AppRequest struct {
	Name         string
	Website      string
	RedirectURIs []string
	Scopes       []string
}

// Grant is the request of an app to act for a user, on the authorization page. RFC 6749 section
// 4.1.1, RFC 7636 section 4.3.
type Grant struct {
	ClientID    string
	RedirectURI string
	Scopes      []string // empty for "read"
	Challenge   string   // PKCE S256 code challenge, or empty
	State       string
}

// CodeExchange exchanges a code for a token. RFC 6749 section 4.1.3.
type CodeExchange struct {
	ClientID, ClientSecret string
	Code, RedirectURI      string
	Verifier               string
}

// Token is an access token as issued. Its value is shown once.
type Token struct {
	Value     string
	Scopes    []string
	CreatedAt time.Time
}

// Session is the identity of a token or cookie. User is 0 for a token without a user (client
// credentials).
type Session struct {
	ID     string // hash of the token; identifies the session, but can't be used as a token
	User   ID
	App    ID
	Client AppName
	Scopes []string
	Web    bool // a browser session, with all permissions

	// Pending reports that a moderator hasn't approved the user yet. Until then the session only
	// returns its own account.
	Pending bool
	// Unconfirmed reports that the user only has to confirm the e-mail address. Pending is true as
	// well.
	Unconfirmed bool
}

// OpenSession is a session in the user's own list.
type OpenSession struct {
	Session
	Created time.Time
	Used    time.Time // a time at most a day before the last use
	Device  string    // browser and system in words, "" if unknown
	Network string    // part of the address that opened it, "" if unknown
}

// TwoFactor is the state of a user's two-factor login.
type TwoFactor struct {
	On       bool
	Recovery int    // remaining codes
	Secret   string // before the confirmation: base32, for apps without a camera
	URL      string // before the confirmation: otpauth, for apps with a camera
}

// Passkey is a passkey as its owner sees it.
type Passkey struct {
	ID    string // name on pages
	Name  string
	Added time.Time
	Used  time.Time // last login with it; zero for never
}

// Allows reports whether the session has a scope, or a wider one that contains
// it: "read" contains "read:statuses", "follow" the relationship scopes.
// https://docs.joinmastodon.org/api/oauth-scopes/
func (s Session) Allows(scope string) bool {
	return s.Web || ScopeWithin(scope, s.Scopes)
}

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
