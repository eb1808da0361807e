package app_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
)

// feedOf reads what a feed holds, and whether it is warm.
func (w *world) feedOf(key kv.Key) (ids []linnet.ID, warm bool) {
	w.Helper()
	b := w.store.Batch()
	page := b.Feed(key, db.Span{Limit: kv.MaxRange})
	if err := b.Run(w.ctx); err != nil {
		w.Fatal(err)
	}
	return page.IDs(), !page.Cold && !page.Filling
}

// warmFrom makes a feed warm that holds statuses down to a floor.
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

// An unfollow takes the other's statuses out of a feed that stays warm, and forgets one of
// which too much would have to be taken out, or too little would be left.
func TestUnfollowTakesOut(t *testing.T) {
	for name, c := range map[string]struct {
		posts, above int // of who is unfollowed, and how many of them stand above the floor
		others       int // statuses of somebody else, all above it
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
	} {
		t.Run(name, func(t *testing.T) {
			w := idleWorld(t, memkv.New(memkv.Options{}), store.Options{})
			me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
			w.follow(me, ann)
			w.follow(me, bob)
			var all, left []linnet.ID
			for i := range c.posts {
				all = append(all, w.post(ann, "%d", i).ID)
			}
			var floor linnet.ID
			if below := c.posts - c.above; below > 0 {
				floor, all = all[below-1], all[below:]
			}
			for i := range c.others {
				left = append(left, w.post(bob, "%d", i).ID)
			}
			home := record.HomeKey(me)
			w.warmFrom(home, slices.Concat(all, left), floor)
			must(w.Social.Unfollow(w.ctx, me, ann))(t)
			ids, warm := w.feedOf(home)
			if warm == c.cold {
				t.Fatalf("warm: %v", warm)
			}
			slices.Reverse(ids)
			if warm && !slices.Equal(ids, left) {
				t.Errorf("%d are left of %d, want %d", len(ids), len(all)+len(left), len(left))
			}
			if got := w.home(me, 40); len(got) != c.others {
				t.Errorf("home has %d", len(got))
			}
			w.check()
		})
	}
}

// Who follows again, or is put into a list again, just before what was posted is taken out,
// has all of it: the feed is made anew.
func TestUnfollowOvertakenByFollow(t *testing.T) {
	e := &interposed{Engine: memkv.New(memkv.Options{})}
	w := newWorld(t, e)
	ann, bob := w.person("ann"), w.person("bob")
	w.follow(bob, ann)
	list := w.list(bob, linnet.ListChange{})
	w.addTo(bob, list, ann)
	w.post(ann, "before")
	listed := func() []linnet.StatusView {
		return must(w.Lists.ListTimeline(w.ctx, bob, list, linnet.Page{}))(t).Items
	}
	w.home(bob, 20)
	listed()
	e.next.Store(&interposition{record.HomeKey(bob), func() {
		w.follow(bob, ann)
		w.post(ann, "meanwhile")
	}})
	must(w.Social.Unfollow(w.ctx, bob, ann))(t)
	w.drain()
	if got := texts(w.home(bob, 20)); e.next.Load() != nil || !slices.Equal(got, []string{"meanwhile", "before"}) {
		t.Errorf("home has %v", got)
	}
	e.next.Store(&interposition{record.ListFeedKey(list), func() { w.addTo(bob, list, ann) }})
	if err := w.Lists.RemoveFromList(w.ctx, bob, list, []linnet.ID{ann}); err != nil {
		t.Error(err)
	}
	w.drain()
	if got := texts(listed()); e.next.Load() != nil || !slices.Equal(got, []string{"meanwhile", "before"}) {
		t.Errorf("the list has %v", got)
	}
	w.check()
}

// The first page after an unfollow asks for what any page asks for: no profile is read.
func TestCostOfHomeAfterAnUnfollow(t *testing.T) {
	c := newCosts(t)
	me := c.person("me")
	authors := make([]linnet.ID, 30)
	for i := range authors {
		authors[i] = c.person(fmt.Sprint("author", i))
		c.follow(me, authors[i])
		for range 4 {
			c.post(authors[i], "status")
		}
	}
	home := func() { must(c.Reading.Home(c.ctx, me, linnet.Page{Limit: 20}))(t) }
	home()
	before := c.of("home", home)
	must(c.Social.Unfollow(c.ctx, me, authors[29]))(t)
	if s := c.of("home after an unfollow", home); s.Reads > before.Reads+1 || s.Queries > before.Queries+5 || s.Writes() > 0 {
		t.Errorf("%+v, before it %+v", s, before)
	}
}
