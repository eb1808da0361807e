package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// feedOf returns the contents of a feed, and whether it is warm.
func (w *world) feedOf(key kv.Key) (ids []linnet.ID, warm bool) {
	w.Helper()
	b := w.store.Batch()
	page := b.Feed(key, db.Span{Limit: kv.MaxRange})
	if err := b.Run(w.ctx); err != nil {
		w.Fatal(err)
	}
	return must(w.store.Feeds.Whole(w.ctx, key, page))(w), !page.Cold && !page.Filling
}

// warmFrom fills a feed with statuses down to a floor.
func (w *world) warmFrom(key kv.Key, ids []linnet.ID, floor linnet.ID) {
	w.Helper()
	f := w.store.Feeds
	for _, err := range []error{
		f.ForgetFeeds(w.ctx, key), f.BeginFill(w.ctx, key, "t"), f.EndFill(w.ctx, key, "t", ids, floor),
	} {
		if err != nil {
			w.Fatal(err)
		}
	}
}

// TestUnfollowTakesOut checks that an unfollow, or a removal from a list, removes statuses from a
// warm feed. The feed is evicted if too many statuses would be removed or too few would remain.
func TestUnfollowTakesOut(t *testing.T) {
	for name, c := range map[string]struct {
		posts, above int // of the unfollowed author, and how many of them are above the floor
		others       int // statuses of another author, all above it
		cold         bool
	}{
		"never posted":           {0, 0, 3, false},
		"whole feed":             {5, 5, 3, false},
		"nothing but theirs":     {5, 5, 0, false},
		"some below the floor":   {8, 5, 81, false},
		"all below the floor":    {4, 0, 81, false},
		"too little left":        {8, 5, 80, true},
		"the most":               {120, 100, 90, false},
		"more than that":         {120, 101, 90, true},
		"the most of a feed":     {100, 100, 3, false},
		"more than that of one":  {101, 101, 90, true},
		"more, below the floor":  {150, 20, 90, false},
		"just the most, and old": {101, 100, 90, false},
		"longer than one read":   {8, 8, 1080, false},
	} {
		for _, listed := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", list ", listed), func(t *testing.T) { takesOut(t, listed, c.posts, c.above, c.others, c.cold) })
		}
	}
}

