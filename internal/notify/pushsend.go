package notify

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/outbound"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/webpush"
)

// Outcomes of an attempt to push to a device.
const (
	sent              = "sent"
	subscriptionEnded = "gone"   // the subscription has ended
	later             = "later"  // will be retried
	failed            = "failed" // will not be retried
)

// PushOutcomes returns the outcomes of an attempt to push to a device, for metrics.
func PushOutcomes() []string { return []string{sent, subscriptionEnded, later, failed} }

// timeToLive is the time for which a push service stores a push for an offline device, as in
// Mastodon.
const timeToLive = 48 * time.Hour

// waits returns the delays after failed attempts, after which a push is abandoned.
func waits() []time.Duration {
	return []time.Duration{time.Minute, 4 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour}
}

// mostWait is the maximum delay that a push service can request.
const mostWait = 4 * time.Hour

// resume continues a push that its server has not sent, or that has failed before.
func (s *Pusher) resume(ctx context.Context, a PushArgs) (*PushArgs, error) {
	if a.Try++; a.Try > len(waits()) {
		s.opt.Observe.NotePushed(failed)
		return nil, nil
	}
	return nil, s.outbox.Resume(ctx, a)
}

// deliver sends a push to the devices that want it. It returns the operations of the task for the
// devices that are left.
func (s *Pusher) deliver(ctx context.Context, a PushArgs) (next []kv.Op, err error) {
	left, wait, err := s.tryAll(ctx, a)
	if err != nil || len(left) == 0 {
		return nil, err
	}
	outcome := failed
	if tries := waits(); a.Try < len(tries) {
		outcome, a.Sessions = later, left
		p, err := s.outbox.Later(a, max(wait, tries[a.Try]))
		if err != nil {
			return nil, err
		}
		next = p.Ops()
	}
	for range left {
		s.opt.Observe.NotePushed(outcome)
	}
	return next, nil
}

// tryAll sends a push to the subscribed devices. left has the sessions for a later attempt, and
// wait the delay that their push services request.
func (s *Pusher) tryAll(ctx context.Context, a PushArgs) (left []string, wait time.Duration, err error) {
	user, view, err := s.shown(ctx, a)
	if err != nil || user == nil {
		return nil, 0, err
	}
	subs, err := s.st.Sessions.Pushes(ctx, user.ID)
	if err != nil {
		return nil, 0, err
	}
	if subs, err = s.wanting(ctx, a, view, subs); err != nil {
		return nil, 0, err
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for _, sub := range subs {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			outcome, pause := s.try(ctx, sub, view, user)
			if outcome != later {
				s.opt.Observe.NotePushed(outcome)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			left, wait = append(left, sub.Session), max(wait, pause)
		})
	}
	all.Wait()
	return left, wait, nil
}

// shown loads the notification of a push as its user sees it now. user is nil if there is nothing
// to send.
func (s *Pusher) shown(ctx context.Context, a PushArgs) (user *linnet.User, view linnet.NotificationView, err error) {
	user, err = s.core.LookupUser(ctx, a.User)
	if err != nil || user == nil || user.Suspended || user.Disabled || user.Unapproved {
		return nil, view, err
	}
	view, err = s.notify.Notification(ctx, a.User, a.Notice)
	if linnet.KindOf(err) == linnet.NotFound || err == nil && view.Status != nil && view.Status.Hidden() {
		return nil, view, nil
	}
	return user, view, err
}

// wanting returns the subscriptions that want a notification.
func (s *Pusher) wanting(ctx context.Context, a PushArgs, n linnet.NotificationView, subs []*linnet.PushSubscription) ([]*linnet.PushSubscription, error) {
	var follows, followed *db.Membership
	subs = slices.DeleteFunc(subs, func(p *linnet.PushSubscription) bool {
		return !slices.Contains(p.Alerts, n.Type) || len(a.Sessions) > 0 && !slices.Contains(a.Sessions, p.Session)
	})
	if slices.ContainsFunc(subs, func(p *linnet.PushSubscription) bool { return p.Policy != linnet.PushAll }) {
		b := s.st.Batch()
		from := []linnet.ID{n.From}
		follows, followed = b.Related(record.Follows(), a.User, from), b.RelatedOwners(record.Follows(), a.User, from)
		if err := b.Run(ctx); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(subs, func(p *linnet.PushSubscription) bool {
		switch p.Policy {
		case linnet.PushAll:
			return false
		case linnet.PushFollowed:
			return !follows.Has(n.From)
		case linnet.PushFollower:
			return !followed.Has(n.From)
		}
		return true
	}), nil
}

// try sends a push to one device.
func (s *Pusher) try(ctx context.Context, sub *linnet.PushSubscription, n linnet.NotificationView, user *linnet.User) (outcome string, wait time.Duration) {
	to, err := url.Parse(sub.Endpoint)
	if err != nil {
		return failed, 0
	}
	if s.hosts.paused(to.Host, s.st.Now()) {
		return later, 0
	}
	code, wait, err := s.post(ctx, sub, n, user)
	switch {
	case errors.Is(err, outbound.ErrForbidden):
		outcome = failed
	case err != nil:
		outcome = later
		s.hosts.failed(to.Host, s.st.Now())
	case code == http.StatusNotFound || code == http.StatusGone:
		outcome = subscriptionEnded
		err = s.st.Sessions.EndPushAt(ctx, sub)
	case code >= 200 && code < 300:
		return sent, 0
	case code == http.StatusRequestTimeout || code == http.StatusTooManyRequests || code >= 500:
		outcome = later
	default:
		outcome = failed
	}
	// Anyone who knows the address can push, so only the host is logged.
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	s.opt.Log.Debug("push failed", "host", to.Host, "status", code, "outcome", outcome, "err", err)
	return outcome, wait
}

// post sends the request of a push.
func (s *Pusher) post(ctx context.Context, sub *linnet.PushSubscription, n linnet.NotificationView, user *linnet.User) (code int, wait time.Duration, err error) {
	v, err := s.key(ctx)
	if err != nil {
		return 0, 0, err
	}
	m := webpush.Message{Endpoint: sub.Endpoint, Keys: webpush.Keys{P256dh: sub.P256dh, Auth: sub.Auth}, Draft: !sub.Standard,
		Payload: s.payload(n, user, sub.Token), TTL: timeToLive, Urgency: "normal", Topic: n.ID.String()}
	r, err := v.Request(ctx, m, s.core.PublicURL(), s.st.Now())
	if err != nil {
		return 0, 0, err
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection is reused; the content is ignored
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return resp.StatusCode, min(max(time.Duration(seconds)*time.Second, 0), mostWait), nil
}
