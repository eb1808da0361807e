package app_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// TestPushOvertakenByUnfollow checks that a rebuilt feed stays without an author who was
// unfollowed, or removed from a list, after a batch had read the members and before it pushed.
func TestPushOvertakenByUnfollow(t *testing.T) {
	e := &apptest.Interposed{Engine: memkv.New(memkv.Options{})}
	w := apptest.New(t, e)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(bob, ann)
	w.Follow(cat, ann)
	list := w.List(bob, linnet.ListChange{})
	w.AddTo(bob, list, ann)
	w.AddTo(bob, list, cat)
	w.Post(ann, "before")
	w.Home(cat, 20)
	acts := map[kv.Key]func(){
		record.HomeKey(bob): func() {
			apptest.Must(w.Social.Unfollow(w.Ctx, bob, ann))(t)
			w.Home(bob, 20)
		},
		record.ListFeedKey(list): func() {
			if err := w.Lists.RemoveFromList(w.Ctx, bob, list, []linnet.ID{ann}); err != nil {
				t.Error(err)
			}
			apptest.Must(w.Feeds.ListTimeline(w.Ctx, bob, list, linnet.Page{}))(t)
		},
	}
	for feed, act := range acts {
		e.Next.Store(&apptest.Interposition{Feed: feed, Do: act})
		if w.Post(ann, "meanwhile"); e.Next.Load() != nil {
			t.Fatalf("nothing was pushed to %v", feed)
		}
		w.Drain()
		b := w.Store.Batch()
		page := b.Feed(feed, db.Span{Limit: 20})
		if err := b.Run(w.Ctx); err != nil || page.Cold || page.Filling || len(page.IDs()) > 0 {
			t.Errorf("%v holds %v (cold %v), %v", feed, page.IDs(), page.Cold, err)
		}
	}
	if got := apptest.Texts(w.Home(cat, 20)); len(got) != 3 {
		t.Errorf("who stayed has %v", got)
	}
	w.Check()
}

// TestPushOvertakenByDeletion checks that a status that is deleted while a batch pushes it leaves
// nothing behind.
func TestPushOvertakenByDeletion(t *testing.T) {
	for _, vis := range []linnet.Visibility{linnet.Public, linnet.Direct} {
		e := &apptest.Interposed{Engine: memkv.New(memkv.Options{})}
		w := apptest.New(t, e)
		ann, bob := w.Person("ann"), w.Person("bob")
		apptest.Must(w.Social.Follow(w.Ctx, bob, ann, linnet.FollowOptions{Notify: new(true)}))(t)
		list := w.List(bob, linnet.ListChange{})
		w.AddTo(bob, list, ann)
		w.Home(bob, 20)
		w.Home(ann, 20)
		apptest.Must(w.Feeds.ListTimeline(w.Ctx, bob, list, linnet.Page{}))(t)
		feed := record.HomeKey(bob)
		if vis == linnet.Direct {
			feed = record.HomeKey(ann)
		}
		e.Next.Store(&apptest.Interposition{Feed: feed, Do: func() {
			mine := apptest.Must(w.Reading.Profile(w.Ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{}))(t)
			apptest.Must(w.Posting.Delete(w.Ctx, ann, mine.Items[0].ID))(t)
		}})
		_, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "@bob #gone", Visibility: &vis})
		apptest.WantKind(t, err, linnet.NotFound) // deleted before the response
		w.Drain()
		for _, feed := range []kv.Key{record.HomeKey(bob), record.HomeKey(ann), record.ListFeedKey(list)} {
			b := w.Store.Batch()
			if page := b.Feed(feed, db.Span{Limit: 20}); b.Run(w.Ctx) != nil || len(page.IDs()) > 0 {
				t.Errorf("%v: %v holds %v", vis, feed, page.IDs())
			}
		}
		if got := w.ConversationTexts(bob) + w.ConversationTexts(ann); got != "" {
			t.Errorf("%v: conversations %q", vis, got)
		}
		w.Check()
	}
}
