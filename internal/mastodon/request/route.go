package request

import (
	"linnet/internal/core"
)

// Need is the kind of token that a route requires.
type Need uint8

// The needs of routes, from weak to strong.
const (
	IgnoreToken   Need = iota // tokens are ignored
	OptionalToken             // no token is needed, but one that is sent must be valid
	AnyToken                  // any valid token, also of an app without a user
	UserToken                 // a token of a user
	memberToken               // a user, for a public route of a private server
)

// Access is the access that a route requires: a kind of token with one of the scopes, which are
// separated by spaces.
type Access struct {
	Need   Need
	Scopes string

	pending bool // also for users who wait for approval
	files   bool // the route accepts files
}

// Open returns the access of routes that ignore tokens.
func Open() Access { return Access{Need: IgnoreToken} }

// Anyone returns the access of routes that work without a token. A token must have one of the
// scopes.
func Anyone(scopes string) Access { return Access{Need: OptionalToken, Scopes: scopes} }

// App returns the access of routes that require any token, also one of an app without a user.
func App(scopes string) Access { return Access{Need: AnyToken, Scopes: scopes} }

// User returns the access of routes that require a token of a user.
func User(scopes string) Access { return Access{Need: UserToken, Scopes: scopes} }

// Verifying returns the access of apps that verify their own credentials.
func Verifying() Access { return Access{Need: AnyToken, pending: true} }

// Pending returns the access of users, including users who wait for approval.
func Pending(s string) Access { return Access{Need: UserToken, Scopes: s, pending: true} }

// WithFiles returns x for a route that accepts files.
func WithFiles(x Access) Access { x.files = true; return x }

func (x Access) readsToken() bool { return x.Need != IgnoreToken }

// Handler returns the response to a request, which is sent as JSON. It reads all parameters and
// checks r.In.Err before it acts.
type Handler func(r *Request) (any, error)

// Route is a method and path with the required access and the handler.
type Route struct {
	Pattern string
	Access  Access
	limit   core.RateClass // in addition to the general limits
	Handle  Handler
}

// Handle returns a route of a pattern such as "GET /api/v1/lists".
func Handle(pattern string, x Access, h Handler) Route {
	return Route{Pattern: pattern, Access: x, limit: core.RateGeneral, Handle: h}
}

// Limited returns the route with a rate limit in addition to the general ones.
func (rt Route) Limited(class core.RateClass) Route {
	rt.limit = class
	return rt
}
