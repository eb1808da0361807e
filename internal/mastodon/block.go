package mastodon

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// personAct makes a handler of something that the user does to another.
func (a *API) personAct(do func(context.Context, linnet.ID, linnet.ID) (linnet.Relationship, error)) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := do(r.Context(), r.Viewer(), id)
		if err != nil {
			return nil, err
		}
		return wire.RelationshipOf(&v), nil
	}
}

func (a *API) blocks(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.Blocks(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.Account), nil
}

func (a *API) mutes(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.Mutes(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, func(v *linnet.MutedUser) wire.MutedAccount {
		return wire.MutedAccount{Account: a.enc.Account(&v.UserView), MuteExpiresAt: wire.OptionalTime(v.Until)}
	}), nil
}

func (a *API) mute(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	o := linnet.MuteOptions{Notices: true, For: time.Duration(r.In.Number("duration")) * time.Second}
	if v := r.In.OptFlag("notifications"); v != nil {
		o.Notices = *v
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.Mute(r.Context(), r.Viewer(), id, o)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}
