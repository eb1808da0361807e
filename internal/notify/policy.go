package notify

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// mostRequests is the maximum number of requests in the summary, as in Mastodon.
const mostRequests = 100

// NotificationPolicy returns the notification policy of me.
// https://docs.joinmastodon.org/methods/notifications/#get-policy
func (s *Service) NotificationPolicy(ctx context.Context, me linnet.ID) (linnet.PolicyView, error) {
	b := s.st.Batch()
	p := b.Policy(me)
	if err := b.Run(ctx); err != nil {
		return linnet.PolicyView{}, core.StoreError(err)
	}
	return s.policyView(ctx, me, *p)
}

func (s *Service) policyView(ctx context.Context, me linnet.ID, p linnet.NotificationPolicy) (linnet.PolicyView, error) {
	held, err := s.st.Inbox.Held(ctx, me)
	if err != nil {
		return linnet.PolicyView{}, core.StoreError(err)
	}
	return linnet.PolicyView{NotificationPolicy: p, Requests: min(len(heldBy(held)), mostRequests), Notifications: len(held)}, nil
}

// ChangePolicy changes the notification policy of me. It applies to new notifications.
func (s *Service) ChangePolicy(ctx context.Context, me linnet.ID, c linnet.PolicyChange) (linnet.PolicyView, error) {
	p, err := s.st.Inbox.ChangePolicy(ctx, me, c)
	if errors.Is(err, db.ErrDeleted) {
		return linnet.PolicyView{}, core.ErrNoUser
	}
	if err != nil {
		return linnet.PolicyView{}, core.StoreError(err)
	}
	return s.policyView(ctx, me, p)
}

// heldOf has the filtered notifications of one sender, newest first.
type heldOf []linnet.Notification

func (h heldOf) id() linnet.ID { return h[len(h)-1].ID }

// heldBy groups filtered notifications by sender, last one first.
func heldBy(held []linnet.Notification) []heldOf {
	at := map[linnet.ID]int{}
	var by []heldOf
	for _, n := range held {
		i, ok := at[n.From]
		if !ok {
			i = len(by)
			at[n.From], by = i, append(by, nil)
		}
		by[i] = append(by[i], n)
	}
	slices.SortFunc(by, func(a, b heldOf) int { return cmp.Compare(b.id(), a.id()) })
	return by
}

// requestSample is the number of a sender's notifications that are read for a request.
const requestSample = 3

// NotificationRequests returns the senders of filtered notifications, newest request first.
// https://docs.joinmastodon.org/methods/notifications/#get-requests
func (s *Service) NotificationRequests(ctx context.Context, me linnet.ID, p linnet.Page) (out linnet.Slice[linnet.NotificationRequest], err error) {
	if p.Limit == 0 {
		p.Limit = linnet.MaxPage
	}
	sp, err := timeline.Span(p, linnet.MaxUsersPage)
	if err != nil {
		return out, err
	}
	held, err := s.st.Inbox.Held(ctx, me)
	if err != nil {
		return out, core.StoreError(err)
	}
	by := slices.DeleteFunc(heldBy(held), func(h heldOf) bool { return sp.Below != 0 && h.id() >= sp.Below || h.id() <= sp.Above })
	if sp.Asc {
		slices.Reverse(by)
	}
	out.Items, by, err = timeline.ShowParts(by, false, sp.Limit, 0, func(part []heldOf) ([]linnet.NotificationRequest, error) {
		return s.viewRequests(ctx, me, part)
	})
	if err != nil {
		return out, err
	}
	if sp.Asc {
		slices.Reverse(out.Items)
	}
	if n := len(out.Items); n > 0 {
		out.First, out.Last = linnet.CursorOf(out.Items[0].ID), linnet.CursorOf(out.Items[n-1].ID)
		if len(by) == 0 && !sp.Asc {
			out.End()
		}
	}
	return out, nil
}

