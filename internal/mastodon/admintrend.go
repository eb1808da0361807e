package mastodon

import (
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// trendTable lists the routes of staff about trends. Nothing waits for a
// review here: approving takes a rejection back.
// https://docs.joinmastodon.org/methods/admin/trends/
func (a *API) trendTable() []request.Route {
	all := []request.Route{}
	for _, k := range []discovery.TrendKind{discovery.TrendTags, discovery.TrendLinks, discovery.TrendStatuses} {
		path := "/api/v1/admin/trends/" + string(k)
		all = append(all, request.Handle("GET "+path, request.User("admin:read"), a.staff(linnet.ManageTaxonomies, a.adminTrends(k))),
			request.Handle("POST "+path+"/{id}/approve", request.User("admin:write"), a.staff(linnet.ManageTaxonomies, a.decideTrend(k, false))),
			request.Handle("POST "+path+"/{id}/reject", request.User("admin:write"), a.staff(linnet.ManageTaxonomies, a.decideTrend(k, true))))
	}
	return all
}

// trendID is by what id moderators name a trend.
func trendID(k discovery.TrendKind, name string) string {
	if k == discovery.TrendStatuses {
		return name
	}
	return tagID(name)
}

func (a *API) adminTags(r *request.Request, items []discovery.TrendItem) ([]wire.AdminTag, error) {
	vs := make([]discovery.TagView, len(items))
	for i, x := range items {
		vs[i] = discovery.TagView{Name: x.Name, Days: x.Days}
	}
	tags, err := a.tags(r, vs)
	out := make([]wire.AdminTag, len(tags))
	for i, t := range tags {
		out[i] = wire.AdminTag{Tag: t, Trendable: !items[i].Hidden, Usable: true, RequiresReview: false}
	}
	return out, err
}

func (a *API) adminLink(x *discovery.TrendItem) wire.AdminLink {
	v := discovery.LinkViewOf(x.Name, x.Days)
	return wire.AdminLink{ID: tagID(x.Name), TrendLink: a.trendLink(&v), Trendable: !x.Hidden, RequiresReview: false}
}

// trendItems makes the answer about some trends of a kind.
func (a *API) trendItems(r *request.Request, k discovery.TrendKind, items []discovery.TrendItem) (any, error) {
	switch k {
	case discovery.TrendTags:
		return a.adminTags(r, items)
	case discovery.TrendLinks:
		return wire.Each(items, a.adminLink), nil
	}
	ids := make([]linnet.ID, 0, len(items))
	for _, x := range items {
		if id, ok := linnet.ParseID(x.Name); ok {
			ids = append(ids, id)
		}
	}
	vs, err := a.svc.View.Statuses(r.Context(), r.Viewer(), ids)
	return wire.StatusList{Viewer: r.Viewer(), Views: vs}, err
}

func (a *API) adminTrends(k discovery.TrendKind) request.Handler {
	return func(r *request.Request) (any, error) {
		q, err := trendQuery(r.In)
		if err != nil {
			return nil, err
		}
		items, err := a.svc.Discovery.AllTrends(r.Context(), r.Actor(), k)
		if err != nil {
			return nil, err
		}
		if q.Limit == 0 {
			q.Limit = linnet.DefaultPage
		}
		items = items[min(max(q.Offset, 0), len(items)):]
		return a.trendItems(r, k, items[:min(q.Limit, linnet.MaxPage, len(items))])
	}
}

// decideTrend makes a handler that keeps a trend out, or lets it in again.
func (a *API) decideTrend(k discovery.TrendKind, hide bool) request.Handler {
	return func(r *request.Request) (any, error) {
		items, err := a.svc.Discovery.AllTrends(r.Context(), r.Actor(), k)
		if err != nil {
			return nil, err
		}
		id := r.PathValue("id")
		for _, x := range items {
			if trendID(k, x.Name) == id {
				x.Hidden = hide
				return a.decidedTrend(r, k, x)
			}
		}
		if status, ok := linnet.ParseID(id); ok && k == discovery.TrendStatuses { // before it becomes one
			return a.decidedTrend(r, k, discovery.TrendItem{Name: status.String(), Hidden: hide})
		}
		return nil, request.ErrNotFound()
	}
}

func (a *API) decidedTrend(r *request.Request, k discovery.TrendKind, x discovery.TrendItem) (any, error) {
	if err := a.svc.Discovery.HideTrend(r.Context(), r.Actor(), k, x.Name, x.Hidden); err != nil {
		return nil, err
	}
	switch k {
	case discovery.TrendTags:
		all, err := a.adminTags(r, []discovery.TrendItem{x})
		if err != nil {
			return nil, err
		}
		return all[0], nil
	case discovery.TrendLinks:
		return a.adminLink(&x), nil
	}
	id, _ := linnet.ParseID(x.Name)
	v, err := a.svc.View.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.Status(&v, r.Viewer()), nil
}
