package oauth

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/notify"
	"linnet/internal/view"
)

// Handler handles apps, tokens and the userinfo document.
// https://docs.joinmastodon.org/methods/oauth/
type Handler struct {
	base string // public URL, no trailing slash
	srv  *request.Server
	enc  *wire.Encoder
	view *view.Service
	apps *identity.Apps
	push *notify.Pusher
}

// New returns a Handler for a server with a public URL.
func New(base string, srv *request.Server, enc *wire.Encoder, v *view.Service, a *identity.Apps, p *notify.Pusher) *Handler {
	return &Handler{base: base, srv: srv, enc: enc, view: v, apps: a, push: p}
}

// Routes returns the routes of apps and tokens.
func (h *Handler) Routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/apps", request.Open(), h.createApp).Limited(core.RateApps),
		request.Handle("GET /api/v1/apps/verify_credentials", request.Verifying(), h.verifyApp),
		request.Handle("POST /oauth/token", request.Open(), h.issueToken),
		request.Handle("POST /oauth/revoke", request.Open(), h.revokeToken),
		request.Handle("GET /oauth/userinfo", request.User("read:accounts profile"), h.userInfo),
	}
}

// application returns an app with the public key for Web Push.
func (h *Handler) application(ctx context.Context, v *linnet.App) (wire.Application, error) {
	key, err := h.push.PublicKey(ctx)
	return wire.ApplicationOf(v, key), err
}

func (h *Handler) createApp(r *request.Request) (any, error) {
	var uris []string
	for _, text := range r.In.Strings("redirect_uris") {
		uris = append(uris, strings.Fields(text)...)
	}
	req := linnet.AppRequest{
		Name: r.In.String("client_name"), Website: r.In.String("website"),
		RedirectURIs: uris, Scopes: strings.Fields(r.In.String("scopes")),
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if len(req.Scopes) == 0 {
		req.Scopes = []string{"read"}
	}
	v, secret, err := h.apps.Register(r.Context(), req)
	if err != nil {
		return nil, err
	}
	app, err := h.application(r.Context(), &v)
	return wire.CredentialApplication{Application: app, ClientID: v.ClientID, ClientSecret: secret}, err
}

func (h *Handler) verifyApp(r *request.Request) (any, error) {
	v, err := h.apps.ByID(r.Context(), r.Session.App)
	if err != nil {
		return nil, err
	}
	return h.application(r.Context(), &v)
}

// clientCredentials returns the id and secret of the client, from HTTP Basic or the parameters. In
// Basic both are urlencoded (RFC 6749 section 2.3.1).
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

// issueToken handles the token endpoint (RFC 6749 sections 4.1.3 and 4.4.2). The password grant is
// not supported.
func (h *Handler) issueToken(r *request.Request) (any, error) {
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
		t, err := h.apps.Exchange(h.srv.WithVisitor(r), x)
		return tokenOr(t, err, "invalid_grant")
	case "client_credentials":
		if len(scopes) == 0 {
			scopes = []string{"read"}
		}
		t, err := h.apps.ClientToken(r.Context(), id, secret, scopes)
		return tokenOr(t, err, "invalid_scope")
	case "":
		return nil, oauthError("invalid_request", "Missing required parameter: grant_type.")
	}
	return nil, oauthError("unsupported_grant_type", "The authorization grant type is not supported by the authorization server.")
}

// tokenOr returns a token, or the OAuth error for err.
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

// descriptions returns Doorkeeper's text of an error, which clients look for.
func descriptions(code string) string {
	if code == "invalid_scope" {
		return "The requested scope is invalid, unknown, or malformed."
	}
	return "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI " +
		"used in the authorization request, or was issued to another client."
}

// oauthError returns an error of RFC 6749 section 5.2.
func oauthError(code, description string) error {
	return &request.Problem{Code: http.StatusBadRequest, Body: request.ErrorBody{Error: code, Description: description}}
}

// errClient returns the error for wrong client credentials. Elk registers again when it reads
// "Client authentication failed".
func errClient() error {
	return &request.Problem{Code: http.StatusUnauthorized, Challenge: `Basic realm="Linnet"`,
		Body: request.ErrorBody{Error: "invalid_client", Description: "Client authentication failed due to unknown client, " +
			"no client authentication included, or unsupported authentication method."}}
}

// revokeToken revokes a token. An unknown token is not an error (RFC 7009 section 2.2).
func (h *Handler) revokeToken(r *request.Request) (any, error) {
	id, secret := clientCredentials(r)
	token := r.In.String("token")
	if err := r.In.Err(); err != nil {
		return nil, oauthError("invalid_request", err.Error())
	}
	err := h.apps.Revoke(h.srv.WithVisitor(r), id, secret, token)
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

func (h *Handler) userInfo(r *request.Request) (any, error) {
	v, err := h.view.User(r.Context(), r.Viewer(), r.Viewer())
	if err != nil {
		return nil, err
	}
	as := h.enc.Account(&v)
	return wire.UserInfo{Issuer: h.base + "/", Subject: as.URL, Name: v.Name, PreferredUsername: v.Login, Profile: as.URL, Picture: as.Avatar}, nil
}
