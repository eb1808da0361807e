package mastodon

import (
	"context"
	"strconv"

	"linnet/internal/linnet"
)

// notificationPolicy is the entity NotificationPolicy.
// https://docs.joinmastodon.org/entities/NotificationPolicy/
type notificationPolicy struct {
	ForNotFollowing    linnet.Treatment `json:"for_not_following"`
	ForNotFollowers    linnet.Treatment `json:"for_not_followers"`
	ForNewAccounts     linnet.Treatment `json:"for_new_accounts"`
	ForPrivateMentions linnet.Treatment `json:"for_private_mentions"`
	ForLimitedAccounts linnet.Treatment `json:"for_limited_accounts"`
	ForBots            linnet.Treatment `json:"for_bots"`
	Summary            policySummary    `json:"summary"`
}

type policySummary struct {
	Requests      int `json:"pending_requests_count"`
	Notifications int `json:"pending_notifications_count"`
}

func policyOf(p linnet.PolicyView) notificationPolicy {
	return notificationPolicy{p.NotFollowing, p.NotFollowers, p.NewAccounts, p.PrivateMentions, p.Limited, p.Bots,
		policySummary{p.Requests, p.Notifications}}
}

// policyV1 is the policy as Mastodon's first version of it had it: whether to
// filter.
type policyV1 struct {
	NotFollowing    bool          `json:"filter_not_following"`
	NotFollowers    bool          `json:"filter_not_followers"`
	NewAccounts     bool          `json:"filter_new_accounts"`
	PrivateMentions bool          `json:"filter_private_mentions"`
	Summary         policySummary `json:"summary"`
}

func policyV1Of(p linnet.PolicyView) policyV1 {
	return policyV1{filters(p.NotFollowing), filters(p.NotFollowers), filters(p.NewAccounts), filters(p.PrivateMentions),
		policySummary{p.Requests, p.Notifications}}
}

// filters says what the first version of the policy knows of a treatment.
func filters(t linnet.Treatment) bool { return t != linnet.Accept }

func (a *API) getPolicy(r *request) (any, error) {
	p, err := a.svc.Notify.NotificationPolicy(r.Context(), r.me())
	return policyOf(p), err
}

func (a *API) getPolicyV1(r *request) (any, error) {
	p, err := a.svc.Notify.NotificationPolicy(r.Context(), r.me())
	return policyV1Of(p), err
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
	return policyOf(p), err
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
		case b == nil, *b == filters(now):
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
	return policyV1Of(p), err
}

// notificationRequest is the entity NotificationRequest.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type notificationRequest struct {
	ID                 string  `json:"id"`
	CreatedAt          string  `json:"created_at"`
	UpdatedAt          string  `json:"updated_at"`
	NotificationsCount string  `json:"notifications_count"`
	Account            account `json:"account"`
	LastStatus         *status `json:"last_status,omitempty"`
}

func (a *API) notificationRequest(v *linnet.NotificationRequest, viewer linnet.ID) notificationRequest {
	out := notificationRequest{ID: v.ID.String(), CreatedAt: timestamp(v.First), UpdatedAt: timestamp(v.Last),
		NotificationsCount: strconv.Itoa(v.Count), Account: a.account(&v.By.UserView)}
	if v.Status != nil {
		st := a.status(v.Status, viewer)
		out.LastStatus = &st
	}
	return out
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
	return paged(r, s, func(v *linnet.NotificationRequest) notificationRequest { return a.notificationRequest(v, r.me()) }), nil
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
	return a.notificationRequest(&v, r.me()), nil
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
		return empty{}, act(r.Context(), r.me(), []linnet.ID{id})
	}
}

func onRequests(act func(context.Context, linnet.ID, []linnet.ID) error) handler {
	return func(a *API, r *request) (any, error) {
		ids := r.in.ids("id", linnet.MaxUsersPage) // a whole page of requests
		if err := r.in.err(); err != nil {
			return nil, err
		}
		return empty{}, act(r.Context(), r.me(), ids)
	}
}

type requestsMerged struct {
	Merged bool `json:"merged"`
}

func (a *API) requestsMerged(r *request) (any, error) {
	merged, err := a.svc.Notify.NotificationsMerged(r.Context(), r.me())
	return requestsMerged{merged}, err
}
