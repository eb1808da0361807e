package mastodon

import (
	"context"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// clientApp is an app with the key of the installation, by which push services know it.
func (a *API) clientApp(ctx context.Context, v *linnet.App) (wire.Application, error) {
	key, err := a.svc.Push.PublicKey(ctx)
	return wire.ApplicationOf(v, key), err
}

func (a *API) createApp(r *request.Request) (any, error) {
	req := linnet.AppRequest{
		Name: r.In.String("client_name"), Website: r.In.String("website"),
		RedirectURIs: redirectURIs(r.In), Scopes: strings.Fields(r.In.String("scopes")),
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if len(req.Scopes) == 0 {
		req.Scopes = []string{"read"}
	}
	v, secret, err := a.svc.Identity.RegisterApp(r.Context(), req)
	if err != nil {
		return nil, err
	}
	app, err := a.clientApp(r.Context(), &v)
	return wire.CredentialApplication{Application: app, ClientID: v.ClientID, ClientSecret: secret}, err
}

// redirectURIs reads a text with one URI a line, or a list.
func redirectURIs(in *request.Input) []string {
	var uris []string
	for _, text := range in.Strings("redirect_uris") {
		uris = append(uris, strings.Fields(text)...)
	}
	return uris
}

func (a *API) verifyApp(r *request.Request) (any, error) {
	v, err := a.svc.Identity.AppByID(r.Context(), r.Session.App)
	if err != nil {
		return nil, err
	}
	return a.clientApp(r.Context(), &v)
}
