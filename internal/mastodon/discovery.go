package mastodon

import (
	"net/http"
	"slices"
	"strings"

	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) nodeinfoIndex(*request.Request) (any, error) {
	out := wire.NodeInfoLinks{}
	for _, version := range [...]string{"2.0", "2.1"} { // clients that know only 2.0 take the first
		out.Links = append(out.Links, wire.Link{Rel: "http://nodeinfo.diaspora.software/ns/schema/" + version, Href: a.base + "/nodeinfo/" + version})
	}
	return out, nil
}

// software names the program. Some clients switch features off for names they do not know.
func (a *API) software() wire.Software {
	if a.opts.Plain {
		return wire.Software{Name: "mastodon", Version: mastodonVersion}
	}
	return wire.Software{Name: "linnet", Version: a.opts.Version}
}

func (a *API) nodeinfo20(r *request.Request) (any, error) { return a.nodeinfo(r, "2.0") }
func (a *API) nodeinfo21(r *request.Request) (any, error) { return a.nodeinfo(r, "2.1") }

// nearestProtocol is what the documents name because their schema wants one of its
// list. Of OStatus two parts are here, feeds of people and WebFinger; nothing
// federates.
const nearestProtocol = "ostatus"

func (a *API) nodeinfo(r *request.Request, version string) (any, error) {
	v, err := a.describe(r)
	if err != nil {
		return nil, err
	}
	out := wire.NodeInfo{
		Version: version, Software: a.software(), Protocols: []string{nearestProtocol},
		Services: wire.NodeInfoServices{Inbound: []string{}, Outbound: []string{}}, OpenRegistrations: v.Registrations.Anybody(),
	}
	if !v.Private {
		out.Usage.Users.Total, out.Usage.Users.ActiveMonth, out.Usage.LocalPosts = &v.People, &v.ActiveMonth, &v.Statuses
	}
	out.Metadata.NodeName, out.Metadata.Private = v.Title, v.Private
	out.Metadata.Upstream.Name = "mastodon"
	return out, nil
}

func (a *API) webfinger(r *request.Request) (any, error) {
	resource := r.In.String("resource")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if resource == "" {
		return nil, &request.Problem{Code: http.StatusBadRequest, Body: request.ErrorBody{Error: "Missing required parameter: resource"}}
	}
	login, status, ok := a.svc.Core.LocalAddress(resource)
	if !ok {
		login = strings.TrimPrefix(resource, "acct:")
		ok = strings.Contains(login, "@")
	}
	if !ok || status != 0 {
		return nil, request.ErrNotFound()
	}
	v, err := a.svc.View.UserByLogin(r.Context(), 0, strings.TrimPrefix(login, "@"))
	if err != nil {
		return nil, err
	}
	if v.Suspended {
		return nil, request.ErrNotFound()
	}
	r.SetHeader("Content-Type", "application/jrd+json; charset=utf-8")
	return wire.WebFinger{
		Subject: "acct:" + v.Login + "@" + a.host, Aliases: []string{v.URL},
		Links: []wire.Link{
			{Rel: "http://webfinger.net/rel/profile-page", Type: "text/html", Href: v.URL},
			{Rel: "http://webfinger.net/rel/avatar", Type: pictureType(v.Avatar), Href: a.enc.AvatarURL(&v.User)},
		},
	}, nil
}

// oauthMetadata is the document of RFC 8414.
type oauthMetadata struct {
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

func (a *API) oauthMetadata(*request.Request) (any, error) {
	return oauthMetadata{
		Issuer: a.base + "/", ServiceDocumentation: "https://docs.joinmastodon.org/",
		AuthorizationEndpoint: a.base + "/oauth/authorize", TokenEndpoint: a.base + "/oauth/token",
		RevocationEndpoint: a.base + "/oauth/revoke", AppRegistration: a.base + "/api/v1/apps", UserInfoEndpoint: a.base + "/oauth/userinfo",
		Scopes: a.scopes, ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes:       []string{"authorization_code", "client_credentials"},
		TokenAuthMethods: []string{"client_secret_basic", "client_secret_post"}, ChallengeMethods: []string{"S256"}, NamesIssuer: true,
	}, nil
}

// scopesOf lists the scopes that a table of routes asks for, with those that
// contain them.
func scopesOf(table []request.Route) []string {
	scopes := []string{"read", "write", "follow", "profile", "push"}
	for _, rt := range table {
		scopes = append(scopes, strings.Fields(rt.Access.Scopes)...)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// health says that the process answers; whether the store does is for /readyz.
type health struct {
	Status string `json:"status"`
}

func (a *API) health(*request.Request) (any, error) { return health{"UP"}, nil }
