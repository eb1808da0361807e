package mastodon

import (
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// clientCredentials reads who the client is, from HTTP Basic or the parameters.
// RFC 6749 section 2.3.1: in Basic both halves are urlencoded.
func clientCredentials(r *request.Request) (id, secret string) {
	if user, pass, ok := r.BasicAuth(); ok {
		id, err1 := url.QueryUnescape(user)
		secret, err2 := url.QueryUnescape(pass)
		if err1 == nil && err2 == nil {
			return id, secret
		}
	}
	return r.In.String("client_id"), r.In.String("client_secret")
}

// issueToken is the token endpoint. RFC 6749 sections 4.1.3 and 4.4.2; the
// password grant does not exist here.
func (a *API) issueToken(r *request.Request) (any, error) {
	r.SetHeader("Cache-Control", "no-store")
	r.SetHeader("Pragma", "no-cache")
	id, secret := clientCredentials(r)
	grant := r.In.String("grant_type")
	x := linnet.CodeExchange{ClientID: id, ClientSecret: secret, Code: r.In.String("code"),
		RedirectURI: r.In.String("redirect_uri"), Verifier: r.In.String("code_verifier")}
	scopes := strings.Fields(r.In.String("scope"))
	if err := r.In.Err(); err != nil {
		return nil, oauthError("invalid_request", err.Error())
	}
	switch grant {
	case "authorization_code":
		if x.Code == "" {
			return nil, oauthError("invalid_request", "Missing required parameter: code.")
		}
		t, err := a.svc.Identity.Exchange(a.srv.WithVisitor(r), x)
		return tokenOr(t, err, "invalid_grant")
	case "client_credentials":
		if len(scopes) == 0 {
			scopes = []string{"read"}
		}
		t, err := a.svc.Identity.ClientToken(r.Context(), id, secret, scopes)
		return tokenOr(t, err, "invalid_scope")
	case "":
		return nil, oauthError("invalid_request", "Missing required parameter: grant_type.")
	}
	return nil, oauthError("unsupported_grant_type", "The authorization grant type is not supported by the authorization server.")
}

// tokenOr answers with a token, or with the OAuth error that stands for err.
func tokenOr(t linnet.Token, err error, invalid string) (any, error) {
	if err == nil {
		return wire.TokenOf(t), nil
	}
	switch linnet.KindOf(err) {
	case linnet.Unauthenticated:
		return nil, errClient()
	case linnet.Invalid, linnet.NotFound, linnet.Gone, linnet.Conflict, linnet.Forbidden:
		return nil, oauthError(invalid, descriptions(invalid))
	}
	return nil, err
}

// descriptions and errClient use Doorkeeper's words, which clients look for: Elk
// registers anew when it reads "Client authentication failed".
func descriptions(code string) string {
	if code == "invalid_scope" {
		return "The requested scope is invalid, unknown, or malformed."
	}
	return "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI " +
		"used in the authorization request, or was issued to another client."
}

// oauthError is an error of RFC 6749 section 5.2.
func oauthError(code, description string) error {
	return &request.Problem{Code: http.StatusBadRequest, Body: request.ErrorBody{Error: code, Description: description}}
}

func errClient() error {
	return &request.Problem{Code: http.StatusUnauthorized, Challenge: `Basic realm="Linnet"`,
		Body: request.ErrorBody{Error: "invalid_client", Description: "Client authentication failed due to unknown client, " +
			"no client authentication included, or unsupported authentication method."}}
}

// revokeToken ends a token. RFC 7009: one that is unknown already is no fault.
func (a *API) revokeToken(r *request.Request) (any, error) {
	id, secret := clientCredentials(r)
	token := r.In.String("token")
	if err := r.In.Err(); err != nil {
		return nil, oauthError("invalid_request", err.Error())
	}
	err := a.svc.Identity.Revoke(a.srv.WithVisitor(r), id, secret, token)
	switch {
	case err == nil:
		return wire.Empty{}, nil
	case linnet.KindOf(err) == linnet.Unauthenticated:
		return nil, errClient()
	case linnet.KindOf(err) == linnet.Forbidden:
		return nil, &request.Problem{Code: http.StatusForbidden, Body: request.ErrorBody{Error: "unauthorized_client",
			Description: "You are not authorized to revoke this token"}}
	}
	return nil, err
}
