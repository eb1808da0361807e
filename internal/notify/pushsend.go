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

// The ways in which a try to push to a device ends.
const (
	sent   = "sent"
	gone   = "gone"   // the subscription is over
	later  = "later"  // it is tried again
	failed = "failed" // it is not
)

// PushOutcomes are the ways in which a try to push to a device ends, for metrics.
func PushOutcomes() []string { return []string{sent, gone, later, failed} }

// timeToLive is how long a push service stores a push for an offline device, as in Mastodon.
const timeToLive = 48 * time.Hour

// waits returns the delays after failed attempts, after which a push is abandoned.
func waits() []time.Duration {
	return []time.Duration{time.Minute, 4 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour}
}

// mostWait bounds the wait that a push service asks for.
const mostWait = 4 * time.Hour

// resume does the task of a push whose server has not done it, or that has failed before:
// it leaves a new one and lets the push begin.
func (s *Pusher) resume(ctx context.Context, a PushArgs) (*PushArgs, error) {
	if a.Try++; a.Try > len(waits()) {
		s.opt.Observe.NotePushed(failed)
		return nil, nil
	}
	p, err := s.notify.leavePush(a, pushHold)
	if err != nil {
		return nil, err
	}
	if err := s.st.Sessions.Leave(ctx, p.Task); err != nil {
		return nil, err
	}
	s.begin(p)
	return nil, nil
}

// deliver sends a push to the devices that want it, and takes its task back.
func (s *Pusher) deliver(ctx context.Context, p Push) {
	if s.st.Now().After(p.Due.Add(-deliverTime)) {
		return // it has waited too long: a server finds the task
	}
	with, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	left, wait, err := s.tryAll(with, p)
	if err == nil {
		err = s.conclude(ctx, p, left, wait)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("cannot push notification; will retry", "err", err)
	}
}

// conclude takes a task back, and leaves another one for the sessions that are left.
func (s *Pusher) conclude(ctx context.Context, p Push, left []string, wait time.Duration) error {
	var next []kv.Op
	tries := waits()
	again := len(left) > 0 && p.Args.Try < len(tries)
	if again {
		a := p.Args
		a.Sessions = left
		n, err := s.notify.leavePush(a, max(wait, tries[a.Try]))
		if err != nil {
			return err
		}
		next = n.Ops()
	}
	for range left {
		s.opt.Observe.NotePushed(map[bool]string{true: later, false: failed}[again])
	}
	_, err := s.st.Sessions.TakeBack(ctx, p.Task.Shard, p.Task.ID, p.Due, next...)
	if err == nil && again {
		s.tasks.Left(ctx, p.Task.Shard)
	}
	return err
}

// tryAll sends a push to the subscribed devices. left has the sessions for a later attempt, and
// wait the delay that their push services request.
func (s *Pusher) tryAll(ctx context.Context, p Push) (left []string, wait time.Duration, err error) {
	user, view, err := s.shown(ctx, p.Args)
	if err != nil || user == nil {
		return nil, 0, err
	}
	subs, err := s.st.Sessions.Pushes(ctx, user.ID)
	if err != nil {
		return nil, 0, err
	}
	if subs, err = s.wanting(ctx, p.Args, view, subs); err != nil {
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

// wanting are those subscriptions that want a notification.
func (s *Pusher) wanting(ctx context.Context, a PushArgs, n linnet.NotificationView, subs []*linnet.PushSubscription) ([]*linnet.PushSubscription, error) {
	var follows, followed *db.Membership
	subs = slices.DeleteFunc(subs, func(p *linnet.PushSubscription) bool {
		return !slices.Contains(p.Alerts, n.Type) || len(a.Sessions) > 0 && !slices.Contains(a.Sessions, p.Session)
	})
	if slices.ContainsFunc(subs, func(p *linnet.PushSubscription) bool { return p.Policy != linnet.PushAll }) {
		b := s.st.Batch()
		from := []linnet.ID{n.From}
		follows, followed = b.EdgeHas(record.Follows(), a.User, from), b.EdgeHasOwner(record.Follows(), a.User, from)
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
		outcome = gone
		err = s.st.Sessions.EndPushAt(ctx, sub)
	case code >= 200 && code < 300:
		return sent, 0
	case retryable(code):
		outcome = later
	default:
		outcome = failed
	}
	// Anyone who knows the address can push, so only the host is logged.
	s.opt.Log.Debug("push failed", "host", to.Host, "status", code, "outcome", outcome, "err", hostError(err))
	return outcome, wait
}

// hostError is an error without the address that it is about.
func hostError(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// post makes the request of a push.
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
