package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// pushTable is what apps ask to be told of notifications while they do not run.
// https://docs.joinmastodon.org/methods/push/
func (a *API) pushTable() []request.Route {
	const path = " /api/v1/push/subscription"
	return []request.Route{
		request.Handle("POST"+path, request.User("push"), a.createPush),
		request.Handle("GET"+path, request.User("push"), a.getPush),
		request.Handle("PUT"+path, request.User("push"), a.changePush),
		request.Handle("DELETE"+path, request.User("push"), a.deletePush),
	}
}

// pushOf answers with a subscription.
func (a *API) pushOf(r *request.Request, p linnet.PushSubscription, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	key, err := a.svc.Push.PublicKey(r.Context())
	if err != nil {
		return nil, err
	}
	out := wire.WebPushSubscription{ID: p.ID, Endpoint: p.Endpoint, Standard: p.Standard, ServerKey: key, Alerts: map[linnet.NotificationType]bool{}, Policy: p.Policy}
	for _, t := range linnet.PushAlerts() {
		out.Alerts[t] = false
	}
	for _, t := range p.Alerts {
		out.Alerts[t] = true
	}
	return out, nil
}

// pushChange reads what is to be pushed. Kinds that are not known are left out, as in
// Mastodon.
func pushChange(in *request.Input) linnet.PushChange {
	data := in.Object("data")
	c := linnet.PushChange{Policy: linnet.PushPolicy(data.String("policy"))}
	if p := in.String("policy"); p != "" && c.Policy == "" { // as PUT is documented
		c.Policy = linnet.PushPolicy(p)
	}
	if !data.Has("alerts") {
		return c
	}
	alerts, wanted := data.Object("alerts"), []linnet.NotificationType{}
	for _, t := range linnet.PushAlerts() {
		if alerts.Flag(string(t)) {
			wanted = append(wanted, t)
		}
	}
	c.Alerts = &wanted
	return c
}

func (a *API) createPush(r *request.Request) (any, error) {
	sub := r.In.Object("subscription")
	keys := sub.Object("keys")
	d := linnet.PushDraft{Endpoint: sub.String("endpoint"), P256dh: keys.String("p256dh"), Auth: keys.String("auth"), Standard: sub.Flag("standard"), PushChange: pushChange(r.In)}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	p, err := a.svc.Push.Subscribe(r.Context(), r.Session, r.Token, d)
	return a.pushOf(r, p, err)
}

func (a *API) getPush(r *request.Request) (any, error) {
	p, err := a.svc.Push.Subscription(r.Context(), r.Session)
	return a.pushOf(r, p, err)
}

func (a *API) changePush(r *request.Request) (any, error) {
	c := pushChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	p, err := a.svc.Push.Change(r.Context(), r.Session, c)
	return a.pushOf(r, p, err)
}

func (a *API) deletePush(r *request.Request) (any, error) {
	return wire.Empty{}, a.svc.Push.Unsubscribe(r.Context(), r.Session)
}
