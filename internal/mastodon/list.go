package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// listID is the id of a list in the path: of one that somebody has made, or that
// stands for a group.
func (r *request) listID() (linnet.ID, error) {
	id, ok := linnet.ParseListID(r.PathValue("id"))
	if !ok {
		return 0, errNotFound()
	}
	return id, nil
}

func (a *API) getLists(r *request) (any, error) {
	vs, err := a.svc.Lists.Lists(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.ListOf), nil
}

func (a *API) getList(r *request) (any, error) {
	id, err := r.listID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.List(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func (a *API) createList(r *request) (any, error) {
	c := listChange(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.CreateList(r.Context(), r.me(), c)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func (a *API) updateList(r *request) (any, error) {
	id, err := r.listID()
	if err != nil {
		return nil, err
	}
	c := listChange(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.UpdateList(r.Context(), r.me(), id, c)
	if err != nil {
		return nil, err
	}
	return wire.ListOf(&v), nil
}

func listChange(in *input) linnet.ListChange {
	c := linnet.ListChange{Title: in.optText("title"), Exclusive: in.optFlag("exclusive")}
	if word := in.text("replies_policy"); word != "" {
		p, ok := linnet.ParseRepliesPolicy(word)
		if !ok {
			in.fault("replies_policy", "must be followed, list or none")
		}
		c.Replies = &p
	}
	return c
}

func (a *API) deleteList(r *request) (any, error) {
	id, err := r.listID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Lists.DeleteList(r.Context(), r.me(), id)
}

// listMembers answers with all members if the limit is 0, as documented for
// this route alone.
func (a *API) listMembers(r *request) (any, error) {
	id, err := r.listID()
	if err != nil {
		return nil, err
	}
	p := accountPage(r.in)
	if r.in.has("limit") && r.in.limit() == 0 {
		p = linnet.Page{}
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Lists.ListMembers(r.Context(), r.me(), id, p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.Account), nil
}

func (a *API) addToList(r *request) (any, error) { return changeMembers(r, a.svc.Lists.AddToList) }

func (a *API) removeFromList(r *request) (any, error) {
	return changeMembers(r, a.svc.Lists.RemoveFromList)
}

func changeMembers(r *request, change func(ctx context.Context, me, id linnet.ID, users []linnet.ID) error) (any, error) {
	id, err := r.listID()
	if err != nil {
		return nil, err
	}
	users := r.in.ids("account_ids", linnet.MaxListMembers)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	return wire.Empty{}, change(r.Context(), r.me(), id, users)
}
