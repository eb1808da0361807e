package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (h *notificationHandler) policy(r *request.Request) (any, error) {
	p, err := h.notify.NotificationPolicy(r.Context(), r.Viewer())
	return wire.NotificationPolicyOf(p), err
}

func (h *notificationHandler) policyV1(r *request.Request) (any, error) {
	p, err := h.notify.NotificationPolicy(r.Context(), r.Viewer())
	return wire.NotificationPolicyV1Of(p), err
}

func treatment(in *request.Input, name string) linnet.Treatment {
	t := linnet.Treatment(in.String(name))
	if t != "" && !linnet.ValidTreatment(t) {
		in.Fault(name, "must be accept, filter or drop")
	}
	return t
}

func (h *notificationHandler) changePolicy(r *request.Request) (any, error) {
	c := linnet.PolicyChange{
		NotFollowing: treatment(r.In, "for_not_following"), NotFollowers: treatment(r.In, "for_not_followers"),
		NewAccounts: treatment(r.In, "for_new_accounts"), PrivateMentions: treatment(r.In, "for_private_mentions"),
		Limited: treatment(r.In, "for_limited_accounts"), Bots: treatment(r.In, "for_bots"),
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	p, err := h.notify.ChangePolicy(r.Context(), r.Viewer(), c)
	return wire.NotificationPolicyOf(p), err
}

// changePolicyV1 changes the policy. A treatment that version 1 does not know stays, if the client
// sends back the value that it has read.
func (h *notificationHandler) changePolicyV1(r *request.Request) (any, error) {
	now, err := h.notify.NotificationPolicy(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	yes := func(name string, now linnet.Treatment) linnet.Treatment {
		switch b := r.In.OptFlag(name); {
		case b == nil, *b == wire.IsFiltered(now):
			return ""
		case *b:
			return linnet.Hold
		}
		return linnet.Accept
	}
	c := linnet.PolicyChange{NotFollowing: yes("filter_not_following", now.NotFollowing), NotFollowers: yes("filter_not_followers", now.NotFollowers),
		NewAccounts: yes("filter_new_accounts", now.NewAccounts), PrivateMentions: yes("filter_private_mentions", now.PrivateMentions)}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	p, err := h.notify.ChangePolicy(r.Context(), r.Viewer(), c)
	return wire.NotificationPolicyV1Of(p), err
}

func (h *notificationHandler) requests(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.notify.NotificationRequests(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, func(v *linnet.NotificationRequest) wire.NotificationRequest {
		return h.enc.NotificationRequest(v, r.Viewer())
	}), nil
}

func (h *notificationHandler) request(r *request.Request) (any, error) {
	return request.ByID(r, h.notify.NotificationRequest, func(v *linnet.NotificationRequest) wire.NotificationRequest {
		return h.enc.NotificationRequest(v, r.Viewer())
	})
}

// onRequest returns the handler of an action on one request.
func (h *notificationHandler) onRequest(act func(context.Context, linnet.ID, []linnet.ID) error) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err == nil {
			_, err = h.notify.NotificationRequest(r.Context(), r.Viewer(), id)
		}
		if err != nil {
			return nil, err
		}
		return wire.Empty{}, act(r.Context(), r.Viewer(), []linnet.ID{id})
	}
}

// onRequests returns the handler of an action on several requests.
func (h *notificationHandler) onRequests(act func(context.Context, linnet.ID, []linnet.ID) error) request.Handler {
	return func(r *request.Request) (any, error) {
		ids := r.In.IDs("id", linnet.MaxUsersPage) // a full page of requests
		if err := r.In.Err(); err != nil {
			return nil, err
		}
		return wire.Empty{}, act(r.Context(), r.Viewer(), ids)
	}
}

func (h *notificationHandler) requestsMerged(r *request.Request) (any, error) {
	merged, err := h.notify.NotificationsMerged(r.Context(), r.Viewer())
	return wire.RequestsMerged{Merged: merged}, err
}
