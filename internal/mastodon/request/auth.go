package request

import (
	"context"
	"net/http"
	"strings"

	"linnet/internal/linnet"
)

// sentToken returns the token of the Authorization header, else the one of the query, else
// "". RFC 6750 sections 2.1 and 2.3. Queries are never logged.
func SentToken(r *http.Request) string {
	if token := bearer(r); token != "" || !strings.Contains(r.URL.RawQuery, tokenParam+"=") {
		return token
	}
	return r.URL.Query().Get(tokenParam)
}

// tokenParam is the parameter with a token, for clients that cannot set headers.
const tokenParam = "access_token"

// bearer returns the token of the Authorization header. It is "" if the header is blank or
// has another scheme, which a proxy in front may have asked for.
func bearer(r *http.Request) string {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// session returns who a token speaks for, and refuses who waits for approval.
func (s *Server) Session(ctx context.Context, token string) (linnet.Session, error) {
	who, err := s.anySession(ctx, token)
	if err == nil && who.Pending {
		err = errPending(&who)
	}
	return who, err
}

// anySession returns who a token speaks for. The token of a browser's log-in is
// refused: it is a cookie's, and may do everything.
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

// authorize finds out who is asking and whether they may call a route that
// asks for x. A token that is sent but not needed must be good all the same, so
// that a client learns that it has been logged out.
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

// allowsOne reports whether who has one of the scopes, which are separated by
// blanks; none asked for is always allowed.
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

// errPending is what Mastodon says to those who wait for approval, or have to confirm their
// address: clients ask verify_credentials until it goes.
func errPending(who *linnet.Session) error {
	if who.Unconfirmed {
		return linnet.Errorf(linnet.Forbidden, "Your login is missing a confirmed e-mail address")
	}
	return linnet.Errorf(linnet.Forbidden, "Your login is currently pending approval")
}

// errBadToken and errScope are worded as Doorkeeper words them: clients tell a
// dead token from another fault by these words. RFC 6750 section 3.1.
func ErrBadToken() error {
	return &Problem{Code: http.StatusUnauthorized, Body: ErrorBody{Error: "The access token is invalid"},
		Challenge: `Bearer realm="Linnet", error="invalid_token", error_description="The access token is invalid"`}
}

func ErrScope(scopes string) error {
	return &Problem{Code: http.StatusForbidden, Body: ErrorBody{Error: "This action is outside the authorized scopes"},
		Challenge: `Bearer realm="Linnet", error="insufficient_scope", scope="` + scopes + `"`}
}

// errNobody is worded as Mastodon words it where a server shows nothing without
// a user.
func ErrNoUser() error {
	return &Problem{Code: http.StatusUnauthorized, Challenge: `Bearer realm="Linnet"`,
		Body: ErrorBody{Error: "This method requires an authenticated user"}}
}
