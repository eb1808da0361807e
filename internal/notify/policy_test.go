package notify_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestPolicy checks that filtered notifications are held as requests: listed on demand, merged when
// accepted, and deleted when dismissed. Dropped notifications are never stored.
func TestPolicy(t *testing.T) { apptest.OnEngines(t, policies) }

func policies(w *apptest.World) {
	me, ann, bob, fan := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("fan")
	w.Follow(me, fan)
	s := w.Post(me, "mine").ID
	w.Policy(me, linnet.PolicyChange{NotFollowing: linnet.Hold})
	for _, who := range []linnet.ID{ann, bob, fan} {
		w.Post(who, "hello @me")
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, who, s))(w)
	}
	gone := w.Post(ann, "@me, this goes").ID
	w.Drain()
	shown := func(f linnet.NotificationFilter, want string) {
		w.Helper()
		if got := apptest.NoticeText(w.NoticesOf(me, f, 2)); got != want {
			w.Errorf("got  %s\nwant %s", got, want)
		}
	}
	shown(linnet.NotificationFilter{}, "[favourite by fan: mine mention by fan: hello @me]")
	shown(linnet.NotificationFilter{Held: true, Exclude: []linnet.NotificationType{linnet.NotifyFavourite}},
		"[mention by ann: @me, this goes mention by fan: hello @me mention by bob: hello @me mention by ann: hello @me]")
	apptest.Must(w.Posting.Delete(w.Ctx, ann, gone))(w)
	p := apptest.Must(w.Notify.NotificationPolicy(w.Ctx, me))(w)
	rs := apptest.Must(w.Notify.NotificationRequests(w.Ctx, me, linnet.Page{Limit: 1}))(w)
	older := apptest.Must(w.Notify.NotificationRequests(w.Ctx, me, linnet.Page{Limit: 1, Max: rs.Last}))(w)
	if p.Requests != 2 || p.Notifications != 4 || len(rs.Items) != 1 || len(older.Items) != 1 || older.Last != "" {
		w.Fatalf("%+v, %d and %d on pages", p, len(rs.Items), len(older.Items))
	}
	ofBob, ofAnn := rs.Items[0], older.Items[0]
	if ofBob.By.ID != bob || ofAnn.By.ID != ann || ofAnn.Count != 2 || ofAnn.Status == nil {
		w.Errorf("requests of %s and %s", ofBob.By.Login, ofAnn.By.Login)
	}
	back := apptest.Must(w.Notify.NotificationRequests(w.Ctx, me, linnet.Page{Limit: 1, Min: older.First}))(w)
	if len(back.Items) != 1 || back.Items[0].ID != ofBob.ID {
		w.Errorf("upwards: %+v", back.Items)
	}
	for range 2 { // the second time there is nothing
		if err := w.Notify.AcceptRequests(w.Ctx, me, []linnet.ID{ofAnn.ID}); err != nil {
			w.Error(err)
		}
		if err := w.Notify.DismissRequests(w.Ctx, me, []linnet.ID{ofBob.ID}); err != nil {
			w.Error(err)
		}
		w.Drain()
	}
	if !apptest.Must(w.Notify.NotificationsMerged(w.Ctx, me))(w) {
		w.Error("not merged")
	}
	_, err := w.Notify.NotificationRequest(w.Ctx, me, ofAnn.ID)
	apptest.WantKind(w, err, linnet.NotFound)
	w.Post(ann, "again @me")
	w.Post(bob, "and again @me")
	w.Drain()
	shown(linnet.NotificationFilter{From: ann}, "[mention by ann: again @me favourite by ann: mine mention by ann: hello @me]")
	if rs := apptest.Must(w.Notify.NotificationRequests(w.Ctx, me, linnet.Page{}))(w); len(rs.Items) != 1 || rs.Items[0].By.ID != bob || rs.Items[0].Count != 1 {
		w.Errorf("%d requests afterwards", len(rs.Items))
	}
	w.Policy(me, linnet.PolicyChange{NotFollowing: linnet.Drop})
	dropsFrom(w, me, bob, fan, s)
}

