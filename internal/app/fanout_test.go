package app_test

import (
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// crowd creates n followers of an author with the same follow time and warm home feeds. They are
// ids without accounts.
func (w *world) crowd(author linnet.ID, n int) []linnet.ID {
	w.Helper()
	return crowd(w, w.store.Engine(), author, n, n)
}

// crowd creates n followers over an engine. Groups of atOnce followers have the same follow time.
func crowd(t testing.TB, e kv.Engine, author linnet.ID, n, atOnce int) []linnet.ID {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fans := make([]linnet.ID, n)
	var ops []kv.Op
	for i := range fans {
		fans[i] = linnet.MakeID(at.Add(time.Duration(i/kv.Shards)*time.Millisecond), uint16(i%kv.Shards), 7)
		ops = append(ops, kv.Add{Key: record.Follows().CopyKey(author), Member: fans[i].String(), Score: at.UnixMilli() + int64(i/atOnce)},
			kv.Add{Key: record.Follows().OwnedKey(fans[i]), Member: author.String(), Score: at.UnixMilli()},
			kv.Fill{Key: record.HomeKey(fans[i]), Token: "t", TTL: time.Minute},
			kv.Filled{Key: record.HomeKey(fans[i]), Token: "t"})
		if len(ops) > kv.MaxApply-4 || i == n-1 {
			if err := e.Apply(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
			ops = nil
		}
	}
	return fans
}

// feeds reads the home feeds of many users.
func (w *world) feeds(of []linnet.ID) [][]linnet.ID {
	w.Helper()
	b := w.store.Batch()
	pages := make([]*db.FeedPage, len(of))
	for i, id := range of {
		pages[i] = b.Feed(record.HomeKey(id), db.Span{Limit: kv.MaxRange})
	}
	if err := b.Run(w.ctx); err != nil {
		w.Fatal(err)
	}
	out := make([][]linnet.ID, len(of))
	for i, p := range pages {
		if p.Cold || p.Filling {
			w.Fatalf("the feed of follower %d is cold", i)
		}
		out[i] = p.IDs()
	}
	return out
}

// TestFollowersOfOneInstant checks that 2,501 followers with the same follow time each receive a
// status exactly once. A cursor that is only a score would stop after 1,001.
func TestFollowersOfOneInstant(t *testing.T) { onEngines(t, followersOfOneInstant) }

func followersOfOneInstant(w *world) {
	ann := w.person("ann")
	fans := w.crowd(ann, 2501)
	first, last := w.post(ann, "first").ID, w.post(ann, "second").ID
	w.drain()
	for i, feed := range w.feeds(fans) {
		if len(feed) != 2 || feed[0] != last || feed[1] != first {
			w.Fatalf("follower %d has %v, want %v and %v", i, feed, last, first)
		}
	}
	must(w.Posting.Delete(w.ctx, ann, first))(w)
	w.drain()
	for i, feed := range w.feeds(fans) {
		if len(feed) != 1 || feed[0] != last {
			w.Fatalf("after the deletion follower %d has %v", i, feed)
		}
	}
}

// TestFirstHundredBeforeTheAnswer checks that a post serves the first hundred followers before its
// response.
func TestFirstHundredBeforeTheAnswer(t *testing.T) {
	w, _ := faultWorld(t) // without tasks
	ann := w.person("ann")
	fans := w.crowd(ann, 1500)
	id := w.post(ann, "x").ID
	served := 0
	for _, feed := range w.feeds(fans) {
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
	w := newCosts(t)
	ann := w.person("ann")
	w.crowd(ann, 5000)
	w.post(ann, "warms the caches")
	s := w.of("a post to 5,000 followers", func() { w.post(ann, "x") })
	if s.Changes > 5000+20 || s.Applies > 6+3 || s.Txns > 4 || s.Reads > 2*6+8 {
		t.Errorf("too much: %+v", s)
	}
}

// again stores a task again, as if a worker had delayed it.
func (w *world) again(kind string, args any) {
	w.Helper()
	tk, err := task.New(3, kind, args, w.store.Now().Add(-time.Hour))
	if err != nil {
		w.Fatal(err)
	}
	if _, err := w.store.Engine().Txn(w.ctx, nil, tk.Ops()...); err != nil {
		w.Fatal(err)
	}
}

// TestLateFanout checks that a late or repeated fan-out restores nothing after an unfollow or a
// deletion, and adds nothing twice.
func TestLateFanout(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := idleWorld(t, e, store.Options{})
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(bob, ann)
	w.follow(cat, ann)
	old, new := w.post(ann, "old #tag @cat"), w.post(ann, "new")
	w.home(bob, 20)
	w.home(cat, 20)
	must(w.Social.Unfollow(w.ctx, bob, ann))(t)
	must(w.Posting.Delete(w.ctx, ann, old.ID))(t)
	for range 2 {
		for _, v := range []linnet.StatusView{old, new} {
			w.again("publish", map[string]any{"status": v.ID})
			w.again("edge", map[string]any{"kind": "follow", "owner": bob, "other": ann})
		}
	}
	w.again("publish", map[string]any{"status": new.ID, "stage": 1})
	w = serve(t, e, store.Options{})
	if got := texts(w.home(bob, 20)); len(got) != 0 {
		t.Errorf("bob, who unfollowed, has %v", got)
	}
	if got := texts(w.home(cat, 20)); len(got) != 1 || got[0] != "new" {
		t.Errorf("cat has %v", got)
	}
	if n := must(w.Notify.Notifications(w.ctx, cat, linnet.NotificationFilter{}, linnet.Page{}))(t); len(n.Items) != 0 {
		t.Errorf("notifications of what was deleted: %v", n.Items)
	}
	w.check()
}

// hasFollowed makes a user follow n ids without accounts.
func (w *world) hasFollowed(me linnet.ID, n int) {
	w.Helper()
	var ops []kv.Op
	for i := range n {
		ops = append(ops, kv.Add{Key: record.Follows().OwnedKey(me), Member: linnet.MakeID(time.UnixMilli(1e12), uint16(i%kv.Shards), uint8(i/kv.Shards)).String(), Score: 1})
		if len(ops) == 900 || i == n-1 {
			if i == n-1 {
				ops = append(ops, kv.Incr{Key: kv.Key{Kind: "counts", Shard: me.Shard(), ID: me.String()}, Name: "following", By: int64(n)})
			}
			if _, err := w.store.Engine().Txn(w.ctx, nil, ops...); err != nil {
				w.Fatal(err)
			}
			ops = nil
		}
	}
}

// TestFanoutOfEarlierReleases checks that tasks of releases up to 2026, with numbers as steps, are
// still processed.
func TestFanoutOfEarlierReleases(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := idleWorld(t, e, store.Options{})
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(bob, ann)
	w.follow(cat, ann)
	list := w.list(bob, linnet.ListChange{})
	w.addTo(bob, list, ann)
	gone := w.post(ann, "gone #tag @cat")
	w.home(bob, 20)
	must(w.Posting.Marks.Favourite(w.ctx, cat, gone.ID))(t)
	must(w.Posting.Repost(w.ctx, bob, gone.ID, nil))(t)
	w.draft(cat, linnet.Draft{Text: "an answer", InReplyTo: gone.ID})
	erase := must(task.New(ann.Shard(), "erase", map[string]any{"status": gone.ID, "by": ann, "tags": []string{"tag"}, "mentions": []linnet.ID{cat}, "vis": 0, "stage": 0}, w.store.Now().Add(-time.Hour)))(t)
	if !must(w.store.Statuses.DeleteStatus(w.ctx, must(w.store.Statuses.Status(w.ctx, gone.ID))(t), []string{"tag"}, false, erase))(t) {
		t.Fatal("not deleted")
	}
	dan := w.person("dan")
	w.follow(dan, ann)
	if err := w.Social.Deletion.DeleteUser(w.ctx, dan); err != nil {
		t.Fatal(err)
	}
	kept := w.post(ann, "kept")
	w = serve(t, e, store.Options{})
	w.check()
	for n := range 9 {
		w.again("publish", map[string]any{"status": kept.ID, "stage": n})
		w.again("erase", map[string]any{"status": gone.ID, "by": ann, "vis": 0, "stage": n})
	}
	for n := range 23 {
		w.again("forget-user", map[string]any{"user": dan, "login": "dan", "stage": n})
	}
	w = serve(t, e, store.Options{})
	if got := texts(w.home(bob, 20)); len(got) != 1 || got[0] != "kept" {
		t.Errorf("home of bob: %v", got)
	}
	if n := must(w.Notify.Notifications(w.ctx, cat, linnet.NotificationFilter{}, linnet.Page{}))(t); len(n.Items) != 0 {
		t.Errorf("notifications of what was deleted: %v", n.Items)
	}
	w.check()
}
