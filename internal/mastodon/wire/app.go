package wire

import (
	"strings"

	"linnet/internal/linnet"
)

// Application is the entity Application as its own client reads it.
// https://docs.joinmastodon.org/entities/Application/
type Application struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Website      *string  `json:"website"`
	Scopes       []string `json:"scopes"`
	RedirectURI  string   `json:"redirect_uri"`
	RedirectURIs []string `json:"redirect_uris"`
	VapidKey     string   `json:"vapid_key"` // of the server
}

// CredentialApplication is the entity CredentialApplication, with the client secret.
// https://docs.joinmastodon.org/entities/Application/#CredentialApplication
type CredentialApplication struct {
	Application
	ClientID        string `json:"client_id"`
	ClientSecret    string `json:"client_secret"`
	SecretExpiresAt int    `json:"client_secret_expires_at"` // 0: never
}

// ApplicationOf encodes an app with the server's public key for Web Push.
func ApplicationOf(v *linnet.App, key string) Application {
	return Application{
		ID: v.ID.String(), Name: v.Name, Website: Nullable(v.Website), Scopes: append([]string{}, v.Scopes...),
		RedirectURI: strings.Join(v.RedirectURIs, "\n"), RedirectURIs: append([]string{}, v.RedirectURIs...), VapidKey: key,
	}
}

// Token is the entity Token.
// https://docs.joinmastodon.org/entities/Token/
type Token struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	Scope       string `json:"scope"`
	CreatedAt   int64  `json:"created_at"` // Unix seconds
}

// TokenOf encodes a token.
func TokenOf(t linnet.Token) Token {
	return Token{t.Value, "Bearer", strings.Join(t.Scopes, " "), t.CreatedAt.Unix()}
}
