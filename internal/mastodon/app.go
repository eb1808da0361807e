package mastodon

import (
	"context"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// clientApp is an app with the key of the installation, by which push services know it.
func (a *API) clientApp(ctx context.Context, v *linnet.App) (wire.Application, error) {
	key, err := a.svc.Push.PublicKey(ctx)
	return wire.ApplicationOf(v, key), err
}

func (a *API) createApp(r *request) (any, error) {
	req := linnet.AppRequest{
		Name: r.in.text("client_name"), Website: r.in.text("website"),
		RedirectURIs: redirectURIs(r.in), Scopes: strings.Fields(r.in.text("scopes")),
	}
	if err := r.in.err(); err != nil {
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
func redirectURIs(in *input) []string {
	var uris []string
	for _, text := range in.texts("redirect_uris") {
		uris = append(uris, strings.Fields(text)...)
	}
	return uris
}

func (a *API) verifyApp(r *request) (any, error) {
	v, err := a.svc.Identity.AppByID(r.Context(), r.who.App)
	if err != nil {
		return nil, err
	}
	return a.clientApp(r.Context(), &v)
}
