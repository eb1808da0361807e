package notify

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/timeline"
)

// NotifyWatchers notifies subscribers of an author of a new status. Mentioned users are skipped,
// since they have a notification. Subscribers with a pending follow request are included.
func (s *Service) NotifyWatchers(ctx context.Context, st *linnet.Status, who []linnet.ID) error {
	b := s.st.Batch()
	followers := b.RelatedOwners(record.Follows(), st.Author, who)
	muted, pushed := make(map[linnet.ID]*bool, len(who)), make(map[linnet.ID]*bool, len(who))
	for _, id := range who {
		muted[id], pushed[id] = b.NoticesMuted(id, st.Author, ThreadOf(st)), b.Pushed(id)
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	who = slices.DeleteFunc(followers.Found(), func(id linnet.ID) bool {
		return *muted[id] || slices.ContainsFunc(st.Mentions, func(m linnet.Mention) bool { return m.ID == id })
	})
	var pushes []Push
	var left []kv.Op
	for _, id := range who {
		p, err := s.NewPush(*pushed[id], id, inbox.WatchNotice(id, st).ID)
		if err != nil {
			return err
		}
		pushes, left = append(pushes, p), append(left, p.Ops()...)
	}
	if err := s.st.Inbox.NotifyWatchers(ctx, st, who, left...); err != nil {
		return err
	}
	s.Push(ctx, pushes...)
	if len(who) > 0 {
		s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventNotification, Status: st.ID, Author: st.Author, Watchers: who})
	}
	return nil
}

// Notifications returns the notifications of me, newest first.
// https://docs.joinmastodon.org/methods/notifications/#get
func (s *Service) Notifications(ctx context.Context, me linnet.ID, f linnet.NotificationFilter, p linnet.Page) (out linnet.Slice[linnet.NotificationView], err error) {
	if p.Limit == 0 {
		p.Limit = linnet.MaxPage
	}
	wide := false
	return timeline.FillPage(ctx, s.core, p, timeline.List[linnet.NotificationView]{Name: func() string { return fmt.Sprintf("notifications %d %+v", me, f) }, Most: linnet.MaxUsersPage,
		Position: func(v *linnet.NotificationView) timeline.Position { return timeline.Position{ID: v.ID} },
		Read: func(sp db.Span, _ int) (timeline.Round[linnet.NotificationView], error) {
			if wide {
				sp.Limit = timeline.ScanMax
			}
			wide = true
			return timeline.ReadRound(sp,
				func(sp db.Span) ([]linnet.Notification, error) { return s.st.Inbox.Notices(ctx, me, sp, f.Held) },
				func(n *linnet.Notification) linnet.ID { return n.ID },
				func(page []linnet.Notification) ([]linnet.NotificationView, error) {
					return s.showNotices(ctx, me, f.Shown, passing(f, page))
				})
		}})
}

// passing returns the notifications that match a filter.
func passing(f linnet.NotificationFilter, ns []linnet.Notification) []linnet.Notification {
	return slices.DeleteFunc(slices.Clone(ns), func(n linnet.Notification) bool {
		return n.Type.Kind().OnPages && !f.Shown || len(f.Types) > 0 && !slices.Contains(f.Types, n.Type) || slices.Contains(f.Exclude, n.Type) || f.From != 0 && f.From != n.From
	})
}

// showNotices loads notifications for display. It leaves out notifications about
// deleted or invisible statuses and users. If hides is set, it also applies filters.
func (s *Service) showNotices(ctx context.Context, me linnet.ID, hides bool, ns []linnet.Notification) ([]linnet.NotificationView, error) {
	l := s.view.Loader(me)
	l.At = linnet.FilterNotifications
	var struck []linnet.ID
	for _, n := range ns {
		if n.Strike != 0 {
			struck = append(struck, n.Strike)
		}
		l.WantUser(n.From)
		l.Reader.AskRelationship(n.From)
		if n.Status != 0 {
			l.Want(n.Status, 0)
		}
	}
	if err := l.Run(ctx); err != nil {
		return nil, err
	}
	out := make([]linnet.NotificationView, 0, len(ns))
	in, err := l.AskSilenced(ctx, ns)
	if err != nil {
		return nil, err
	}
	collections, err := s.collections(ctx, me, ns)
	if err != nil {
		return nil, err
	}
	strikes, err := s.st.Staff.Strikes(ctx, struck)
	if err != nil {
		return nil, core.StoreError(err)
	}
	for _, n := range ns {
		ref, kind := l.User(n.From), n.Type.Kind()
		if ref.User == nil {
			continue
		}
		v := linnet.NotificationView{Notification: n, At: n.ID.Time(), By: l.SharedUser(ref.Whole)}
		if n.Strike != 0 {
			at := slices.IndexFunc(strikes, func(st linnet.Strike) bool { return st.ID == n.Strike })
			if at < 0 {
				continue
			}
			v.Warned = &strikes[at]
		}
		if kind.For != 0 {
			if ok, err := s.loadForStaff(ctx, me, &v); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		if kind.Own || kind.For != 0 {
			out = append(out, v)
			continue
		}
		if ref.User.Hidden() || ref.User.Silenced && !n.Held && n.Type != linnet.NotifyPoll && !l.Followed(n.From) && !in[n.From] {
			continue
		}
		if m := l.Reader.Relationship(n.From); m.Blocked() || m.MutesNotices() {
			continue
		}
		if n.Status != 0 {
			st, ok := l.View(n.Status)
			if !ok || hides && st.Hidden() {
				continue
			}
			v.Status = &st
		}
		if n.Collection != 0 {
			if v.Collection = collections[n.Collection]; v.Collection == nil {
				continue
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// Notification returns a notification of me.
func (s *Service) Notification(ctx context.Context, me, id linnet.ID) (linnet.NotificationView, error) {
	n, ok, err := s.st.Inbox.Notice(ctx, me, id)
	if err != nil {
		return linnet.NotificationView{}, core.StoreError(err)
	}
	if ok {
		found, err := s.showNotices(ctx, me, false, passing(linnet.NotificationFilter{}, []linnet.Notification{n}))
		if err != nil {
			return linnet.NotificationView{}, err
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return linnet.NotificationView{}, linnet.Errorf(linnet.NotFound, "Record not found")
}

// DismissNotification removes one notification.
func (s *Service) DismissNotification(ctx context.Context, me, id linnet.ID) error {
	n, err := core.RetryDurable(ctx, func(ctx context.Context) (linnet.Notification, error) {
		n, ok, err := s.st.Inbox.Notice(ctx, me, id)
		if err == nil && !ok {
			err = linnet.Errorf(linnet.NotFound, "Record not found")
		}
		return n, core.StoreError(err)
	})
	if err != nil {
		return err
	}
	return core.StoreError(s.st.Inbox.RemoveNotice(ctx, me, n))
}

// ClearNotifications deletes all notifications of me. The records of mentions stay.
func (s *Service) ClearNotifications(ctx context.Context, me linnet.ID) error {
	return core.StoreError(s.st.Inbox.ClearNotices(ctx, me))
}
