package request

import (
	"context"
	"net/http"
	"strings"

	"linnet/internal/linnet"
)

// SentToken returns the token of the Authorization header, else the query parameter, else "" (RFC 6750
// sections 2.1 and 2.3). Queries are never logged.
func SentToken(r *http.Request) string {
	if token := bearer(r); token != "" || !strings.Contains(r.URL.RawQuery, tokenParam+"=") {
		return token
	}
	return r.URL.Query().Get(tokenParam)
}

// tokenParam is the parameter that contains a token, for clients that cannot set headers.
const tokenParam = "access_token"

// bearer returns the token of the Authorization header. It returns "" for a blank header and for
// other schemes, which a reverse proxy may require.
func bearer(r *http.Request) string {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// Session returns the session of a token. It refuses sessions of users who wait for approval.
func (s *Server) Session(ctx context.Context, token string) (linnet.Session, error) {
	who, err := s.anySession(ctx, token)
	if err == nil && who.Pending {
		err = errPending(&who)
	}
	return who, err
}

// anySession returns the session of a token. It refuses the token of a browser session, which is
// stored in a cookie and has all scopes.
func (s *Server) anySession(ctx context.Context, token string) (linnet.Session, error) {
	who, err := s.identity.Session(ctx, token)
	if err != nil {
		if linnet.KindOf(err) == linnet.Unauthenticated {
			return linnet.Session{}, ErrBadToken()
		}
		return linnet.Session{}, err
	}
	if who.Web {
		return linnet.Session{}, ErrBadToken()
	}
	return who, nil
}

// authorize returns the session of a token if it may call a route with access x. An optional token
// must be valid too, so that clients notice that they were logged out.
func (s *Server) authorize(ctx context.Context, token string, x Access) (linnet.Session, error) {
	if token == "" {
		switch x.Need {
		case memberToken:
			return linnet.Session{}, ErrNoUser()
		case OptionalToken:
			return linnet.Session{}, nil
		}
		return linnet.Session{}, ErrBadToken()
	}
	who, err := s.anySession(ctx, token)
	if err != nil {
		return linnet.Session{}, err
	}
	if who.Pending && !x.pending {
		return who, errPending(&who)
	}
	if !allowsOne(who, x.Scopes) {
		return who, ErrScope(x.Scopes)
	}
	if x.Need == memberToken && who.User == 0 {
		return who, ErrNoUser()
	}
	if x.Need == UserToken && who.User == 0 {
		return who, &Problem{Code: http.StatusUnprocessableEntity,
			Body: ErrorBody{Error: "This method requires an authenticated user"}}
	}
	return who, nil
}

// allowsOne reports whether a session has one of the scopes, which are separated by spaces. An
// empty list allows every session.
func allowsOne(who linnet.Session, scopes string) bool {
	if scopes == "" {
		return true
	}
	for scope := range strings.FieldsSeq(scopes) {
		if who.Allows(scope) {
			return true
		}
	}
	return false
}

// errPending returns Mastodon's error for users who wait for approval or have not confirmed their
// address. Clients poll verify_credentials until it disappears.
func errPending(who *linnet.Session) error {
	if who.Unconfirmed {
		return linnet.Errorf(linnet.Forbidden, "Your login is missing a confirmed e-mail address")
	}
	return linnet.Errorf(linnet.Forbidden, "Your login is currently pending approval")
}

// ErrBadToken returns the error for an invalid token (RFC 6750 section 3.1). It has Doorkeeper's
// text, by which clients recognise it.
func ErrBadToken() error {
	return &Problem{Code: http.StatusUnauthorized, Body: ErrorBody{Error: "The access token is invalid"},
		Challenge: `Bearer realm="Linnet", error="invalid_token", error_description="The access token is invalid"`}
}

// ErrScope returns the error for a session without one of the scopes (RFC 6750 section 3.1).
func ErrScope(scopes string) error {
	return &Problem{Code: http.StatusForbidden, Body: ErrorBody{Error: "This action is outside the authorized scopes"},
		Challenge: `Bearer realm="Linnet", error="insufficient_scope", scope="` + scopes + `"`}
}

// ErrNoUser returns the error for a private server that requires a user, with Mastodon's text.
func ErrNoUser() error {
	return &Problem{Code: http.StatusUnauthorized, Challenge: `Bearer realm="Linnet"`,
		Body: ErrorBody{Error: "This method requires an authenticated user"}}
}
