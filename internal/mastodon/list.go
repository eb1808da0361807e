package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getLists(r *request.Request) (any, error) {
	vs, err := a.svc.Lists.Lists(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.ListOf), nil
}

func (a *API) getList(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.List(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func (a *API) createList(r *request.Request) (any, error) {
	c := listChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.CreateList(r.Context(), r.Viewer(), c)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func (a *API) updateList(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	c := listChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.UpdateList(r.Context(), r.Viewer(), id, c)
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

func (a *API) deleteList(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Lists.DeleteList(r.Context(), r.Viewer(), id)
}

// listMembers answers with all members if the limit is 0, as documented for
// this route alone.
func (a *API) listMembers(r *request.Request) (any, error) {
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
	s, err := a.svc.Lists.ListMembers(r.Context(), r.Viewer(), id, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.Account), nil
}

func (a *API) addToList(r *request.Request) (any, error) {
	return changeMembers(r, a.svc.Lists.AddToList)
}

func (a *API) removeFromList(r *request.Request) (any, error) {
	return changeMembers(r, a.svc.Lists.RemoveFromList)
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
