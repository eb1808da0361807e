package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// relating makes a handler of an act between the caller and the person in the
// path, which answers with how they stand to each other afterwards.
func relating(act func(context.Context, linnet.ID, linnet.ID) (linnet.Relationship, error)) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		v, err := act(r.Context(), r.me(), id)
		if err != nil {
			return nil, err
		}
		return wire.RelationshipOf(&v), nil
	}
}

func (a *API) followRequests(r *request) (any, error) {
	p := accountPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.FollowRequests(r.Context(), r.me(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.Account), nil
}
