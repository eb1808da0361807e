package mastodon

import (
	"linnet/internal/mastodon/request"
)

func (a *API) followRequests(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.FollowRequests(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.Account), nil
}
