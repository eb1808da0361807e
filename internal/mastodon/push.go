package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/notify"
)

// pushHandler handles the subscription of a session to Web Push.
// https://docs.joinmastodon.org/methods/push/
type pushHandler struct {
	push *notify.Pusher
}

func (h *pushHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/push/subscription", request.User("push"), h.create),
		request.Handle("GET /api/v1/push/subscription", request.User("push"), h.get),
		request.Handle("PUT /api/v1/push/subscription", request.User("push"), h.change),
		request.Handle("DELETE /api/v1/push/subscription", request.User("push"), h.delete),
	}
}

// encode returns a subscription as the response.
func (h *pushHandler) encode(r *request.Request, p linnet.PushSubscription, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	key, err := h.push.PublicKey(r.Context())
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

// pushChange reads the alerts and the policy. Unknown types are ignored, as in Mastodon.
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

func (h *pushHandler) create(r *request.Request) (any, error) {
	sub := r.In.Object("subscription")
	keys := sub.Object("keys")
	d := linnet.PushDraft{Endpoint: sub.String("endpoint"), P256dh: keys.String("p256dh"), Auth: keys.String("auth"), Standard: sub.Flag("standard"), PushChange: pushChange(r.In)}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	p, err := h.push.Subscribe(r.Context(), r.Session, r.Token, d)
	return h.encode(r, p, err)
}

func (h *pushHandler) get(r *request.Request) (any, error) {
	p, err := h.push.Subscription(r.Context(), r.Session)
	return h.encode(r, p, err)
}

func (h *pushHandler) change(r *request.Request) (any, error) {
	c := pushChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	p, err := h.push.Change(r.Context(), r.Session, c)
	return h.encode(r, p, err)
}

func (h *pushHandler) delete(r *request.Request) (any, error) {
	return wire.Empty{}, h.push.Unsubscribe(r.Context(), r.Session)
}
