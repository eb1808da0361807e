package mastodon

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// personAct makes a handler of something that the user does to another.
func personAct(do func(context.Context, linnet.ID, linnet.ID) (linnet.Relationship, error)) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		v, err := do(r.Context(), r.me(), id)
		if err != nil {
			return nil, err
		}
		return wire.RelationshipOf(&v), nil
	}
}

func (a *API) blocks(r *request) (any, error) {
	p := accountPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.Blocks(r.Context(), r.me(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.Account), nil
}

func (a *API) mutes(r *request) (any, error) {
	p := accountPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Social.Mutes(r.Context(), r.me(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, func(v *linnet.MutedUser) wire.MutedAccount {
		return wire.MutedAccount{Account: a.enc.Account(&v.UserView), MuteExpiresAt: wire.OptionalTime(v.Until)}
	}), nil
}

func (a *API) mute(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	o := linnet.MuteOptions{Notices: true, For: time.Duration(r.in.number("duration")) * time.Second}
	if v := r.in.optFlag("notifications"); v != nil {
		o.Notices = *v
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.Mute(r.Context(), r.me(), id, o)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}
