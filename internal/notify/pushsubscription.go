package notify

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/webpush"
)

// errNone is returned if the session has no subscription.
var errNone = linnet.Errorf(linnet.NotFound, "Record not found")

// Subscribe creates the push subscription of a session, or replaces it. token is the app's token,
// which pushes contain by the API; "" for a browser session.
// https://docs.joinmastodon.org/methods/push/#create
func (s *Pusher) Subscribe(ctx context.Context, me linnet.Session, token string, d linnet.PushDraft) (linnet.PushSubscription, error) {
	if err := s.checkEndpoint(d.Endpoint); err != nil {
		return linnet.PushSubscription{}, err
	}
	keys, err := webpush.ParseKeys(d.P256dh, d.Auth)
	if err != nil {
		return linnet.PushSubscription{}, linnet.FieldError("keys", "ERR_INVALID", "must be a p256dh key (a point on the curve P-256) and an auth secret of 16 bytes, both in base64")
	}
	p := linnet.PushSubscription{User: me.User, Session: me.ID, Endpoint: d.Endpoint, P256dh: keys.P256dh, Auth: keys.Auth, Standard: d.Standard,
		Token: token, Policy: linnet.PushAll, Created: s.st.Now()}
	if err := applyPush(&p, d.PushChange); err != nil {
		return linnet.PushSubscription{}, err
	}
	made, err := s.st.Sessions.PutPush(ctx, &p)
	if err != nil {
		return linnet.PushSubscription{}, core.StoreError(err)
	}
	if !made {
		return linnet.PushSubscription{}, linnet.Errorf(linnet.Unauthenticated, "The access token is invalid")
	}
	return p, nil
}

// applyPush changes a subscription. It returns Invalid for an invalid value.
func applyPush(p *linnet.PushSubscription, c linnet.PushChange) error {
	if c.Policy != "" {
		if !linnet.ValidPushPolicy(c.Policy) {
			return linnet.FieldError("data.policy", "ERR_INCLUSION", "%q is not a valid policy. Use all, followed, follower or none", c.Policy)
		}
		p.Policy = c.Policy
	}
	if c.Alerts == nil {
		return nil
	}
	p.Alerts = nil
	for _, t := range linnet.PushAlerts() {
		if slices.Contains(*c.Alerts, t) {
			p.Alerts = append(p.Alerts, t)
		}
	}
	return nil
}

// checkEndpoint returns an error for addresses that can't be a push service's: they need https, no
// credentials and a public network. Names are checked again when they are dialled. Within networks
// that the operator allows, http is accepted.
func (s *Pusher) checkEndpoint(endpoint string) error {
	refuse := func(msg string, args ...any) error {
		return linnet.FieldError("endpoint", "ERR_INVALID", msg, args...)
	}
	if len(endpoint) > linnet.MaxPushEndpoint {
		return refuse("is %d bytes long (maximum is %d)", len(endpoint), linnet.MaxPushEndpoint)
	}
	u, err := url.Parse(endpoint)
	switch {
	case err != nil || u.Host == "":
		return refuse("must be the HTTPS address of a push service")
	case u.Scheme != "https" && !s.client.Allowed(u):
		return refuse("must be an HTTPS address, but is %q", u.Scheme)
	}
	if err := s.client.CheckURL(u); errors.Is(err, outbound.ErrForbidden) {
		return refuse("can't be used: %v", err)
	}
	return nil
}

// Subscription returns the push subscription of a session. It returns NotFound if there is none.
// https://docs.joinmastodon.org/methods/push/#get
func (s *Pusher) Subscription(ctx context.Context, me linnet.Session) (linnet.PushSubscription, error) {
	return subscriptionOf(s.st.Sessions.Push(ctx, me.User, me.ID))
}

func subscriptionOf(p *linnet.PushSubscription, err error) (linnet.PushSubscription, error) {
	if err != nil {
		return linnet.PushSubscription{}, core.StoreError(err)
	}
	if p == nil {
		return linnet.PushSubscription{}, errNone
	}
	return *p, nil
}

// Change changes the push subscription of a session. It returns NotFound if there is none.
// https://docs.joinmastodon.org/methods/push/#update
func (s *Pusher) Change(ctx context.Context, me linnet.Session, c linnet.PushChange) (linnet.PushSubscription, error) {
	if err := applyPush(&linnet.PushSubscription{}, c); err != nil {
		return linnet.PushSubscription{}, err
	}
	return subscriptionOf(s.st.Sessions.ChangePush(ctx, me.User, me.ID, func(p *linnet.PushSubscription) { _ = applyPush(p, c) })) // checked above
}

// Unsubscribe ends the subscription of a session, if it has one.
// https://docs.joinmastodon.org/methods/push/#delete
func (s *Pusher) Unsubscribe(ctx context.Context, me linnet.Session) error {
	return core.StoreError(s.st.Sessions.EndPush(ctx, me.User, me.ID))
}
