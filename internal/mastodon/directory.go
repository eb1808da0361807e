package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// getDirectory lists people who want to be found. All of them are local.
// https://docs.joinmastodon.org/methods/directory/#get
func (a *API) getDirectory(r *request.Request) (any, error) {
	q := linnet.DirectoryQuery{Order: linnet.DirectoryOrder(r.In.String("order")), Offset: r.In.Number("offset"), Limit: r.In.Limit()}
	r.In.Flag("local")
	if q.Order != "" && q.Order != linnet.DirectoryActive && q.Order != linnet.DirectoryNew {
		r.In.Fault("order", "must be active or new")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.Directory(r.Context(), r.Viewer(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Account), nil
}
