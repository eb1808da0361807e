package notify_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestNotifications checks that each action notifies once although it is repeated, and that undoing
// it removes the notification.
func TestNotifications(t *testing.T) { apptest.OnEngines(t, notifications) }

func notifications(w *apptest.World) {
	me, ann := w.Person("me"), w.Person("ann")
	s := w.Post(me, "mine").ID
	for range 2 {
		apptest.Must(w.Social.Follow(w.Ctx, ann, me, linnet.FollowOptions{}))(w)
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, s))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, ann, s, nil))(w)
		w.Draft(ann, linnet.Draft{Text: "hi @me @ME @me@linnet.test", IdempotencyKey: "k"})
	}
	w.Post(me, "@me myself")
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, me, s))(w)
	w.Drain()
	want := "[mention by ann: hi @me @ME @me@linnet.test reblog by ann: mine favourite by ann: mine follow by ann]"
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 2)); got != want {
		w.Errorf("got  %s\nwant %s", got, want)
	}
	for _, f := range []linnet.NotificationFilter{{Types: []linnet.NotificationType{linnet.NotifyFollow}}, {From: ann, Exclude: []linnet.NotificationType{
		linnet.NotifyMention, linnet.NotifyRepost, linnet.NotifyFavourite}}} {
		if got := apptest.NoticeText(w.NoticesOf(me, f, 1)); got != "[follow by ann]" {
			w.Errorf("%+v: %s", f, got)
		}
	}
	if got := w.NoticesOf(me, linnet.NotificationFilter{From: me}, 5); len(got) != 0 {
		w.Errorf("from myself: %s", apptest.NoticeText(got))
	}
	apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, ann, s))(w)
	apptest.Must(w.Posting.Unrepost(w.Ctx, ann, s))(w)
	apptest.Must(w.Social.Unfollow(w.Ctx, ann, me))(w)
	w.Drain()
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != "[mention by ann: hi @me @ME @me@linnet.test]" {
		w.Errorf("afterwards: %s", got)
	}
	w.Check()
}

// TestWatchers checks that watchers are notified of each visible status once, except for reposts
// and replies to others.
func TestWatchers(t *testing.T) { apptest.OnEngines(t, watchers) }

func watchers(w *apptest.World) {
	me, ann := w.Person("me"), w.Person("ann")
	r := apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	if !r.Notify {
		w.Errorf("%+v", r)
	}
	first := w.Post(ann, "first")
	w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.Draft(ann, linnet.Draft{Text: "direct", Visibility: new(linnet.Direct)})
	w.Draft(ann, linnet.Draft{Text: "answer", InReplyTo: w.Post(w.Person("bob"), "hm").ID})
	apptest.Must(w.Posting.Repost(w.Ctx, ann, first.ID, nil))(w)
	w.Post(ann, "hello @me")
	w.Drain()
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != "[mention by ann: hello @me status by ann: private status by ann: first]" {
		w.Errorf("told: %s", got)
	}
	apptest.Must(w.Posting.Delete(w.Ctx, ann, first.ID))(w)
	apptest.Must(w.Social.Unfollow(w.Ctx, me, ann))(w)
	w.Post(ann, "later")
	w.Drain()
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != "[mention by ann: hello @me]" {
		w.Errorf("after the end: %s", got)
	}
	w.Check()
}

// TestNotificationActs checks that a single notification can be read and dismissed, and that
// clearing keeps the record of mentions.
func TestNotificationActs(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann := w.Person("me"), w.Person("ann")
		for i := range 3 {
			w.Post(ann, "%d @me", i)
		}
		w.Drain()
		all := w.NoticesOf(me, linnet.NotificationFilter{}, 40)
		one := apptest.Must(w.Notify.Notification(w.Ctx, me, all[1].ID))(w)
		if one.Status.Text != "1 @me" {
			w.Errorf("%+v", one.Status)
		}
		_, err := w.Notify.Notification(w.Ctx, ann, all[1].ID)
		apptest.WantKind(w, err, linnet.NotFound)
		apptest.WantKind(w, w.Notify.DismissNotification(w.Ctx, ann, all[1].ID), linnet.NotFound)
		if err := w.Notify.DismissNotification(w.Ctx, me, all[1].ID); err != nil {
			w.Error(err)
		}
		apptest.WantKind(w, w.Notify.DismissNotification(w.Ctx, me, all[1].ID), linnet.NotFound)
		if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 1)); got != "[mention by ann: 2 @me mention by ann: 0 @me]" {
			w.Errorf("left: %s", got)
		}
		up := apptest.Must(w.Notify.Notifications(w.Ctx, me, linnet.NotificationFilter{}, linnet.Page{Min: linnet.CursorOf(all[2].ID)}))(w)
		since := apptest.Must(w.Notify.Notifications(w.Ctx, me, linnet.NotificationFilter{}, linnet.Page{Since: linnet.CursorOf(all[2].ID)}))(w)
		if len(up.Items) != 1 || len(since.Items) != 1 || up.Items[0].ID != all[0].ID {
			w.Errorf("newer: %s %s", apptest.NoticeText(up.Items), apptest.NoticeText(since.Items))
		}
		if err := w.Notify.ClearNotifications(w.Ctx, me); err != nil {
			w.Error(err)
		}
		if got := w.NoticesOf(me, linnet.NotificationFilter{}, 40); len(got) != 0 {
			w.Errorf("after clearing: %s", apptest.NoticeText(got))
		}
		mentions := w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Mentions(w.Ctx, me, p) })
		if got := fmt.Sprint(apptest.Texts(mentions)); got != "[2 @me 1 @me 0 @me]" {
			w.Errorf("mentions: %s", got)
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, mentions[0].ID))(w)
		if got := apptest.Must(w.Reading.Mentions(w.Ctx, me, linnet.Page{}))(w); len(got.Items) != 2 {
			w.Errorf("mentions after a deletion: %v", apptest.Texts(got.Items))
		}
	})
}

// TestNotificationsAreTrimmed checks that only the newest notifications are stored, up to the
// limit.
func TestNotificationsAreTrimmed(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann := w.Person("me"), w.Person("ann")
	for i := range linnet.MaxNotifications + 500 {
		w.Post(ann, "%d @me", i)
	}
	all := w.NoticesOf(me, linnet.NotificationFilter{}, 80)
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