// dropsFrom checks that notifications of bob's actions are dropped, and that undone actions remove
// theirs.
func dropsFrom(w *apptest.World, me, bob, fan, s linnet.ID) {
	w.Helper()
	shown := func(f linnet.NotificationFilter, want string) {
		w.Helper()
		if got := apptest.NoticeText(w.NoticesOf(me, f, 2)); got != want {
			w.Errorf("got  %s\nwant %s", got, want)
		}
	}
	apptest.Must(w.Posting.Repost(w.Ctx, bob, s, nil))(w)
	apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, fan, s))(w)
	apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, bob, s))(w)
	w.Drain()
	shown(linnet.NotificationFilter{From: bob, Held: true}, "[mention by bob: and again @me]")
	if err := w.Notify.ClearNotifications(w.Ctx, me); err != nil {
		w.Error(err)
	}
	shown(linnet.NotificationFilter{Held: true}, "[]")
	w.Check()
}

// TestPolicyRules checks that each rule of a policy applies to its group of senders only.
func TestPolicyRules(t *testing.T) {
	for name, c := range map[string]struct {
		policy linnet.PolicyChange
		want   string // notifications of a stranger, a followee, a follower, a reply and a stranger's direct mention
	}{
		"not following":    {linnet.PolicyChange{NotFollowing: linnet.Drop}, "01000"},
		"not followers":    {linnet.PolicyChange{NotFollowers: linnet.Drop}, "00100"},
		"new accounts":     {linnet.PolicyChange{NewAccounts: linnet.Drop}, "01000"},
		"private mentions": {linnet.PolicyChange{PrivateMentions: linnet.Drop}, "11110"},
		"all accepted":     {linnet.PolicyChange{}, "11111"},
	} {
		t.Run(name, func(t *testing.T) {
			w := apptest.InMemory(t)
			me, stranger, followed, follower := w.Person("me"), w.Person("stranger"), w.Person("followed"), w.Person("follower")
			w.Follow(me, followed)
			w.Follow(follower, me)
			w.Policy(me, c.policy)
			direct := new(linnet.Direct)
			question := w.Draft(me, linnet.Draft{Text: "@stranger hm?", Visibility: direct})
			sent := []linnet.StatusView{
				w.Post(stranger, "@me"), w.Post(followed, "@me"), w.Post(follower, "@me"),
				w.Draft(stranger, linnet.Draft{Text: "@me answer", Visibility: direct, InReplyTo: question.ID}),
				w.Draft(stranger, linnet.Draft{Text: "@me psst", Visibility: direct})}
			w.Drain()
			got := ""
			for _, s := range sent {
				n := 0
				for _, v := range w.NoticesOf(me, linnet.NotificationFilter{Types: []linnet.NotificationType{linnet.NotifyMention}}, 40) {
					if v.Status.ID == s.ID {
						n++
					}
				}
				got += fmt.Sprint(n)
			}
			if got != c.want {
				t.Errorf("told %s, want %s", got, c.want)
			}
		})
	}
}

// TestEachWriteOfAnAcceptance checks that all held notifications are merged once after an
// acceptance is repeated, whichever of its writes fails.
func TestEachWriteOfAnAcceptance(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, when := range []faultkv.When{faultkv.Before, faultkv.After, faultkv.Half} {
			w, e := apptest.Faulty(t)
			me, ann := w.Person("me"), w.Person("ann")
			w.Policy(me, linnet.PolicyChange{NotFollowing: linnet.Hold})
			for i := range 3 {
				w.Post(ann, "%d @me", i)
			}
			apptest.Serve(t, e, store.Options{})
			e.Reset()
			rs := apptest.Must(w.Notify.NotificationRequests(w.Ctx, me, linnet.Page{}))(t)
			e.FailAt(n, when)
			for try := 0; w.Notify.AcceptRequests(w.Ctx, me, []linnet.ID{rs.Items[0].ID}) != nil; try++ {
				if try == 3 {
					t.Fatal("no end")
				}
			}
			e.Reset()
			fresh := apptest.Serve(t, e, store.Options{})
			if got := apptest.NoticeText(fresh.NoticesOf(me, linnet.NotificationFilter{}, 2)); got != "[mention by ann: 2 @me mention by ann: 1 @me mention by ann: 0 @me]" {
				t.Errorf("write %d fails (%v): %s", n, when, got)
			}
			if !apptest.Must(fresh.Notify.NotificationsMerged(fresh.Ctx, me))(t) {
				t.Errorf("write %d fails (%v): never merged", n, when)
			}
			fresh.Check()
		}
	}
}
