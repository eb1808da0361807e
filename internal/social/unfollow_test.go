package social_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// feedOf returns the contents of a feed, and whether it is warm.
func feedOf(w *apptest.World, key kv.Key) (ids []linnet.ID, warm bool) {
	w.Helper()
	b := w.Store.Batch()
	page := b.Feed(key, db.Span{Limit: kv.MaxRange})
	if err := b.Run(w.Ctx); err != nil {
		w.Fatal(err)
	}
	return apptest.Must(w.Store.Feeds.Whole(w.Ctx, key, page))(w), !page.Cold && !page.Filling
}

// warmFrom fills a feed with statuses down to a floor.
func warmFrom(w *apptest.World, key kv.Key, ids []linnet.ID, floor linnet.ID) {
	w.Helper()
	f := w.Store.Feeds
	for _, err := range []error{
		f.ForgetFeeds(w.Ctx, key), f.BeginFill(w.Ctx, key, "t"), f.EndFill(w.Ctx, key, "t", ids, floor),
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
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	me, ann, bob := w.Person("me"), w.Person("ann"), w.Person("bob")
	w.Follow(me, ann)
	w.Follow(me, bob)
	list := w.List(me, linnet.ListChange{})
	w.AddTo(me, list, ann)
	w.AddTo(me, list, bob)
	clock.Advance(2 * timeline.FollowApplied)
	var all, left []linnet.ID
	for i := range posts {
		all = append(all, w.Post(ann, "%d", i).ID)
	}
	var floor linnet.ID
	if below := posts - above; below > 0 {
		floor, all = all[below-1], all[below:]
	}
	for i := range others {
		left = append(left, w.Post(bob, "%d", i).ID)
	}
	key, leave := record.HomeKey(me), func() error { return apptest.Err(w.Social.Unfollow(w.Ctx, me, ann)) }
	if listed {
		key, leave = record.ListFeedKey(list), func() error { return w.Lists.RemoveFromList(w.Ctx, me, list, []linnet.ID{ann}) }
	}
	ids := slices.Concat(all, left)
	warmFrom(w, key, ids[:min(len(ids), 1000)], floor)
	for _, id := range ids[min(len(ids), 1000):] { // pushes can make a feed longer
		if err := w.Store.Feeds.Push(w.Ctx, id, []kv.Key{key}); err != nil {
			t.Fatal(err)
		}
	}
	if err := leave(); err != nil {
		t.Fatal(err)
	}
	found, warm := feedOf(w, key)
	if warm == cold {
		t.Fatalf("warm: %v", warm)
	}
	slices.Reverse(found)
	if warm && !slices.Equal(found, left) {
		t.Errorf("%d are left of %d, want %d", len(found), len(ids), len(left))
	}
	if got := w.Home(me, 40); !listed && len(got) != others {
		t.Errorf("home has %d", len(got))
	}
	w.Check()
}

// TestUnfollowAfterDeletion checks that an unfollow also removes statuses deleted just before,
// although the profile no longer contains them. Statuses of other authors in the same shard stay.
func TestUnfollowAfterDeletion(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	me, ann := w.Person("me"), w.Person("ann")
	w.Follow(me, ann)
	clock.Advance(2 * timeline.FollowApplied)
	kept := w.Post(ann, "kept").ID
	same := w.Store.NewID(ann.Shard(), kept) // a deleted status of the same shard
	home := record.HomeKey(me)
	warmFrom(w, home, []linnet.ID{kept, same}, 0)
	apptest.Must(w.Social.Unfollow(w.Ctx, me, ann))(t)
	if ids, warm := feedOf(w, home); !warm || len(ids) != 0 {
		t.Errorf("%v are left (warm %v)", ids, warm)
	}
	var near linnet.ID // in the same shard
	for n := 0; near == 0; n++ {
		if p := w.Person(fmt.Sprint("p", n)); p.Shard() == ann.Shard() {
			near = p
		}
	}
	w.Follow(me, ann)
	w.Follow(me, near)
	clock.Advance(2 * timeline.FollowApplied)
	other := w.Post(near, "of another").ID
	warmFrom(w, home, []linnet.ID{kept, other}, 0)
	apptest.Must(w.Social.Unfollow(w.Ctx, me, ann))(t)
	if ids, warm := feedOf(w, home); !warm || !slices.Equal(ids, []linnet.ID{other}) {
		t.Errorf("%v are left (warm %v), want %v", ids, warm, other)
	}
}

// TestUnfollowOvertakenByFollow checks that an author who is followed or listed again, just before
// statuses are removed, is complete in the rebuilt feed.
func TestUnfollowOvertakenByFollow(t *testing.T) {
	clock := &apptest.Clock{}
	e := &apptest.Interposed{Engine: memkv.New(memkv.Options{Now: clock.Now})}
	w := apptest.Idle(t, e, store.Options{Now: clock.Now})
	ann, bob := w.Person("ann"), w.Person("bob")
	w.Follow(bob, ann)
	list := w.List(bob, linnet.ListChange{})
	w.AddTo(bob, list, ann)
	clock.Advance(2 * timeline.FollowApplied)
	w.Post(ann, "before")
	listed := func() []linnet.StatusView {
		return apptest.Must(w.Feeds.ListTimeline(w.Ctx, bob, list, linnet.Page{}))(t).Items
	}
	w.Home(bob, 20)
	listed()
	e.Next.Store(&apptest.Interposition{Feed: record.HomeKey(bob), Do: func() {
		w.Follow(bob, ann)
		w.Post(ann, "meanwhile")
	}})
	apptest.Must(w.Social.Unfollow(w.Ctx, bob, ann))(t)
	if got := apptest.Texts(w.Home(bob, 20)); e.Next.Load() != nil || !slices.Equal(got, []string{"meanwhile", "before"}) {
		t.Errorf("home has %v", got)
	}
	e.Next.Store(&apptest.Interposition{Feed: record.ListFeedKey(list), Do: func() { w.AddTo(bob, list, ann) }})
	if err := w.Lists.RemoveFromList(w.Ctx, bob, list, []linnet.ID{ann}); err != nil {
		t.Error(err)
	}
	if got := apptest.Texts(listed()); e.Next.Load() != nil || !slices.Equal(got, []string{"meanwhile", "before"}) {
		t.Errorf("the list has %v", got)
	}
	w.Check()
}

// TestUnfollowOfAFreshFollow checks that ending a new follow evicts the feed, because the feed may
// still be merging the author.
func TestUnfollowOfAFreshFollow(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.Idle(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	me, ann := w.Person("me"), w.Person("ann")
	w.Post(ann, "x")
	w.Home(me, 20)
	for wait, warm := range map[time.Duration]bool{timeline.FollowApplied / 2: false, 2 * timeline.FollowApplied: true} {
		w.Follow(me, ann)
		w.Home(me, 20)
		clock.Advance(wait)
		apptest.Must(w.Social.Unfollow(w.Ctx, me, ann))(t)
		if _, is := feedOf(w, record.HomeKey(me)); is != warm {
			t.Errorf("after %v: warm %v", wait, is)
		}
	}
}

// TestCostOfHomeAfterAnUnfollow checks that the first page of home after an unfollow takes the
// usual queries and reads no profile.
func TestCostOfHomeAfterAnUnfollow(t *testing.T) {
	clock := &apptest.Clock{}
	c := apptest.NewCostsAt(t, clock.Now)
	me := c.Person("me")
	authors := make([]linnet.ID, 30)
	for i := range authors {
		authors[i] = c.Person(fmt.Sprint("author", i))
		c.Follow(me, authors[i])
		for range 4 {
			c.Post(authors[i], "status")
		}
	}
	clock.Advance(2 * timeline.FollowApplied)
	home := func() { apptest.Must(c.Reading.Home(c.Ctx, me, linnet.Page{Limit: 20}))(t) }
	home()
	before := c.Of("home", home)
	apptest.Must(c.Social.Unfollow(c.Ctx, me, authors[29]))(t)
	if s := c.Of("home after an unfollow", home); s.Reads > before.Reads+1 || s.Queries > before.Queries+5 || s.Writes() > 0 {
		t.Errorf("%+v, before it %+v", s, before)
	}
}
