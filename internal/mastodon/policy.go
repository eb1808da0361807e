package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) getPolicy(r *request) (any, error) {
	p, err := a.svc.Notify.NotificationPolicy(r.Context(), r.me())
	return wire.NotificationPolicyOf(p), err
}

func (a *API) getPolicyV1(r *request) (any, error) {
	p, err := a.svc.Notify.NotificationPolicy(r.Context(), r.me())
	return wire.NotificationPolicyV1Of(p), err
}

func treatment(in *input, name string) linnet.Treatment {
	t := linnet.Treatment(in.text(name))
	if t != "" && !linnet.ValidTreatment(t) {
		in.fault(name, "must be accept, filter or drop")
	}
	return t
}

func (a *API) changePolicy(r *request) (any, error) {
	c := linnet.PolicyChange{
		NotFollowing: treatment(r.in, "for_not_following"), NotFollowers: treatment(r.in, "for_not_followers"),
		NewAccounts: treatment(r.in, "for_new_accounts"), PrivateMentions: treatment(r.in, "for_private_mentions"),
		Limited: treatment(r.in, "for_limited_accounts"), Bots: treatment(r.in, "for_bots"),
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	p, err := a.svc.Notify.ChangePolicy(r.Context(), r.me(), c)
	return wire.NotificationPolicyOf(p), err
}

// changePolicyV1 changes what the first version can tell apart: one of three
// treatments that it does not know stays, if it is sent back as it was read.
func (a *API) changePolicyV1(r *request) (any, error) {
	now, err := a.svc.Notify.NotificationPolicy(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	yes := func(name string, now linnet.Treatment) linnet.Treatment {
		switch b := r.in.optFlag(name); {
		case b == nil, *b == wire.IsFiltered(now):
			return ""
		case *b:
			return linnet.Hold
		}
		return linnet.Accept
	}
	c := linnet.PolicyChange{NotFollowing: yes("filter_not_following", now.NotFollowing), NotFollowers: yes("filter_not_followers", now.NotFollowers),
		NewAccounts: yes("filter_new_accounts", now.NewAccounts), PrivateMentions: yes("filter_private_mentions", now.PrivateMentions)}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	p, err := a.svc.Notify.ChangePolicy(r.Context(), r.me(), c)
	return wire.NotificationPolicyV1Of(p), err
}

func (a *API) notificationRequests(r *request) (any, error) {
	p := accountPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Notify.NotificationRequests(r.Context(), r.me(), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, func(v *linnet.NotificationRequest) wire.NotificationRequest {
		return a.enc.NotificationRequest(v, r.me())
	}), nil
}

func (a *API) getNotificationRequest(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Notify.NotificationRequest(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.NotificationRequest(&v, r.me()), nil
}

// onRequest makes a handler of an act on one request, onRequests of one on many.
func onRequest(act func(context.Context, linnet.ID, []linnet.ID) error) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err == nil {
			_, err = a.svc.Notify.NotificationRequest(r.Context(), r.me(), id)
		}
		if err != nil {
			return nil, err
		}
		return wire.Empty{}, act(r.Context(), r.me(), []linnet.ID{id})
	}
}

func onRequests(act func(context.Context, linnet.ID, []linnet.ID) error) handler {
	return func(a *API, r *request) (any, error) {
		ids := r.in.ids("id", linnet.MaxUsersPage) // a whole page of requests
		if err := r.in.err(); err != nil {
			return nil, err
		}
		return wire.Empty{}, act(r.Context(), r.me(), ids)
	}
}

func (a *API) requestsMerged(r *request) (any, error) {
	merged, err := a.svc.Notify.NotificationsMerged(r.Context(), r.me())
	return wire.RequestsMerged{Merged: merged}, err
}
