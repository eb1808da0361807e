package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) suggested(r *request.Request) ([]linnet.Suggestion, error) {
	limit := r.In.Limit()
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	return a.svc.Discovery.Suggestions(r.Context(), r.Viewer(), limit)
}

func (a *API) getSuggestions(r *request.Request) (any, error) {
	vs, err := a.suggested(r)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Suggestion), nil
}

// oldSuggestions is for apps from before Mastodon 3.4.
func (a *API) oldSuggestions(r *request.Request) (any, error) {
	vs, err := a.suggested(r)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, func(v *linnet.Suggestion) wire.Account { return a.enc.Account(&v.UserView) }), nil
}

func (a *API) dismissSuggestion(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Discovery.DismissSuggestion(r.Context(), r.Viewer(), id)
}