func (s *Service) viewRequests(ctx context.Context, me linnet.ID, by []heldOf) ([]linnet.NotificationRequest, error) {
	var look []linnet.Notification
	for _, h := range by {
		look = append(look, h[:min(requestSample, len(h))]...)
	}
	found, err := s.showNotices(ctx, me, false, look)
	if err != nil {
		return nil, err
	}
	var out []linnet.NotificationRequest
	for _, h := range by {
		r := linnet.NotificationRequest{ID: h.id(), First: h.id().Time(), Last: h[0].ID.Time(), Count: len(h)}
		for i := range found {
			if found[i].From != h[0].From {
				continue
			}
			r.By = found[i].By
			if r.Status == nil {
				r.Status = found[i].Status
			}
		}
		if r.By != nil {
			out = append(out, r)
		}
	}
	return out, nil
}

// requestsNamed returns requests by their ids.
func (s *Service) requestsNamed(ctx context.Context, me linnet.ID, ids []linnet.ID) ([]heldOf, error) {
	held, err := s.st.Inbox.Held(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return slices.DeleteFunc(heldBy(held), func(h heldOf) bool { return !slices.Contains(ids, h.id()) }), nil
}

// NotificationRequest returns a request.
func (s *Service) NotificationRequest(ctx context.Context, me, id linnet.ID) (linnet.NotificationRequest, error) {
	by, err := s.requestsNamed(ctx, me, []linnet.ID{id})
	if err != nil {
		return linnet.NotificationRequest{}, err
	}
	found, err := s.viewRequests(ctx, me, by)
	if err == nil && len(found) == 0 {
		err = linnet.Errorf(linnet.NotFound, "Record not found")
	}
	if err != nil {
		return linnet.NotificationRequest{}, err
	}
	return found[0], nil
}

// AcceptRequests moves the filtered notifications of some senders to me's notifications. Later ones
// of these senders are no longer filtered. Missing requests are ignored.
// https://docs.joinmastodon.org/methods/notifications/#accept-multiple-requests
func (s *Service) AcceptRequests(ctx context.Context, me linnet.ID, ids []linnet.ID) error {
	by, err := s.requestsNamed(ctx, me, ids)
	if err != nil || len(by) == 0 {
		return err
	}
	a := mergeArgs{User: me}
	for _, h := range by {
		a.From = append(a.From, h[0].From)
	}
	t, err := s.tasks.New(me.Shard(), TaskMerge, a)
	if err != nil {
		return err
	}
	if err := s.st.Inbox.AcceptFrom(ctx, me, a.From, t.Ops()...); err != nil {
		return core.StoreError(err)
	}
	s.tasks.Run(ctx, t)
	return nil
}

type mergeArgs struct {
	User linnet.ID   `json:"user"`
	From []linnet.ID `json:"from"`
}

// mergeNotices moves the filtered notifications, one sender at a time, and notifies me's streams at
// the end.
func (s *Service) mergeNotices(ctx context.Context, a mergeArgs) (*mergeArgs, error) {
	if len(a.From) > 0 {
		if err := s.st.Inbox.MergeHeld(ctx, a.User, a.From[0]); err != nil {
			return nil, err
		}
		a.From = a.From[1:]
	}
	if len(a.From) > 0 {
		return &a, nil
	}
	s.core.Emit(ctx, a.User, core.Event{Type: linnet.EventMerged, To: a.User, Notice: s.st.Inbox.NewNotice(a.User, linnet.Notification{}).ID})
	return nil, nil
}

// NotificationsMerged reports whether all notifications that me has accepted have been moved.
// https://docs.joinmastodon.org/methods/notifications/#requests-merged
func (s *Service) NotificationsMerged(ctx context.Context, me linnet.ID) (bool, error) {
	merging, err := s.st.Inbox.Merging(ctx, me)
	return !merging, core.StoreError(err)
}

// DismissRequests deletes the filtered notifications of some senders. A later one starts a new
// request.
// https://docs.joinmastodon.org/methods/notifications/#dismiss-multiple-requests
func (s *Service) DismissRequests(ctx context.Context, me linnet.ID, ids []linnet.ID) error {
	by, err := s.requestsNamed(store.Durable(ctx), me, ids)
	if err != nil {
		return err
	}
	for _, h := range by {
		if err := s.st.Inbox.DropNotices(ctx, me, h); err != nil {
			return core.StoreError(err)
		}
	}
	return nil
}
