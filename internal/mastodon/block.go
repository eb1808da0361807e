package mastodon

import (
	"context"
	"time"

	"linnet/internal/linnet"
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
		return relationshipOf(&v), nil
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
	return paged(r, s, a.account), nil
}

// mutedAccount is the entity MutedAccount.
// https://docs.joinmastodon.org/entities/Account/#MutedAccount
type mutedAccount struct {
	account
	MuteExpiresAt *string `json:"mute_expires_at"`
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
	return paged(r, s, func(v *linnet.MutedUser) mutedAccount {
		return mutedAccount{a.account(&v.UserView), optTimestamp(v.Until)}
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
	return relationshipOf(&v), nil
}

// optTimestamp is a time, nil if it is zero.
func optTimestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := timestamp(t)
	return &s
}
