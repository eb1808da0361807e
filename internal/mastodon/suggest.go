package mastodon

import "linnet/internal/linnet"

// suggestion is the entity Suggestion. Source is what sources were before
// Mastodon 4.3.
// https://docs.joinmastodon.org/entities/Suggestion/
type suggestion struct {
	Source  string   `json:"source"`
	Sources []string `json:"sources"`
	Account account  `json:"account"`
}

func (a *API) suggestion(v *linnet.Suggestion) suggestion {
	out := suggestion{Source: "global", Account: a.account(&v.UserView)}
	if v.Common > 0 {
		out.Source, out.Sources = "past_interactions", append(out.Sources, "friends_of_friends")
	}
	if v.Popular {
		out.Sources = append(out.Sources, "most_followed")
	}
	return out
}

func (a *API) suggested(r *request) ([]linnet.Suggestion, error) {
	limit := r.in.limit()
	if err := r.in.err(); err != nil {
		return nil, err
	}
	return a.svc.Discovery.Suggestions(r.Context(), r.me(), limit)
}

func (a *API) getSuggestions(r *request) (any, error) {
	vs, err := a.suggested(r)
	if err != nil {
		return nil, err
	}
	return each(vs, a.suggestion), nil
}

// oldSuggestions is for apps from before Mastodon 3.4.
func (a *API) oldSuggestions(r *request) (any, error) {
	vs, err := a.suggested(r)
	if err != nil {
		return nil, err
	}
	return each(vs, func(v *linnet.Suggestion) account { return a.account(&v.UserView) }), nil
}

func (a *API) dismissSuggestion(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return empty{}, a.svc.Discovery.DismissSuggestion(r.Context(), r.me(), id)
}
