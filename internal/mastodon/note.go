package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) noteAccount(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	note := r.in.text("comment")
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.SetNote(r.Context(), r.me(), id, note)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}

// endorse makes the handler that endorses an account, or no longer.
func endorse(on bool) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		v, err := a.svc.Social.Endorse(r.Context(), r.me(), id, on)
		if err != nil {
			return nil, err
		}
		return wire.RelationshipOf(&v), nil
	}
}

// endorsements is the list of oneself.
func (a *API) endorsements(r *request) (any, error) {
	p := accountPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.Endorsements(r.Context(), r.me(), r.me(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.Account), nil
}

// endorsementsOf is that of an account, for people.
func (a *API) endorsementsOf(r *request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.Social.Endorsements(r.Context(), r.me(), id, p)
}
