package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/social"
	"linnet/internal/view"
)

// collectionHandler handles collections of accounts.
// https://docs.joinmastodon.org/methods/collections/
type collectionHandler struct {
	enc         *wire.Encoder
	view        *view.Service
	collections *social.Collections
}

func (h *collectionHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts/{id}/collections", request.Anyone("read:collections"), h.of),
		request.Handle("GET /api/v1/accounts/{id}/in_collections", request.User("read:collections"), h.with),
		request.Handle("POST /api/v1/collections", request.User("write:collections"), h.create),
		request.Handle("GET /api/v1/collections/{id}", request.Anyone("read:collections"), h.get),
		request.Handle("PATCH /api/v1/collections/{id}", request.User("write:collections"), h.update),
		request.Handle("PUT /api/v1/collections/{id}", request.User("write:collections"), h.update),
		request.Handle("DELETE /api/v1/collections/{id}", request.User("write:collections"), h.delete),
		request.Handle("POST /api/v1/collections/{id}/items", request.User("write:collections"), h.add),
		request.Handle("DELETE /api/v1/collections/{id}/items/{item}", request.User("write:collections"), h.remove),
		request.Handle("POST /api/v1/collections/{id}/items/{item}/revoke", request.User("write:collections"), h.revoke),
	}
}

func (h *collectionHandler) of(r *request.Request) (any, error) {
	return h.list(r, h.view.CollectionsOf)
}

func (h *collectionHandler) with(r *request.Request) (any, error) {
	return h.list(r, h.view.CollectionsWith)
}

// list responds with the collections of or with the account in the path. Pages have offsets, as in
// Mastodon.
func (h *collectionHandler) list(r *request.Request, find func(ctx context.Context, me, account linnet.ID, offset, limit int) ([]linnet.CollectionView, error)) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p, offset := request.AccountPage(r.In), r.In.Number("offset")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	all, err := find(r.Context(), r.Viewer(), id, offset, p.Limit)
	if err != nil {
		return nil, err
	}
	r.SetOffsetLink(offset, p.Limit, len(all) == p.Limit)
	return wire.Collections{Collections: wire.Each(all, h.enc.Collection)}, nil
}

func (h *collectionHandler) get(r *request.Request) (any, error) {
	return request.ByID(r, h.view.Collection, h.enc.CollectionWithAccounts)
}

func (h *collectionHandler) create(r *request.Request) (any, error) {
	c, accounts := collectionChange(r.In), r.In.IDs("account_ids", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.collections.Create(r.Context(), r.Viewer(), c, accounts)
	if err != nil {
		return nil, err
	}
	return wire.WrappedCollection{Collection: h.enc.Collection(&v)}, nil
}

func (h *collectionHandler) update(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	c := collectionChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.collections.Update(r.Context(), r.Viewer(), id, c)
	if err != nil {
		return nil, err
	}
	return wire.WrappedCollection{Collection: h.enc.Collection(&v)}, nil
}

func collectionChange(in *request.Input) linnet.CollectionChange {
	return linnet.CollectionChange{Name: in.OptString("name"), Description: in.OptString("description"), Language: in.OptString("language"),
		Tag: in.OptString("tag_name"), Sensitive: in.OptFlag("sensitive"), Discoverable: in.OptFlag("discoverable")}
}

func (h *collectionHandler) delete(r *request.Request) (any, error) {
	return request.DoByID(r, h.collections.Delete)
}

func (h *collectionHandler) add(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	account, ok := r.In.ID("account_id")
	if ok && account == 0 {
		r.In.Fault("account_id", "can't be blank")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	it, err := h.collections.AddTo(r.Context(), r.Viewer(), id, account)
	if err != nil {
		return nil, err
	}
	return wire.WrappedCollectionItem{Item: wire.CollectionItemOf(&it)}, nil
}

func (h *collectionHandler) remove(r *request.Request) (any, error) {
	return onItem(r, h.collections.RemoveFrom)
}

func (h *collectionHandler) revoke(r *request.Request) (any, error) {
	return onItem(r, h.collections.Revoke)
}

// onItem calls do with the ids in the path of an item.
func onItem(r *request.Request, do func(ctx context.Context, me, id, item linnet.ID) error) (any, error) {
	item, ok := linnet.ParseID(r.PathValue("item"))
	if !ok {
		return nil, request.ErrNotFound()
	}
	return request.DoByID(r, func(ctx context.Context, me, id linnet.ID) error { return do(ctx, me, id, item) })
}
