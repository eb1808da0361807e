package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// pushTable is what apps ask to be told of notifications while they do not run.
// https://docs.joinmastodon.org/methods/push/
func pushTable() []route {
	const path = " /api/v1/push/subscription"
	return []route{
		{"POST" + path, user("push"), noLimit, (*API).createPush},
		{"GET" + path, user("push"), noLimit, (*API).getPush},
		{"PUT" + path, user("push"), noLimit, (*API).changePush},
		{"DELETE" + path, user("push"), noLimit, (*API).deletePush},
	}
}

// pushOf answers with a subscription.
func (a *API) pushOf(r *request, p linnet.PushSubscription, err error) (any, error) {
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
func pushChange(in *input) linnet.PushChange {
	data := in.object("data")
	c := linnet.PushChange{Policy: linnet.PushPolicy(data.text("policy"))}
	if p := in.text("policy"); p != "" && c.Policy == "" { // as PUT is documented
		c.Policy = linnet.PushPolicy(p)
	}
	if !data.has("alerts") {
		return c
	}
	alerts, wanted := data.object("alerts"), []linnet.NotificationType{}
	for _, t := range linnet.PushAlerts() {
		if alerts.flag(string(t)) {
			wanted = append(wanted, t)
		}
	}
	c.Alerts = &wanted
	return c
}

func (a *API) createPush(r *request) (any, error) {
	sub := r.in.object("subscription")
	keys := sub.object("keys")
	d := linnet.PushDraft{Endpoint: sub.text("endpoint"), P256dh: keys.text("p256dh"), Auth: keys.text("auth"), Standard: sub.flag("standard"), PushChange: pushChange(r.in)}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	p, err := a.svc.Push.Subscribe(r.Context(), r.who, r.token, d)
	return a.pushOf(r, p, err)
}

func (a *API) getPush(r *request) (any, error) {
	p, err := a.svc.Push.Subscription(r.Context(), r.who)
	return a.pushOf(r, p, err)
}

func (a *API) changePush(r *request) (any, error) {
	c := pushChange(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	p, err := a.svc.Push.Change(r.Context(), r.who, c)
	return a.pushOf(r, p, err)
}

func (a *API) deletePush(r *request) (any, error) {
	return wire.Empty{}, a.svc.Push.Unsubscribe(r.Context(), r.who)
}
