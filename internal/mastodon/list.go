package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/social"
)

// listHandler handles lists of accounts, and which built-in lists are shown.
// https://docs.joinmastodon.org/methods/lists/
type listHandler struct {
	enc   *wire.Encoder
	lists *social.Lists
}

func (h *listHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts/{id}/lists", request.User("read:lists"), h.withAccount),
		request.Handle("GET /api/v1/lists", request.User("read:lists"), h.all),
		request.Handle("POST /api/v1/lists", request.User("write:lists"), h.create),
		request.Handle("GET /api/v1/lists/{id}", request.User("read:lists"), h.get),
		request.Handle("PUT /api/v1/lists/{id}", request.User("write:lists"), h.update),
		request.Handle("DELETE /api/v1/lists/{id}", request.User("write:lists"), h.delete),
		request.Handle("GET /api/v1/lists/{id}/accounts", request.User("read:lists"), h.members),
		request.Handle("POST /api/v1/lists/{id}/accounts", request.User("write:lists"), h.add),
		request.Handle("DELETE /api/v1/lists/{id}/accounts", request.User("write:lists"), h.remove),
		request.Handle("GET /api/v1/linnet/lists", request.User("read:lists"), h.shown),
		request.Handle("PATCH /api/v1/linnet/lists", request.User("write:lists"), h.changeShown),
	}
}

func (h *listHandler) withAccount(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	ls, err := h.lists.ListsWith(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.Each(ls, wire.ListOf), nil
}

func (h *listHandler) all(r *request.Request) (any, error) {
	vs, err := h.lists.Lists(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.ListOf), nil
}

func (h *listHandler) get(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	v, err := h.lists.List(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func (h *listHandler) create(r *request.Request) (any, error) {
	c := listChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.lists.CreateList(r.Context(), r.Viewer(), c)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func (h *listHandler) update(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	c := listChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.lists.UpdateList(r.Context(), r.Viewer(), id, c)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func listChange(in *request.Input) linnet.ListChange {
	c := linnet.ListChange{Title: in.OptString("title"), Exclusive: in.OptFlag("exclusive")}
	if word := in.String("replies_policy"); word != "" {
		p, ok := linnet.ParseRepliesPolicy(word)
		if !ok {
			in.Fault("replies_policy", "must be followed, list or none")
		}
		c.Replies = &p
	}
	return c
}

func (h *listHandler) delete(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, h.lists.DeleteList(r.Context(), r.Viewer(), id)
}

// members returns all members if the limit is 0, as documented for this route alone.
func (h *listHandler) members(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	p := request.AccountPage(r.In)
	if r.In.Has("limit") && r.In.Limit() == 0 {
		p = linnet.Page{}
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.lists.ListMembers(r.Context(), r.Viewer(), id, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.Account), nil
}

func (h *listHandler) add(r *request.Request) (any, error) {
	return changeMembers(r, h.lists.AddToList)
}

func (h *listHandler) remove(r *request.Request) (any, error) {
	return changeMembers(r, h.lists.RemoveFromList)
}

func changeMembers(r *request.Request, change func(ctx context.Context, me, id linnet.ID, users []linnet.ID) error) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	users := r.In.IDs("account_ids", linnet.MaxListMembers)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	return wire.Empty{}, change(r.Context(), r.Viewer(), id, users)
}

func (h *listHandler) shown(r *request.Request) (any, error) {
	v, err := h.lists.ShownLists(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.ShownListsOf(v), nil
}

func (h *listHandler) changeShown(r *request.Request) (any, error) {
	c := linnet.ShownListsChange{Top: r.In.OptFlag("top"), CatchUp: r.In.OptFlag("catch_up")}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.lists.SetShownLists(r.Context(), r.Viewer(), c)
	if err != nil {
		return nil, err
	}
	return wire.ShownListsOf(v), nil
}
