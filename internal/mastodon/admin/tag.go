package admin

import (
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/explore"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// tagHandler handles the restrictions of tags. Mastodon's documentation omits these methods.
type tagHandler struct {
	*trendHandler
	discovery *discovery.Service
}

func (h *tagHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/admin/tags", request.User("admin:read"), staff(h.core, linnet.ManageTaxonomies, h.list)),
		request.Handle("GET /api/v1/admin/tags/{id}", request.User("admin:read"), staff(h.core, linnet.ManageTaxonomies, h.get)),
		request.Handle("PUT /api/v1/admin/tags/{id}", request.User("admin:write"), staff(h.core, linnet.ManageTaxonomies, h.change)),
	}
}

// list lists trending and restricted tags.
func (h *tagHandler) list(r *request.Request) (any, error) {
	all, err := h.trends.AllTags(r.Context(), r.Actor())
	if err != nil {
		return nil, err
	}
	if all, err = idPage(r, all, itemID); err != nil {
		return nil, err
	}
	return h.withUse(r, all)
}

// withUse encodes tags with their current use.
func (h *tagHandler) withUse(r *request.Request, all []discovery.TrendItem) ([]wire.AdminTag, error) {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = x.Name
	}
	vs, err := h.discovery.TagsInfo(r.Context(), names)
	if err != nil {
		return nil, err
	}
	for i, v := range vs {
		all[i].Days = v.Days
	}
	return h.encodeTags(r, all)
}

func (h *tagHandler) get(r *request.Request) (any, error) { return h.one(r, r.PathValue("id")) }

// one returns the response with a tag, by its id or name.
func (h *tagHandler) one(r *request.Request, id string) (any, error) {
	x, err := h.trends.FindTag(r.Context(), r.Actor(), id, explore.TagID)
	if err != nil {
		return nil, err
	}
	all, err := h.withUse(r, []discovery.TrendItem{x})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func (h *tagHandler) change(r *request.Request) (any, error) {
	c := linnet.TagChange{Trendable: r.In.OptFlag("trendable"), Usable: r.In.OptFlag("usable"), Listable: r.In.OptFlag("listable")}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	x, err := h.trends.FindTag(r.Context(), r.Actor(), r.PathValue("id"), explore.TagID)
	if err != nil {
		return nil, err
	}
	if err := h.trends.ChangeTag(r.Context(), r.Actor(), x.Name, c); err != nil {
		return nil, err
	}
	return h.one(r, x.Name)
}
