package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) getShownLists(r *request) (any, error) {
	v, err := a.svc.Lists.ShownLists(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return wire.ShownListsOf(v), nil
}

func (a *API) changeShownLists(r *request) (any, error) {
	c := linnet.ShownListsChange{Top: r.in.optFlag("top"), CatchUp: r.in.optFlag("catch_up")}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.SetShownLists(r.Context(), r.me(), c)
	if err != nil {
		return nil, err
	}
	return wire.ShownListsOf(v), nil
}
