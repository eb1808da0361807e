package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// statusCard is the card of a status, {} if it has none.
// https://docs.joinmastodon.org/methods/statuses/#card
func (a *API) statusCard(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.View.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	if c := a.enc.PreviewCard(v.Card); c != nil {
		return c, nil
	}
	return wire.Empty{}, nil
}
