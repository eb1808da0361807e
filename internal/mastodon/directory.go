package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// getDirectory lists people who want to be found. All of them are local.
// https://docs.joinmastodon.org/methods/directory/#get
func (a *API) getDirectory(r *request) (any, error) {
	q := linnet.DirectoryQuery{Order: linnet.DirectoryOrder(r.in.text("order")), Offset: r.in.number("offset"), Limit: r.in.limit()}
	r.in.flag("local")
	if q.Order != "" && q.Order != linnet.DirectoryActive && q.Order != linnet.DirectoryNew {
		r.in.fault("order", "must be active or new")
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.Directory(r.Context(), r.me(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Account), nil
}
