package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

func (a *API) pin(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Pin(r.Context(), r.Viewer(), id)
}

func (a *API) unpin(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.Unpin(r.Context(), r.Viewer(), id)
}
