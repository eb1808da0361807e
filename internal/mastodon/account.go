package mastodon

import (
	"context"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/view"
)

// accountHandler handles the methods that read accounts.
// https://docs.joinmastodon.org/methods/accounts/
type accountHandler struct {
	enc  *wire.Encoder
	view *view.Service
}

func (h *accountHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts", request.Anyone("read:accounts"), h.list),
		request.Handle("GET /api/v1/accounts/lookup", request.Anyone("read:accounts"), h.lookup),
		request.Handle("GET /api/v1/accounts/familiar_followers", request.User("read:follows"), h.familiarFollowers),
		request.Handle("GET /api/v1/accounts/{id}", request.Anyone("read:accounts"), h.get),
		request.Handle("GET /api/v1/accounts/{id}/followers", request.Anyone("read:accounts"), people(h.enc, h.view.Followers)),
		request.Handle("GET /api/v1/accounts/{id}/following", request.Anyone("read:accounts"), people(h.enc, h.view.Following)),
	}
}

func (h *accountHandler) get(r *request.Request) (any, error) {
	return request.ByID(r, h.view.User, h.enc.Account)
}

func (h *accountHandler) list(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := h.view.Users(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, h.enc.Account), nil
}

func (h *accountHandler) lookup(r *request.Request) (any, error) {
	acct := r.In.String("acct")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.view.UserByLogin(r.Context(), r.Viewer(), strings.TrimPrefix(acct, "@"))
	if err != nil {
		return nil, err
	}
	return h.enc.Account(&v), nil
}

// mostFamiliar limits the ids in a request for familiar followers.
const mostFamiliar = 200

// familiarFollowers responds with all familiar followers of one account. Several accounts share the
// same limit, but each can have at least a page.
// https://docs.joinmastodon.org/methods/accounts/#familiar_followers
func (h *accountHandler) familiarFollowers(r *request.Request) (any, error) {
	ids := r.In.IDs("id", mostFamiliar)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	most := max(linnet.MaxFollowing/max(len(ids), 1), linnet.MaxPage)
	out := make([]wire.FamiliarFollowers, 0, len(ids))
	for part := range slices.Chunk(ids, linnet.MaxIDsInQuery) {
		vs, err := h.view.FamiliarFollowers(r.Context(), r.Viewer(), part, most)
		if err != nil {
			return nil, err
		}
		for i := range vs {
			out = append(out, wire.FamiliarFollowers{ID: vs[i].ID.String(), Accounts: wire.Each(vs[i].Users, h.enc.Account)})
		}
	}
	return out, nil
}

// people returns the handler of a list of accounts that belongs to the object in the path.
func people(enc *wire.Encoder, list func(ctx context.Context, viewer, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error)) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		p := request.AccountPage(r.In)
		if err := r.In.Err(); err != nil {
			return nil, err
		}
		s, err := list(r.Context(), r.Viewer(), id, p)
		if err != nil {
			return nil, err
		}
		return request.Paged(r, s, enc.Account), nil
	}
}
