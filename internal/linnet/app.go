package linnet

import "time"

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

// AppRequest asks for an app to be registered.
type AppRequest struct {
	Name         string
	Website      string
	RedirectURIs []string
	Scopes       []string
}

// Grant is the wish of an app to act for a user, as brought to the authorize
// page. RFC 6749 section 4.1.1, RFC 7636 section 4.3.
type Grant struct {
	ClientID    string
	RedirectURI string
	Scopes      []string // empty: "read"
	Challenge   string   // PKCE S256 code challenge, or empty
	State       string
}

// CodeExchange turns a code into a token. RFC 6749 section 4.1.3.
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

// Session is who a token or a cookie speaks for. User is 0 for a token that an
// app got for itself (client credentials).
type Session struct {
	ID     string // hash of the token; names the session without being usable
	User   ID
	App    ID
	Client AppName
	Scopes []string
	Web    bool // a browser session, with all permissions

	// Pending reports that a moderator hasn't approved the user yet. Until then the session only
	// returns its own account.
	Pending bool
	// Unconfirmed: they get in by confirming their e-mail address; Pending holds as well.
	Unconfirmed bool
}

// OpenSession is a session as its user sees it in a list.
type OpenSession struct {
	Session
	Created time.Time
	Used    time.Time // a moment within a day before the last use, or later
	Device  string    // browser and system in words, "" if they are not known
	Place   string    // part of the address that it was opened from, likewise
}

// TwoFactor is the state of a user's two-factor log-in.
type TwoFactor struct {
	On       bool
	Recovery int    // codes that are left
	Secret   string // while it waits for its confirmation: base32, for apps without a camera
	URL      string // likewise, otpauth, for apps with one
}

// Passkey is a passkey as its owner sees it.
type Passkey struct {
	ID    string // names it on pages
	Name  string
	Added time.Time
	Used  time.Time // the last log-in by it; zero: none
}

// Allows reports whether the session has a scope, or a wider one that contains
// it: "read" contains "read:statuses", "follow" the relationship scopes.
// https://docs.joinmastodon.org/api/oauth-scopes/
func (s Session) Allows(scope string) bool {
	return s.Web || ScopeWithin(scope, s.Scopes)
}
