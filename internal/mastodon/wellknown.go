package mastodon

import (
	"net/http"
	"strings"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/view"
)

// wellKnownHandler handles the documents by which programs discover the server and its accounts.
type wellKnownHandler struct {
	site     site
	enc      *wire.Encoder
	view     *view.Service
	settings *identity.Settings
	core     *core.Service
}

func (h *wellKnownHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /health", request.Open(), h.health),
		request.Handle("GET /.well-known/nodeinfo", request.Open(), h.nodeinfoIndex),
		request.Handle("GET /nodeinfo/2.0", request.Open(), h.nodeinfo20),
		request.Handle("GET /nodeinfo/2.1", request.Open(), h.nodeinfo21),
		request.Handle("GET /.well-known/webfinger", request.Open(), h.webfinger),
		request.Handle("GET /api/oembed", request.Open(), h.oembed),
	}
}

func (h *wellKnownHandler) nodeinfoIndex(*request.Request) (any, error) {
	out := wire.NodeInfoLinks{}
	for _, version := range [...]string{"2.0", "2.1"} { // clients that only know 2.0 use the first
		out.Links = append(out.Links, wire.Link{Rel: "http://nodeinfo.diaspora.software/ns/schema/" + version, Href: h.site.base + "/nodeinfo/" + version})
	}
	return out, nil
}

func (h *wellKnownHandler) nodeinfo20(r *request.Request) (any, error) { return h.nodeinfo(r, "2.0") }

func (h *wellKnownHandler) nodeinfo21(r *request.Request) (any, error) { return h.nodeinfo(r, "2.1") }

func (h *wellKnownHandler) nodeinfo(r *request.Request, version string) (any, error) {
	v, err := describe(r, h.settings)
	if err != nil {
		return nil, err
	}
	out := wire.NodeInfo{
		Version: version, Software: h.site.software(), Protocols: []string{nearestProtocol},
		Services: wire.NodeInfoServices{Inbound: []string{}, Outbound: []string{}}, OpenRegistrations: v.Registrations.Anybody(),
	}
	if !v.Private {
		out.Usage.Users.Total, out.Usage.Users.ActiveMonth, out.Usage.LocalPosts = &v.People, &v.ActiveMonth, &v.Statuses
	}
	out.Metadata.NodeName, out.Metadata.Private = v.Title, v.Private
	out.Metadata.Upstream.Name = "mastodon"
	return out, nil
}

func (h *wellKnownHandler) webfinger(r *request.Request) (any, error) {
	resource := r.In.String("resource")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if resource == "" {
		return nil, &request.Problem{Code: http.StatusBadRequest, Body: request.ErrorBody{Error: "Missing required parameter: resource"}}
	}
	login, status, ok := h.core.LocalAddress(resource)
	if !ok {
		login = strings.TrimPrefix(resource, "acct:")
		ok = strings.Contains(login, "@")
	}
	if !ok || status != 0 {
		return nil, request.ErrNotFound()
	}
	v, err := h.view.UserByLogin(r.Context(), 0, strings.TrimPrefix(login, "@"))
	if err != nil {
		return nil, err
	}
	if v.Suspended {
		return nil, request.ErrNotFound()
	}
	r.SetHeader("Content-Type", "application/jrd+json; charset=utf-8")
	return wire.WebFinger{
		Subject: "acct:" + v.Login + "@" + h.site.host, Aliases: []string{v.URL},
		Links: []wire.Link{
			{Rel: "http://webfinger.net/rel/profile-page", Type: "text/html", Href: v.URL},
			{Rel: "http://webfinger.net/rel/avatar", Type: pictureType(v.Avatar), Href: h.enc.AvatarURL(&v.User)},
		},
	}, nil
}

// health reports that the process responds. /readyz reports whether the store does.
type health struct {
	Status string `json:"status"`
}

func (h *wellKnownHandler) health(*request.Request) (any, error) { return health{"UP"}, nil }
