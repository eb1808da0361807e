package oauth

import (
	"slices"
	"strings"

	"linnet/internal/mastodon/request"
)

// metadata is the document of RFC 8414.
type metadata struct {
	Issuer                string   `json:"issuer"`
	ServiceDocumentation  string   `json:"service_documentation"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	UserInfoEndpoint      string   `json:"userinfo_endpoint"`
	AppRegistration       string   `json:"app_registration_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	NamesIssuer           bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207
}

// Metadata returns the route of the authorization server metadata (RFC 8414). It lists the scopes
// that the routes of a table require.
func Metadata(base string, table []request.Route) request.Route {
	document := metadata{
		Issuer: base + "/", ServiceDocumentation: "https://docs.joinmastodon.org/",
		AuthorizationEndpoint: base + "/oauth/authorize", TokenEndpoint: base + "/oauth/token",
		RevocationEndpoint: base + "/oauth/revoke", AppRegistration: base + "/api/v1/apps", UserInfoEndpoint: base + "/oauth/userinfo",
		Scopes: scopesOf(table), ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes:       []string{"authorization_code", "client_credentials"},
		TokenAuthMethods: []string{"client_secret_basic", "client_secret_post"}, ChallengeMethods: []string{"S256"}, NamesIssuer: true,
	}
	return request.Handle("GET /.well-known/oauth-authorization-server", request.Open(),
		func(*request.Request) (any, error) { return document, nil })
}

// scopesOf returns the scopes of a table of routes, and the scopes that contain them.
func scopesOf(table []request.Route) []string {
	scopes := []string{"read", "write", "follow", "profile", "push"}
	for _, rt := range table {
		scopes = append(scopes, strings.Fields(rt.Access.Scopes)...)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}
