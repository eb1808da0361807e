package app_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// interposed is an engine that calls a function once, before the first push to a feed or the first
// removal from it. Workers can write meanwhile.
type interposed struct {
	kv.Engine
	next atomic.Pointer[interposition]
}

type interposition struct {
	feed kv.Key
	do   func()
}

func (e *interposed) Apply(ctx context.Context, ops ...kv.Op) error {
	e.before(ops, func(op kv.Op) bool { _, pushes := op.(*kv.Push); return pushes })
	return e.Engine.Apply(ctx, ops...)
}

func (e *interposed) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	e.before(ops, func(op kv.Op) bool { _, pulls := op.(kv.Pull); return pulls })
	return e.Engine.Txn(ctx, conds, ops...)
}

// before calls the function if one of the ops changes the feed and satisfies such.
func (e *interposed) before(ops []kv.Op, such func(kv.Op) bool) {
	next := e.next.Load()
	if next == nil {
		return
	}
	meets := func(op kv.Op) bool { return such(op) && kv.KeyOfOp(op) == next.feed }
	if slices.ContainsFunc(ops, meets) && e.next.CompareAndSwap(next, nil) {
		next.do()
	}
}

// TestPushOvertakenByUnfollow checks that a rebuilt feed stays without an author who was
// unfollowed, or removed from a list, after a batch had read the members and before it pushed.
func TestPushOvertakenByUnfollow(t *testing.T) {
	e := &interposed{Engine: memkv.New(memkv.Options{})}
	w := newWorld(t, e)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(bob, ann)
	w.follow(cat, ann)
	list := w.list(bob, linnet.ListChange{})
	w.addTo(bob, list, ann)
	w.addTo(bob, list, cat)
	w.post(ann, "before")
	w.home(cat, 20)
	acts := map[kv.Key]func(){
		record.HomeKey(bob): func() {
			must(w.Social.Unfollow(w.ctx, bob, ann))(t)
			w.home(bob, 20)
		},
		record.ListFeedKey(list): func() {
			if err := w.Lists.RemoveFromList(w.ctx, bob, list, []linnet.ID{ann}); err != nil {
				t.Error(err)
			}
			must(w.Feeds.ListTimeline(w.ctx, bob, list, linnet.Page{}))(t)
		},
	}
	for feed, act := range acts {
		e.next.Store(&interposition{feed, act})
		if w.post(ann, "meanwhile"); e.next.Load() != nil {
			t.Fatalf("nothing was pushed to %v", feed)
		}
		w.drain()
		b := w.store.Batch()
		page := b.Feed(feed, db.Span{Limit: 20})
		if err := b.Run(w.ctx); err != nil || page.Cold || page.Filling || len(page.IDs()) > 0 {
			t.Errorf("%v holds %v (cold %v), %v", feed, page.IDs(), page.Cold, err)
		}
	}
	if got := texts(w.home(cat, 20)); len(got) != 3 {
		t.Errorf("who stayed has %v", got)
	}
	w.check()
}

// TestPushOvertakenByDeletion checks that a status that is deleted while a batch pushes it leaves
// nothing behind.
func TestPushOvertakenByDeletion(t *testing.T) {
	for _, vis := range []linnet.Visibility{linnet.Public, linnet.Direct} {
		e := &interposed{Engine: memkv.New(memkv.Options{})}
		w := newWorld(t, e)
		ann, bob := w.person("ann"), w.person("bob")
		must(w.Social.Follow(w.ctx, bob, ann, linnet.FollowOptions{Notify: new(true)}))(t)
		list := w.list(bob, linnet.ListChange{})
		w.addTo(bob, list, ann)
		w.home(bob, 20)
		w.home(ann, 20)
		must(w.Feeds.ListTimeline(w.ctx, bob, list, linnet.Page{}))(t)
		feed := record.HomeKey(bob)
		if vis == linnet.Direct {
			feed = record.HomeKey(ann)
		}
		e.next.Store(&interposition{feed, func() {
			mine := must(w.Reading.Profile(w.ctx, ann, ann, linnet.ProfileFilter{}, linnet.Page{}))(t)
			must(w.Posting.Delete(w.ctx, ann, mine.Items[0].ID))(t)
		}})
		_, err := w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "@bob #gone", Visibility: &vis})
		kindIs(t, err, linnet.NotFound) // deleted before the response
		w.drain()
		for _, feed := range []kv.Key{record.HomeKey(bob), record.HomeKey(ann), record.ListFeedKey(list)} {
			b := w.store.Batch()
			if page := b.Feed(feed, db.Span{Limit: 20}); b.Run(w.ctx) != nil || len(page.IDs()) > 0 {
				t.Errorf("%v: %v holds %v", vis, feed, page.IDs())
			}
		}
		if got := w.talks(bob) + w.talks(ann); got != "" {
			t.Errorf("%v: conversations %q", vis, got)
		}
		w.check()
	}
}

// addsPromotion is an engine that calls do before a promotion is added to a voter's source, and
// then waits until the source is cleared. A source can be cleared twice.
type addsPromotion struct {
	kv.Engine
	do      func() // called once
	source  atomic.Pointer[kv.Key]
	cleared chan struct{} // with a capacity of one
}

func (e *addsPromotion) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	add, ok := ops[0].(kv.Add)
	if ok && len(ops) == 1 && add.Key.Kind == record.PromotionSource(1).Kind && e.source.CompareAndSwap(nil, &add.Key) {
		e.do()
		select {
		case <-e.cleared:
		case <-time.After(time.Minute):
			return 0, errors.New("nobody has cleared the source")
		}
	}
	return e.Engine.Txn(ctx, conds, ops...)
}

func (e *addsPromotion) Apply(ctx context.Context, ops ...kv.Op) error {
	err := e.Engine.Apply(ctx, ops...)
	for _, op := range ops {
		if out, ok := op.(kv.Remove); ok && e.source.Load() != nil && out.Key == *e.source.Load() {
			select {
			case e.cleared <- struct{}{}:
			default: // already signalled
			}
		}
	}
	return err
}

// TestPromotionOvertakenByDeletion checks that a promotion that is revoked before it is added to a
// source does not stay in it.
func TestPromotionOvertakenByDeletion(t *testing.T) {
	e := &addsPromotion{Engine: memkv.New(memkv.Options{}), cleared: make(chan struct{}, 1)}
	b := newBallot(newWorld(t, e))
	st := b.post(b.ann, "good").ID
	e.do = func() { must(b.Posting.Delete(b.ctx, b.ann, st))(t) }
	for _, voter := range b.voters[:4] {
		if _, err := b.Posting.Marks.Favourite(b.ctx, voter, st); err != nil && linnet.KindOf(err) != linnet.NotFound {
			t.Fatal(err)
		}
	}
	b.drain()
	if e.source.Load() == nil {
		t.Fatal("nothing was put into a source")
	}
	b.check()
}
