package mastodon

import "linnet/internal/linnet"

func (a *API) muteThread(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.MuteThread(r.Context(), r.me(), id)
}

func (a *API) unmuteThread(r *request, id linnet.ID) (linnet.StatusView, error) {
	return a.svc.UnmuteThread(r.Context(), r.me(), id)
}
