package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// announcements shows those that are in force.
func (a *API) announcements(r *request.Request) (any, error) {
	all := r.In.Flag("with_dismissed")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Announcing.Shown(r.Context(), r.Viewer(), all)
	if err != nil {
		return nil, err
	}
	out := make([]wire.Announcement, len(vs))
	for i := range vs {
		out[i] = a.enc.Announcement(&vs[i])
		out[i].Read = &vs[i].Read
		for j := range vs[i].Reactions {
			out[i].Reactions[j].Me = &vs[i].Reactions[j].Me
		}
	}
	return out, nil
}

func (a *API) dismissAnnouncement(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Announcing.Dismiss(r.Context(), r.Viewer(), id)
}

// react makes a handler that adds a reaction or takes one back.
func (a *API) react(on bool) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		do := a.svc.Announcing.Unreact
		if on {
			do = a.svc.Announcing.React
		}
		return wire.Empty{}, do(r.Context(), r.Viewer(), id, r.PathValue("name"))
	}
}
