package admin

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/explore"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/view"
)

// trendHandler handles trends. They need no review: approving a trend revokes its rejection, or makes
// it an exception to the rejection of its publisher or a domain above.
// https://docs.joinmastodon.org/methods/admin/trends/
type trendHandler struct {
	enc    *wire.Encoder
	view   *view.Service
	trends *discovery.Trends
	core   *core.Service
	tags   *explore.Tags
}

func (h *trendHandler) routes() []request.Route {
	all := []request.Route{}
	for _, k := range []discovery.TrendKind{discovery.TrendTags, discovery.TrendLinks, discovery.TrendStatuses, discovery.TrendPublishers} {
		path, list := "/api/v1/admin/trends/"+string(k), h.list(k)
		if k == discovery.TrendPublishers {
			path, list = "/api/v1/admin/trends/links/publishers", h.publishers
		}
		all = append(all, request.Handle("GET "+path, request.User("admin:read"), staff(h.core, linnet.ManageTaxonomies, list)),
			request.Handle("POST "+path+"/{id}/approve", request.User("admin:write"), staff(h.core, linnet.ManageTaxonomies, h.decide(k, false))),
			request.Handle("POST "+path+"/{id}/reject", request.User("admin:write"), staff(h.core, linnet.ManageTaxonomies, h.decide(k, true))))
	}
	return all
}

// trendID returns the id of a trend in the methods of staff.
func trendID(k discovery.TrendKind, name string) string {
	if k == discovery.TrendStatuses {
		return name
	}
	return explore.TagID(name)
}

func (h *trendHandler) encodeTags(r *request.Request, items []discovery.TrendItem) ([]wire.AdminTag, error) {
	vs := make([]discovery.TagView, len(items))
	for i, x := range items {
		vs[i] = discovery.TagView{Name: x.Name, Days: x.Days}
	}
	tags, err := h.tags.Encode(r, vs)
	out := make([]wire.AdminTag, len(tags))
	for i, t := range tags {
		rule := items[i].Rule
		out[i] = wire.AdminTag{Tag: t, Trendable: !items[i].Hidden, Usable: !rule.Unusable, Listable: !rule.Unlisted, RequiresReview: false}
	}
	return out, err
}

func (h *trendHandler) encodeLink(x *discovery.TrendItem) wire.AdminLink {
	v := discovery.LinkViewOf(x.Name, x.Days)
	return wire.AdminLink{ID: explore.TagID(x.Name), TrendLink: explore.TrendLink(h.enc, &v), Trendable: !x.Hidden, RequiresReview: false}
}

func encodePublisher(x *discovery.TrendItem) wire.AdminPublisher {
	return wire.AdminPublisher{ID: explore.TagID(x.Name), Domain: x.Name, Trendable: !x.Hidden, RequiresReview: false}
}

// encode returns the response with trends of a kind.
func (h *trendHandler) encode(r *request.Request, k discovery.TrendKind, items []discovery.TrendItem) (any, error) {
	switch k {
	case discovery.TrendTags:
		return h.encodeTags(r, items)
	case discovery.TrendLinks:
		return wire.Each(items, h.encodeLink), nil
	}
	ids := make([]linnet.ID, 0, len(items))
	for _, x := range items {
		if id, ok := linnet.ParseID(x.Name); ok {
			ids = append(ids, id)
		}
	}
	vs, err := h.view.Statuses(r.Context(), r.Viewer(), ids)
	return wire.StatusList{Viewer: r.Viewer(), Views: vs}, err
}

func (h *trendHandler) list(k discovery.TrendKind) request.Handler {
	return func(r *request.Request) (any, error) {
		q, err := explore.TrendQuery(r.In)
		if err != nil {
			return nil, err
		}
		items, err := h.trends.All(r.Context(), r.Actor(), k)
		if err != nil {
			return nil, err
		}
		if q.Limit == 0 {
			q.Limit = linnet.DefaultPage
		}
		items = items[min(max(q.Offset, 0), len(items)):]
		return h.encode(r, k, items[:min(q.Limit, linnet.MaxPage, len(items))])
	}
}

// publishers lists publishers by id, unlike other trends.
func (h *trendHandler) publishers(r *request.Request) (any, error) {
	all, err := h.trends.All(r.Context(), r.Actor(), discovery.TrendPublishers)
	if err != nil {
		return nil, err
	}
	all, err = idPage(r, all, itemID)
	return wire.Each(all, encodePublisher), err
}

// itemID returns the id of a tag, link or publisher.
func itemID(x *discovery.TrendItem) linnet.ID {
	id, _ := linnet.ParseID(explore.TagID(x.Name))
	return id
}

// decide returns the handler that hides a trend or shows it again.
func (h *trendHandler) decide(k discovery.TrendKind, hide bool) request.Handler {
	return func(r *request.Request) (any, error) {
		items, err := h.trends.All(r.Context(), r.Actor(), k)
		if err != nil {
			return nil, err
		}
		id := r.PathValue("id")
		for _, x := range items {
			if trendID(k, x.Name) == id {
				return h.decided(r, k, x, hide)
			}
		}
		if status, ok := linnet.ParseID(id); ok && k == discovery.TrendStatuses { // a status that does not trend yet
			return h.decided(r, k, discovery.TrendItem{Name: status.String()}, hide)
		}
		return nil, request.ErrNotFound()
	}
}

func (h *trendHandler) decided(r *request.Request, k discovery.TrendKind, x discovery.TrendItem, hide bool) (any, error) {
	if err := h.trends.Hide(r.Context(), r.Actor(), k, x.Name, hide); err != nil {
		return nil, err
	}
	x.Hidden = hide
	switch k {
	case discovery.TrendTags:
		all, err := h.encodeTags(r, []discovery.TrendItem{x})
		if err != nil {
			return nil, err
		}
		return all[0], nil
	case discovery.TrendLinks:
		return h.encodeLink(&x), nil
	case discovery.TrendPublishers:
		return encodePublisher(&x), nil
	}
	id, _ := linnet.ParseID(x.Name)
	v, err := h.view.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.Status(&v, r.Viewer()), nil
}
