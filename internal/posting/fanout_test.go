package posting_test

import (
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// TestFollowersOfOneInstant checks that 2,501 followers with the same follow time each receive a
// status exactly once. A cursor that is only a score would stop after 1,001.
func TestFollowersOfOneInstant(t *testing.T) { apptest.OnEngines(t, followersOfOneInstant) }

func followersOfOneInstant(w *apptest.World) {
	ann := w.Person("ann")
	fans := w.Crowd(ann, 2501)
	first, last := w.Post(ann, "first").ID, w.Post(ann, "second").ID
	w.Drain()
	for i, feed := range w.HomeFeeds(fans) {
		if len(feed) != 2 || feed[0] != last || feed[1] != first {
			w.Fatalf("follower %d has %v, want %v and %v", i, feed, last, first)
		}
	}
	apptest.Must(w.Posting.Delete(w.Ctx, ann, first))(w)
	w.Drain()
	for i, feed := range w.HomeFeeds(fans) {
		if len(feed) != 1 || feed[0] != last {
			w.Fatalf("after the deletion follower %d has %v", i, feed)
		}
	}
}

// TestFirstHundredBeforeTheAnswer checks that a post serves the first hundred followers before its
// response.
func TestFirstHundredBeforeTheAnswer(t *testing.T) {
	w, _ := apptest.Faulty(t) // without tasks
	ann := w.Person("ann")
	fans := w.Crowd(ann, 1500)
	id := w.Post(ann, "x").ID
	served := 0
	for _, feed := range w.HomeFeeds(fans) {
		if len(feed) == 1 && feed[0] == id {
			served++
		}
	}
	if served != timeline.FirstBatch {
		t.Errorf("%d of 1500 were served with the answer", served)
	}
}

// TestFanoutCost limits the cost of a fan-out: three round trips per batch and one change per
// follower. One batch precedes the response, and five batches of a thousand follow it.
func TestFanoutCost(t *testing.T) {
	w := apptest.NewCosts(t)
	ann := w.Person("ann")
	w.Crowd(ann, 5000)
	w.Post(ann, "warms the caches")
	s := w.Of("a post to 5,000 followers", func() { w.Post(ann, "x") })
	if s.Changes > 5000+20 || s.Applies > 6+3 || s.Txns > 4 || s.Reads > 2*6+8 {
		t.Errorf("too much: %+v", s)
	}
}

// TestLateFanout checks that a late or repeated fan-out restores nothing after an unfollow or a
// deletion, and adds nothing twice.
func TestLateFanout(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.Idle(t, e, store.Options{})
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(bob, ann)
	w.Follow(cat, ann)
	old, new := w.Post(ann, "old #tag @cat"), w.Post(ann, "new")
	w.Home(bob, 20)
	w.Home(cat, 20)
	apptest.Must(w.Social.Unfollow(w.Ctx, bob, ann))(t)
	apptest.Must(w.Posting.Delete(w.Ctx, ann, old.ID))(t)
	for range 2 {
		for _, v := range []linnet.StatusView{old, new} {
			w.RepeatTask("publish", map[string]any{"status": v.ID})
			w.RepeatTask("edge", map[string]any{"kind": "follow", "owner": bob, "other": ann})
		}
	}
	w.RepeatTask("publish", map[string]any{"status": new.ID, "stage": 1})
	w = apptest.Serve(t, e, store.Options{})
	if got := apptest.Texts(w.Home(bob, 20)); len(got) != 0 {
		t.Errorf("bob, who unfollowed, has %v", got)
	}
	if got := apptest.Texts(w.Home(cat, 20)); len(got) != 1 || got[0] != "new" {
		t.Errorf("cat has %v", got)
	}
	if n := apptest.Must(w.Notify.Notifications(w.Ctx, cat, linnet.NotificationFilter{}, linnet.Page{}))(t); len(n.Items) != 0 {
		t.Errorf("notifications of what was deleted: %v", n.Items)
	}
	w.Check()
}

// TestFanoutOfEarlierReleases checks that tasks of releases up to 2026, with numbers as steps, are
// still processed.
func TestFanoutOfEarlierReleases(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.Idle(t, e, store.Options{})
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(bob, ann)
	w.Follow(cat, ann)
	list := w.List(bob, linnet.ListChange{})
	w.AddTo(bob, list, ann)
	gone := w.Post(ann, "gone #tag @cat")
	w.Home(bob, 20)
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, cat, gone.ID))(t)
	apptest.Must(w.Posting.Repost(w.Ctx, bob, gone.ID, nil))(t)
	w.Draft(cat, linnet.Draft{Text: "an answer", InReplyTo: gone.ID})
	erase := apptest.Must(task.New(ann.Shard(), "erase", map[string]any{"status": gone.ID, "by": ann, "tags": []string{"tag"}, "mentions": []linnet.ID{cat}, "vis": 0, "stage": 0}, w.Store.Now().Add(-time.Hour)))(t)
	if !apptest.Must(w.Store.Statuses.DeleteStatus(w.Ctx, apptest.Must(w.Store.Statuses.Status(w.Ctx, gone.ID))(t), []string{"tag"}, false, erase))(t) {
		t.Fatal("not deleted")
	}
	dan := w.Person("dan")
	w.Follow(dan, ann)
	if err := w.Social.Deletion.DeleteUser(w.Ctx, dan); err != nil {
		t.Fatal(err)
	}
	kept := w.Post(ann, "kept")
	w = apptest.Serve(t, e, store.Options{})
	w.Check()
	for n := range 9 {
		w.RepeatTask("publish", map[string]any{"status": kept.ID, "stage": n})
		w.RepeatTask("erase", map[string]any{"status": gone.ID, "by": ann, "vis": 0, "stage": n})
	}
	for n := range 23 {
		w.RepeatTask("forget-user", map[string]any{"user": dan, "login": "dan", "stage": n})
	}
	w = apptest.Serve(t, e, store.Options{})
	if got := apptest.Texts(w.Home(bob, 20)); len(got) != 1 || got[0] != "kept" {
		t.Errorf("home of bob: %v", got)
	}
	if n := apptest.Must(w.Notify.Notifications(w.Ctx, cat, linnet.NotificationFilter{}, linnet.Page{}))(t); len(n.Items) != 0 {
		t.Errorf("notifications of what was deleted: %v", n.Items)
	}
	w.Check()
}
