package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getShownLists(r *request.Request) (any, error) {
	v, err := a.svc.Lists.ShownLists(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.ShownListsOf(v), nil
}

func (a *API) changeShownLists(r *request.Request) (any, error) {
	c := linnet.ShownListsChange{Top: r.In.OptFlag("top"), CatchUp: r.In.OptFlag("catch_up")}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.SetShownLists(r.Context(), r.Viewer(), c)
	if err != nil {
		return nil, err
	}
	return wire.ShownListsOf(v), nil
}
