package mastodon

import (
	"context"
	"strings"

	"linnet/internal/linnet"
)

// clientApp is the entity Application as its own client sees it.
// https://docs.joinmastodon.org/entities/Application/
type clientApp struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Website      *string  `json:"website"`
	Scopes       []string `json:"scopes"`
	RedirectURI  string   `json:"redirect_uri"`
	RedirectURIs []string `json:"redirect_uris"`
	VapidKey     string   `json:"vapid_key"` // that of the installation
}

// credentialApp is the entity CredentialApplication: the app with its secret.
type credentialApp struct {
	clientApp
	ClientID        string `json:"client_id"`
	ClientSecret    string `json:"client_secret"`
	SecretExpiresAt int    `json:"client_secret_expires_at"` // 0: never
}

// clientApp is an app with the key of the installation, by which push services know it.
func (a *API) clientApp(ctx context.Context, v *linnet.App) (clientApp, error) {
	key, err := a.svc.Push.PublicKey(ctx)
	return clientAppOf(v, key), err
}

func clientAppOf(v *linnet.App, key string) clientApp {
	return clientApp{
		ID: v.ID.String(), Name: v.Name, Website: nullable(v.Website), Scopes: append([]string{}, v.Scopes...),
		RedirectURI: strings.Join(v.RedirectURIs, "\n"), RedirectURIs: append([]string{}, v.RedirectURIs...), VapidKey: key,
	}
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
	return credentialApp{clientApp: app, ClientID: v.ClientID, ClientSecret: secret}, err
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
