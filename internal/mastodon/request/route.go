package request

import (
	"linnet/internal/core"
)

// need says who may call a route.
type Need uint8

const (
	IgnoreToken   Need = iota // a token is not even looked at
	OptionalToken             // without a token; one that is sent must be good
	AnyToken                  // any good token, also an app's own
	UserToken                 // a token of a user
	memberToken               // the same, of a route that is for everybody unless the installation is private
)

// access is what a route asks of its caller: a token of a kind with one of the
// scopes (separated by blanks).
type Access struct {
	Need   Need
	Scopes string

	pending bool // also for whoever waits for approval
	files   bool // it takes files
}

func Open() Access { return Access{Need: IgnoreToken} }

func Anyone(scopes string) Access { return Access{Need: OptionalToken, Scopes: scopes} }

func App(scopes string) Access { return Access{Need: AnyToken, Scopes: scopes} }

func User(scopes string) Access { return Access{Need: UserToken, Scopes: scopes} }

func Verifying() Access { return Access{Need: AnyToken, pending: true} }

func Pending(s string) Access { return Access{Need: UserToken, Scopes: s, pending: true} }

func WithFiles(x Access) Access { x.files = true; return x }

func (x Access) readsToken() bool { return x.Need != IgnoreToken }

// handler answers a request with a value to be sent as JSON. It reads its
// parameters from r.in, and checks r.in.err() before it acts.
type Handler func(r *Request) (any, error)

// route is a line of the route table.
type Route struct {
	Pattern string
	Access  Access
	limit   core.RateClass // beyond the general ones
	Handle  Handler
}

// on returns a route.
func Handle(pattern string, x Access, h Handler) Route {
	return Route{Pattern: pattern, Access: x, limit: core.RateGeneral, Handle: h}
}

// limited returns the route with a limit beyond the general ones.
func (rt Route) Limited(class core.RateClass) Route {
	rt.limit = class
	return rt
}
