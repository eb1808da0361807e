package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// noticesOf reads all notifications of a user, page by page.
func (w *world) noticesOf(me linnet.ID, f linnet.NotificationFilter, limit int) []linnet.NotificationView {
	w.Helper()
	var all []linnet.NotificationView
	for p := (linnet.Page{Limit: limit}); ; {
		s := must(w.Notify.Notifications(w.ctx, me, f, p))(w)
		all = append(all, s.Items...)
		if s.Last == "" {
			return all
		}
		p.Max = s.Last
	}
}

func noticeText(ns []linnet.NotificationView) string {
	var out []string
	for _, n := range ns {
		s := string(n.Type) + " by " + n.By.Login
		if n.Status != nil {
			s += ": " + n.Status.Text
		}
		out = append(out, s)
	}
	return fmt.Sprint(out)
}

// TestNotifications checks that each action notifies once although it is repeated, and that undoing
// it removes the notification.
func TestNotifications(t *testing.T) { onEngines(t, notifications) }

func notifications(w *world) {
	me, ann := w.person("me"), w.person("ann")
	s := w.post(me, "mine").ID
	for range 2 {
		must(w.Social.Follow(w.ctx, ann, me, linnet.FollowOptions{}))(w)
		must(w.Posting.Marks.Favourite(w.ctx, ann, s))(w)
		must(w.Posting.Repost(w.ctx, ann, s, nil))(w)
		w.draft(ann, linnet.Draft{Text: "hi @me @ME @me@linnet.test", IdempotencyKey: "k"})
	}
	w.post(me, "@me myself")
	must(w.Posting.Marks.Favourite(w.ctx, me, s))(w)
	w.drain()
	want := "[mention by ann: hi @me @ME @me@linnet.test reblog by ann: mine favourite by ann: mine follow by ann]"
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 2)); got != want {
		w.Errorf("got  %s\nwant %s", got, want)
	}
	for _, f := range []linnet.NotificationFilter{{Types: []linnet.NotificationType{linnet.NotifyFollow}}, {From: ann, Exclude: []linnet.NotificationType{
		linnet.NotifyMention, linnet.NotifyRepost, linnet.NotifyFavourite}}} {
		if got := noticeText(w.noticesOf(me, f, 1)); got != "[follow by ann]" {
			w.Errorf("%+v: %s", f, got)
		}
	}
	if got := w.noticesOf(me, linnet.NotificationFilter{From: me}, 5); len(got) != 0 {
		w.Errorf("from myself: %s", noticeText(got))
	}
	must(w.Posting.Marks.Unfavourite(w.ctx, ann, s))(w)
	must(w.Posting.Unrepost(w.ctx, ann, s))(w)
	must(w.Social.Unfollow(w.ctx, ann, me))(w)
	w.drain()
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != "[mention by ann: hi @me @ME @me@linnet.test]" {
		w.Errorf("afterwards: %s", got)
	}
	w.check()
}

// TestWatchers checks that watchers are notified of each visible status once, except for reposts
// and replies to others.
func TestWatchers(t *testing.T) { onEngines(t, watchers) }

func watchers(w *world) {
	me, ann := w.person("me"), w.person("ann")
	r := must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	if !r.Notify {
		w.Errorf("%+v", r)
	}
	first := w.post(ann, "first")
	w.draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.draft(ann, linnet.Draft{Text: "direct", Visibility: new(linnet.Direct)})
	w.draft(ann, linnet.Draft{Text: "answer", InReplyTo: w.post(w.person("bob"), "hm").ID})
	must(w.Posting.Repost(w.ctx, ann, first.ID, nil))(w)
	w.post(ann, "hello @me")
	w.drain()
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != "[mention by ann: hello @me status by ann: private status by ann: first]" {
		w.Errorf("told: %s", got)
	}
	must(w.Posting.Delete(w.ctx, ann, first.ID))(w)
	must(w.Social.Unfollow(w.ctx, me, ann))(w)
	w.post(ann, "later")
	w.drain()
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != "[mention by ann: hello @me]" {
		w.Errorf("after the end: %s", got)
	}
	w.check()
}

// TestNotificationActs checks that a single notification can be read and dismissed, and that
// clearing keeps the record of mentions.
func TestNotificationActs(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann := w.person("me"), w.person("ann")
		for i := range 3 {
			w.post(ann, "%d @me", i)
		}
		w.drain()
		all := w.noticesOf(me, linnet.NotificationFilter{}, 40)
		one := must(w.Notify.Notification(w.ctx, me, all[1].ID))(w)
		if one.Status.Text != "1 @me" {
			w.Errorf("%+v", one.Status)
		}
		_, err := w.Notify.Notification(w.ctx, ann, all[1].ID)
		kindIs(w, err, linnet.NotFound)
		kindIs(w, w.Notify.DismissNotification(w.ctx, ann, all[1].ID), linnet.NotFound)
		if err := w.Notify.DismissNotification(w.ctx, me, all[1].ID); err != nil {
			w.Error(err)
		}
		kindIs(w, w.Notify.DismissNotification(w.ctx, me, all[1].ID), linnet.NotFound)
		if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 1)); got != "[mention by ann: 2 @me mention by ann: 0 @me]" {
			w.Errorf("left: %s", got)
		}
		up := must(w.Notify.Notifications(w.ctx, me, linnet.NotificationFilter{}, linnet.Page{Min: linnet.CursorOf(all[2].ID)}))(w)
		since := must(w.Notify.Notifications(w.ctx, me, linnet.NotificationFilter{}, linnet.Page{Since: linnet.CursorOf(all[2].ID)}))(w)
		if len(up.Items) != 1 || len(since.Items) != 1 || up.Items[0].ID != all[0].ID {
			w.Errorf("newer: %s %s", noticeText(up.Items), noticeText(since.Items))
		}
		if err := w.Notify.ClearNotifications(w.ctx, me); err != nil {
			w.Error(err)
		}
		if got := w.noticesOf(me, linnet.NotificationFilter{}, 40); len(got) != 0 {
			w.Errorf("after clearing: %s", noticeText(got))
		}
		mentions := w.pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Mentions(w.ctx, me, p) })
		if got := fmt.Sprint(texts(mentions)); got != "[2 @me 1 @me 0 @me]" {
			w.Errorf("mentions: %s", got)
		}
		must(w.Posting.Delete(w.ctx, ann, mentions[0].ID))(w)
		if got := must(w.Reading.Mentions(w.ctx, me, linnet.Page{}))(w); len(got.Items) != 2 {
			w.Errorf("mentions after a deletion: %v", texts(got.Items))
		}
	})
}

// TestNotificationsAreTrimmed checks that only the newest notifications are stored, up to the
// limit.
func TestNotificationsAreTrimmed(t *testing.T) {
	w := memWorld(t)
	me, ann := w.person("me"), w.person("ann")
	for i := range linnet.MaxNotifications + 500 {
		w.post(ann, "%d @me", i)
	}
	all := w.noticesOf(me, linnet.NotificationFilter{}, 80)
	if n := len(all); n < linnet.MaxNotifications || n > linnet.MaxNotifications+300 {
		t.Errorf("%d are kept", n)
	}
	if all[0].Status.Text != fmt.Sprintf("%d @me", linnet.MaxNotifications+499) {
		t.Errorf("the newest is %q", all[0].Status.Text)
	}
	if !slices.IsSortedFunc(all, func(a, b linnet.NotificationView) int { return int(int64(b.ID) - int64(a.ID)) }) {
		t.Error("not in order")
	}
	if age := time.Since(all[0].At).Abs(); age > time.Minute {
		t.Errorf("the newest is %v old", age)
	}
}
