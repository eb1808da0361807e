package mastodon

import (
	"linnet/internal/linnet"
)

func (a *API) pin(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Pin(r.Context(), r.me(), id)
}

func (a *API) unpin(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unpin(r.Context(), r.me(), id)
}
