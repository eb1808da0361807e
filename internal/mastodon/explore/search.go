package explore

import (
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/outsidefeed"
	"linnet/internal/view"
)

// searchHandler handles the search.
// https://docs.joinmastodon.org/methods/search/
type searchHandler struct {
	enc       *wire.Encoder
	discovery *discovery.Service
	view      *view.Service
	outside   *outsidefeed.Service
	tags      *Tags
}

func (h *searchHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v2/search", request.Anyone("read:search"), h.find),
	}
}

// searchQuery reads the parameters of a search. usual is the default limit.
func searchQuery(in *request.Input, usual int) discovery.SearchQuery {
	q := discovery.SearchQuery{
		Text: strings.TrimSpace(in.String("q")), Following: in.Flag("following"),
		Offset: in.Number("offset"), Limit: min(in.Limit(), linnet.MaxPage),
	}
	in.Flag("resolve") // see resolve
	if q.Limit == 0 {
		q.Limit = usual
	}
	return q
}

// find searches for the requested kinds, by default all. Collections are found by their address.
func (h *searchHandler) find(r *request.Request) (any, error) {
	q := searchQuery(r.In, linnet.DefaultPage)
	of, ok := r.In.ID("account_id")
	below, okBelow := r.In.ID("max_id")
	above, okAbove := r.In.ID("min_id")
	q.Below, q.Above, ok = below, above, ok && okBelow && okAbove
	want := r.In.String("type")
	if want != "" && want != "accounts" && want != "statuses" && want != "hashtags" {
		r.In.Fault("type", "must be accounts, hashtags or statuses")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	out := wire.Search{Accounts: []wire.Account{}, Hashtags: []wire.Tag{}, Collections: []wire.Collection{}}
	if q.Text == "" {
		return out, nil
	}
	if want == "" || want == "accounts" {
		vs, err := h.discovery.SearchUsers(r.Context(), r.Viewer(), q)
		if err != nil {
			return nil, err
		}
		if len(vs) == 0 && r.In.Flag("resolve") && r.Viewer() != 0 {
			if vs, err = h.resolve(r, q.Text); err != nil {
				return nil, err
			}
		}
		out.Accounts = wire.Each(vs, h.enc.Account)
	}
	if (want == "" || want == "statuses") && ok {
		q.Account = of
		found, err := h.discovery.SearchStatuses(r.Context(), r.Viewer(), q)
		if err != nil && (want != "" || linnet.KindOf(err) != linnet.Invalid) { // a search for all kinds may contain an unknown operator
			return nil, err
		}
		out.Statuses = wire.StatusList{Viewer: r.Viewer(), Views: found.Statuses}
	}
	if want == "" || want == "hashtags" {
		vs, err := h.discovery.SearchTags(r.Context(), q)
		if err != nil {
			return nil, err
		}
		if out.Hashtags, err = h.tags.Encode(r, vs); err != nil {
			return nil, err
		}
	}
	if want == "" {
		vs, err := h.view.CollectionAt(r.Context(), r.Viewer(), q.Text)
		if err != nil {
			return nil, err
		}
		out.Collections = wire.Each(vs, h.enc.Collection)
	}
	return out, nil
}

// resolve returns the account of the external feed at an address, or none. It adds the feed if no
// account has it yet.
func (h *searchHandler) resolve(r *request.Request, address string) ([]linnet.UserView, error) {
	if _, ok := h.outside.Address(address); !ok {
		return nil, nil
	}
	v, err := h.outside.Resolve(r.Context(), linnet.By(r.Viewer()), address)
	switch linnet.KindOf(err) {
	case linnet.NotFound, linnet.Forbidden:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []linnet.UserView{v}, nil
}
