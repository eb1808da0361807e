package mastodon

import (
	"linnet/internal/linnet"
)

func (a *API) muteThread(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.MuteThread(r.Context(), r.me(), id)
}

func (a *API) unmuteThread(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.Posting.UnmuteThread(r.Context(), r.me(), id)
}
