package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
)

func (a *API) muteThread(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.MuteThread(r.Context(), r.Viewer(), id)
}

func (a *API) unmuteThread(r *request.Request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.UnmuteThread(r.Context(), r.Viewer(), id)
}
