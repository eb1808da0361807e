package mastodon

import "linnet/internal/linnet"

// shownLists says which of the lists that the server makes stand among the
// caller's.
type shownLists struct {
	Top     bool `json:"top"`
	CatchUp bool `json:"catch_up"`
}

func shownListsOf(v linnet.ShownLists) shownLists {
	return shownLists{Top: v.Top, CatchUp: v.CatchUp}
}

func (a *API) getShownLists(r *request) (any, error) {
	v, err := a.svc.Lists.ShownLists(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return shownListsOf(v), nil
}

func (a *API) changeShownLists(r *request) (any, error) {
	c := linnet.ShownListsChange{Top: r.in.optFlag("top"), CatchUp: r.in.optFlag("catch_up")}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Lists.SetShownLists(r.Context(), r.me(), c)
	if err != nil {
		return nil, err
	}
	return shownListsOf(v), nil
}
