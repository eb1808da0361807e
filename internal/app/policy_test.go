package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// policy changes a user's notification policy.
func (w *world) policy(me linnet.ID, c linnet.PolicyChange) {
	w.Helper()
	must(w.Notify.ChangePolicy(w.ctx, me, c))(w)
}

// TestPolicy checks that filtered notifications are held as requests: listed on demand, merged when
// accepted, and deleted when dismissed. Dropped notifications are never stored.
func TestPolicy(t *testing.T) { onEngines(t, policies) }

func policies(w *world) {
	me, ann, bob, fan := w.person("me"), w.person("ann"), w.person("bob"), w.person("fan")
	w.follow(me, fan)
	s := w.post(me, "mine").ID
	w.policy(me, linnet.PolicyChange{NotFollowing: linnet.Hold})
	for _, who := range []linnet.ID{ann, bob, fan} {
		w.post(who, "hello @me")
		must(w.Posting.Marks.Favourite(w.ctx, who, s))(w)
	}
	gone := w.post(ann, "@me, this goes").ID
	w.drain()
	shown := func(f linnet.NotificationFilter, want string) {
		w.Helper()
		if got := noticeText(w.noticesOf(me, f, 2)); got != want {
			w.Errorf("got  %s\nwant %s", got, want)
		}
	}
	shown(linnet.NotificationFilter{}, "[favourite by fan: mine mention by fan: hello @me]")
	shown(linnet.NotificationFilter{Held: true, Exclude: []linnet.NotificationType{linnet.NotifyFavourite}},
		"[mention by ann: @me, this goes mention by fan: hello @me mention by bob: hello @me mention by ann: hello @me]")
	must(w.Posting.Delete(w.ctx, ann, gone))(w)
	p := must(w.Notify.NotificationPolicy(w.ctx, me))(w)
	rs := must(w.Notify.NotificationRequests(w.ctx, me, linnet.Page{Limit: 1}))(w)
	older := must(w.Notify.NotificationRequests(w.ctx, me, linnet.Page{Limit: 1, Max: rs.Last}))(w)
	if p.Requests != 2 || p.Notifications != 4 || len(rs.Items) != 1 || len(older.Items) != 1 || older.Last != "" {
		w.Fatalf("%+v, %d and %d on pages", p, len(rs.Items), len(older.Items))
	}
	ofBob, ofAnn := rs.Items[0], older.Items[0]
	if ofBob.By.ID != bob || ofAnn.By.ID != ann || ofAnn.Count != 2 || ofAnn.Status == nil {
		w.Errorf("requests of %s and %s", ofBob.By.Login, ofAnn.By.Login)
	}
	back := must(w.Notify.NotificationRequests(w.ctx, me, linnet.Page{Limit: 1, Min: older.First}))(w)
	if len(back.Items) != 1 || back.Items[0].ID != ofBob.ID {
		w.Errorf("upwards: %+v", back.Items)
	}
	for range 2 { // the second time there is nothing
		if err := w.Notify.AcceptRequests(w.ctx, me, []linnet.ID{ofAnn.ID}); err != nil {
			w.Error(err)
		}
		if err := w.Notify.DismissRequests(w.ctx, me, []linnet.ID{ofBob.ID}); err != nil {
			w.Error(err)
		}
		w.drain()
	}
	if !must(w.Notify.NotificationsMerged(w.ctx, me))(w) {
		w.Error("not merged")
	}
	_, err := w.Notify.NotificationRequest(w.ctx, me, ofAnn.ID)
	kindIs(w, err, linnet.NotFound)
	w.post(ann, "again @me")
	w.post(bob, "and again @me")
	w.drain()
	shown(linnet.NotificationFilter{From: ann}, "[mention by ann: again @me favourite by ann: mine mention by ann: hello @me]")
	if rs := must(w.Notify.NotificationRequests(w.ctx, me, linnet.Page{}))(w); len(rs.Items) != 1 || rs.Items[0].By.ID != bob || rs.Items[0].Count != 1 {
		w.Errorf("%d requests afterwards", len(rs.Items))
	}
	w.policy(me, linnet.PolicyChange{NotFollowing: linnet.Drop})
	dropsFrom(w, me, bob, fan, s)
}

// dropsFrom checks that notifications of bob's actions are dropped, and that undone actions remove
// theirs.
func dropsFrom(w *world, me, bob, fan, s linnet.ID) {
	w.Helper()
	shown := func(f linnet.NotificationFilter, want string) {
		w.Helper()
		if got := noticeText(w.noticesOf(me, f, 2)); got != want {
			w.Errorf("got  %s\nwant %s", got, want)
		}
	}
	must(w.Posting.Repost(w.ctx, bob, s, nil))(w)
	must(w.Posting.Marks.Unfavourite(w.ctx, fan, s))(w)
	must(w.Posting.Marks.Unfavourite(w.ctx, bob, s))(w)
	w.drain()
	shown(linnet.NotificationFilter{From: bob, Held: true}, "[mention by bob: and again @me]")
	if err := w.Notify.ClearNotifications(w.ctx, me); err != nil {
		w.Error(err)
	}
	shown(linnet.NotificationFilter{Held: true}, "[]")
	w.check()
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
			w := memWorld(t)
			me, stranger, followed, follower := w.person("me"), w.person("stranger"), w.person("followed"), w.person("follower")
			w.follow(me, followed)
			w.follow(follower, me)
			w.policy(me, c.policy)
			direct := new(linnet.Direct)
			question := w.draft(me, linnet.Draft{Text: "@stranger hm?", Visibility: direct})
			sent := []linnet.StatusView{
				w.post(stranger, "@me"), w.post(followed, "@me"), w.post(follower, "@me"),
				w.draft(stranger, linnet.Draft{Text: "@me answer", Visibility: direct, InReplyTo: question.ID}),
				w.draft(stranger, linnet.Draft{Text: "@me psst", Visibility: direct})}
			w.drain()
			got := ""
			for _, s := range sent {
				n := 0
				for _, v := range w.noticesOf(me, linnet.NotificationFilter{Types: []linnet.NotificationType{linnet.NotifyMention}}, 40) {
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
			w, e := faultWorld(t)
			me, ann := w.person("me"), w.person("ann")
			w.policy(me, linnet.PolicyChange{NotFollowing: linnet.Hold})
			for i := range 3 {
				w.post(ann, "%d @me", i)
			}
			serve(t, e, store.Options{})
			e.Reset()
			rs := must(w.Notify.NotificationRequests(w.ctx, me, linnet.Page{}))(t)
			e.FailAt(n, when)
			for try := 0; w.Notify.AcceptRequests(w.ctx, me, []linnet.ID{rs.Items[0].ID}) != nil; try++ {
				if try == 3 {
					t.Fatal("no end")
				}
			}
			e.Reset()
			fresh := serve(t, e, store.Options{})
			if got := noticeText(fresh.noticesOf(me, linnet.NotificationFilter{}, 2)); got != "[mention by ann: 2 @me mention by ann: 1 @me mention by ann: 0 @me]" {
				t.Errorf("write %d fails (%v): %s", n, when, got)
			}
			if !must(fresh.Notify.NotificationsMerged(fresh.ctx, me))(t) {
				t.Errorf("write %d fails (%v): never merged", n, when)
			}
			fresh.check()
		}
	}
}
