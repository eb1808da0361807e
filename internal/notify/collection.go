package notify

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/inbox"
)

// NotifyCollected notifies accounts that they were added to a collection. It skips the owner and
// accounts that the collection no longer shows. It can run more than once: an addition has one
// notification.
func (s *Service) NotifyCollected(ctx context.Context, c *linnet.Collection, accounts []linnet.ID) error {
	return s.notifyCollection(ctx, c, linnet.NotifyCollected, accounts, func(to linnet.ID) (n, former linnet.Notification) {
		return inbox.CollectedNotice(c, to), n
	})
}

// NotifyCollectionEdited notifies the accounts of a collection of a change at a time in Unix
// milliseconds. The notification replaces the one about the former change, if former is not 0.
func (s *Service) NotifyCollectionEdited(ctx context.Context, c *linnet.Collection, at, former int64) error {
	return s.notifyCollection(ctx, c, linnet.NotifyCollectionEdited, c.Accounts(), func(to linnet.ID) (n, f linnet.Notification) {
		return inbox.CollectionNotice(c, to, at), inbox.CollectionNotice(c, to, former)
	})
}

// notifyCollection adds a notification for each account. notice returns it, and the one that it
// replaces.
func (s *Service) notifyCollection(ctx context.Context, c *linnet.Collection, t linnet.NotificationType, to []linnet.ID, notice func(to linnet.ID) (n, former linnet.Notification)) error {
	to = slices.DeleteFunc(slices.Clone(to), func(id linnet.ID) bool { return id == c.Owner || !c.Shows(id) })
	decisions, err := s.Decide(ctx, nil, linnet.Notification{Type: t, From: c.Owner, Collection: c.ID}, to)
	if err != nil {
		return err
	}
	for i, id := range to {
		n := DecidedNotice{Decided: decisions[i]}
		var former linnet.Notification
		n.Notification, former = notice(id)
		if n.Held = n.Decision == Held; !n.Made() {
			continue
		}
		push, err := s.PushOf(id, n)
		if err != nil {
			return err
		}
		made, err := s.st.Inbox.NotifyOnce(ctx, id, n.Notification, former, push.Ops()...)
		if err != nil {
			return err
		}
		if made && n.Delivered() {
			s.Push(ctx, push)
			s.core.Emit(ctx, id, core.Event{Type: linnet.EventNotification, To: id, Notice: n.ID})
		}
	}
	return nil
}

// collections loads the collections of notifications for me, by id.
func (s *Service) collections(ctx context.Context, me linnet.ID, ns []linnet.Notification) (map[linnet.ID]*linnet.CollectionView, error) {
	var ids []linnet.ID
	for _, n := range ns {
		if n.Collection != 0 && !slices.Contains(ids, n.Collection) {
			ids = append(ids, n.Collection)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := s.st.Relations.Collections(ctx, ids)
	if err != nil {
		return nil, core.StoreError(err)
	}
	shown, err := s.view.Collections(ctx, me, all)
	if err != nil {
		return nil, err
	}
	out := make(map[linnet.ID]*linnet.CollectionView, len(shown))
	for i := range shown {
		if v := &shown[i]; v.Shows(me) {
			out[v.ID] = v
		}
	}
	return out, nil
}
