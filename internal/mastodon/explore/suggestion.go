package explore

import (
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// suggestionHandler handles suggested accounts, the directory and the search for accounts.
// https://docs.joinmastodon.org/methods/suggestions/
type suggestionHandler struct {
	enc       *wire.Encoder
	discovery *discovery.Service
}

func (h *suggestionHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts/search", request.User("read:accounts"), h.search),
		request.Handle("GET /api/v1/suggestions", request.User("read:accounts"), h.listV1),
		request.Handle("GET /api/v2/suggestions", request.User("read:accounts"), h.list),
		request.Handle("DELETE /api/v1/suggestions/{id}", request.User("write:accounts"), h.dismiss),
		request.Handle("GET /api/v1/directory", request.Anyone("read:accounts"), h.directory),
	}
}

func (h *suggestionHandler) search(r *request.Request) (any, error) {
	q := searchQuery(r.In, linnet.MaxPage)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := h.discovery.SearchUsers(r.Context(), r.Viewer(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, h.enc.Account), nil
}

// directory lists accounts that want to be discovered. All of them are local.
// https://docs.joinmastodon.org/methods/directory/#get
func (h *suggestionHandler) directory(r *request.Request) (any, error) {
	q := linnet.DirectoryQuery{Order: linnet.DirectoryOrder(r.In.String("order")), Offset: r.In.Number("offset"), Limit: r.In.Limit()}
	r.In.Flag("local")
	if q.Order != "" && q.Order != linnet.DirectoryActive && q.Order != linnet.DirectoryNew {
		r.In.Fault("order", "must be active or new")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := h.discovery.Directory(r.Context(), r.Viewer(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, h.enc.Account), nil
}

func (h *suggestionHandler) suggested(r *request.Request) ([]linnet.Suggestion, error) {
	limit := r.In.Limit()
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	return h.discovery.Suggestions(r.Context(), r.Viewer(), limit)
}

func (h *suggestionHandler) list(r *request.Request) (any, error) {
	vs, err := h.suggested(r)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, h.enc.Suggestion), nil
}

// listV1 serves apps older than Mastodon 3.4.
func (h *suggestionHandler) listV1(r *request.Request) (any, error) {
	vs, err := h.suggested(r)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, func(v *linnet.Suggestion) wire.Account { return h.enc.Account(&v.UserView) }), nil
}

func (h *suggestionHandler) dismiss(r *request.Request) (any, error) {
	return request.DoByID(r, h.discovery.DismissSuggestion)
}
