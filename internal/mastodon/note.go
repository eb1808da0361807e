package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) noteAccount(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	note := r.In.String("comment")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.SetNote(r.Context(), r.Viewer(), id, note)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}

// endorse makes the handler that endorses an account, or no longer.
func (a *API) endorse(on bool) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := a.svc.Social.Endorse(r.Context(), r.Viewer(), id, on)
		if err != nil {
			return nil, err
		}
		return wire.RelationshipOf(&v), nil
	}
}

// endorsements is the list of oneself.
func (a *API) endorsements(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.Endorsements(r.Context(), r.Viewer(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.Account), nil
}

// endorsementsOf is that of an account, for people.
func (a *API) endorsementsOf(r *request.Request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.Social.Endorsements(r.Context(), r.Viewer(), id, p)
}