func takesOut(t *testing.T, listed bool, posts, above, others int, cold bool) {
	clock := &clocked{}
	w := idleWorld(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
	w.follow(me, ann)
	w.follow(me, bob)
	list := w.list(me, linnet.ListChange{})
	w.addTo(me, list, ann)
	w.addTo(me, list, bob)
	clock.turn(2 * timeline.FollowApplied)
	var all, left []linnet.ID
	for i := range posts {
		all = append(all, w.post(ann, "%d", i).ID)
	}
	var floor linnet.ID
	if below := posts - above; below > 0 {
		floor, all = all[below-1], all[below:]
	}
	for i := range others {
		left = append(left, w.post(bob, "%d", i).ID)
	}
	key, leave := record.HomeKey(me), func() error { return second(w.Social.Unfollow(w.ctx, me, ann)) }
	if listed {
		key, leave = record.ListFeedKey(list), func() error { return w.Lists.RemoveFromList(w.ctx, me, list, []linnet.ID{ann}) }
	}
	ids := slices.Concat(all, left)
	w.warmFrom(key, ids[:min(len(ids), 1000)], floor)
	for _, id := range ids[min(len(ids), 1000):] { // pushes can make a feed longer
		if err := w.store.Feeds.Push(w.ctx, id, []kv.Key{key}); err != nil {
			t.Fatal(err)
		}
	}
	if err := leave(); err != nil {
		t.Fatal(err)
	}
	found, warm := w.feedOf(key)
	if warm == cold {
		t.Fatalf("warm: %v", warm)
	}
	slices.Reverse(found)
	if warm && !slices.Equal(found, left) {
		t.Errorf("%d are left of %d, want %d", len(found), len(ids), len(left))
	}
	if got := w.home(me, 40); !listed && len(got) != others {
		t.Errorf("home has %d", len(got))
	}
	w.check()
}

// TestUnfollowAfterDeletion checks that an unfollow also removes statuses deleted just before,
// although the profile no longer contains them. Statuses of other authors in the same shard stay.
func TestUnfollowAfterDeletion(t *testing.T) {
	clock := &clocked{}
	w := idleWorld(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	me, ann := w.person("me"), w.person("ann")
	w.follow(me, ann)
	clock.turn(2 * timeline.FollowApplied)
	kept := w.post(ann, "kept").ID
	same := w.store.NewID(ann.Shard(), kept) // a deleted status of the same shard
	home := record.HomeKey(me)
	w.warmFrom(home, []linnet.ID{kept, same}, 0)
	must(w.Social.Unfollow(w.ctx, me, ann))(t)
	if ids, warm := w.feedOf(home); !warm || len(ids) != 0 {
		t.Errorf("%v are left (warm %v)", ids, warm)
	}
	var near linnet.ID // in the same shard
	for n := 0; near == 0; n++ {
		if p := w.person(fmt.Sprint("p", n)); p.Shard() == ann.Shard() {
			near = p
		}
	}
	w.follow(me, ann)
	w.follow(me, near)
	clock.turn(2 * timeline.FollowApplied)
	other := w.post(near, "of another").ID
	w.warmFrom(home, []linnet.ID{kept, other}, 0)
	must(w.Social.Unfollow(w.ctx, me, ann))(t)
	if ids, warm := w.feedOf(home); !warm || !slices.Equal(ids, []linnet.ID{other}) {
		t.Errorf("%v are left (warm %v), want %v", ids, warm, other)
	}
}

// TestUnfollowOvertakenByFollow checks that an author who is followed or listed again, just before
// statuses are removed, is complete in the rebuilt feed.
func TestUnfollowOvertakenByFollow(t *testing.T) {
	clock := &clocked{}
	e := &interposed{Engine: memkv.New(memkv.Options{Now: clock.now})}
	w := idleWorld(t, e, store.Options{Now: clock.now})
	ann, bob := w.person("ann"), w.person("bob")
	w.follow(bob, ann)
	list := w.list(bob, linnet.ListChange{})
	w.addTo(bob, list, ann)
	clock.turn(2 * timeline.FollowApplied)
	w.post(ann, "before")
	listed := func() []linnet.StatusView {
		return must(w.Feeds.ListTimeline(w.ctx, bob, list, linnet.Page{}))(t).Items
	}
	w.home(bob, 20)
	listed()
	e.next.Store(&interposition{record.HomeKey(bob), func() {
		w.follow(bob, ann)
		w.post(ann, "meanwhile")
	}})
	must(w.Social.Unfollow(w.ctx, bob, ann))(t)
	if got := texts(w.home(bob, 20)); e.next.Load() != nil || !slices.Equal(got, []string{"meanwhile", "before"}) {
		t.Errorf("home has %v", got)
	}
	e.next.Store(&interposition{record.ListFeedKey(list), func() { w.addTo(bob, list, ann) }})
	if err := w.Lists.RemoveFromList(w.ctx, bob, list, []linnet.ID{ann}); err != nil {
		t.Error(err)
	}
	if got := texts(listed()); e.next.Load() != nil || !slices.Equal(got, []string{"meanwhile", "before"}) {
		t.Errorf("the list has %v", got)
	}
	w.check()
}

// TestUnfollowOfAFreshFollow checks that ending a new follow evicts the feed, because the feed may
// still be merging the author.
func TestUnfollowOfAFreshFollow(t *testing.T) {
	clock := &clocked{}
	w := idleWorld(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	me, ann := w.person("me"), w.person("ann")
	w.post(ann, "x")
	w.home(me, 20)
	for wait, warm := range map[time.Duration]bool{timeline.FollowApplied / 2: false, 2 * timeline.FollowApplied: true} {
		w.follow(me, ann)
		w.home(me, 20)
		clock.turn(wait)
		must(w.Social.Unfollow(w.ctx, me, ann))(t)
		if _, is := w.feedOf(record.HomeKey(me)); is != warm {
			t.Errorf("after %v: warm %v", wait, is)
		}
	}
}

// TestCostOfHomeAfterAnUnfollow checks that the first page of home after an unfollow takes the
// usual queries and reads no profile.
func TestCostOfHomeAfterAnUnfollow(t *testing.T) {
	clock := &clocked{}
	c := newCostsAt(t, clock.now)
	me := c.person("me")
	authors := make([]linnet.ID, 30)
	for i := range authors {
		authors[i] = c.person(fmt.Sprint("author", i))
		c.follow(me, authors[i])
		for range 4 {
			c.post(authors[i], "status")
		}
	}
	clock.turn(2 * timeline.FollowApplied)
	home := func() { must(c.Reading.Home(c.ctx, me, linnet.Page{Limit: 20}))(t) }
	home()
	before := c.of("home", home)
	must(c.Social.Unfollow(c.ctx, me, authors[29]))(t)
	if s := c.of("home after an unfollow", home); s.Reads > before.Reads+1 || s.Queries > before.Queries+5 || s.Writes() > 0 {
		t.Errorf("%+v, before it %+v", s, before)
	}
}
