package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestHomeCost limits the cost of home. A warm page takes two round trips for any limit and number
// of hidden entries, and a cold one six reads.
func TestHomeCost(t *testing.T) {
	c := apptest.NewCosts(t)
	reader := c.Crossroads(10, 120)
	c.Home(reader, 40)
	c.Rest()
	page := func(c apptest.Costs, p linnet.Page) func() {
		return func() {
			if s := apptest.Must(c.Reading.Home(c.Ctx, reader, p))(t); len(s.Items) == 0 {
				t.Error("an empty page")
			}
		}
	}
	for _, limit := range []int{1, 10, 20, 40} {
		p := linnet.Page{Limit: limit}
		if s := c.Of(fmt.Sprint("home, warm, limit ", limit), page(c, p)); s.RoundTrips() > 2 {
			t.Errorf("limit %d, warm: %d round trips", limit, s.RoundTrips())
		}
		cold := c.Colder()
		if s := c.Of(fmt.Sprint("home, nothing cached, limit ", limit), page(cold, p)); s.RoundTrips() > 5 {
			t.Errorf("limit %d, nothing cached: %d round trips", limit, s.RoundTrips())
		}
		apptest.ForgetFeeds(c.World, reader)
		if s := c.Of(fmt.Sprint("home, feed cold, limit ", limit), page(c, p)); s.Reads > 6 || s.Applies > 2 || s.Txns > 0 {
			t.Errorf("limit %d, feed cold: %+v", limit, s)
		}
		apptest.ForgetFeeds(c.World, reader)
		cold = c.Colder()
		if s := c.Of(fmt.Sprint("home, all cold, limit ", limit), page(cold, p)); s.Reads > 6 || s.Applies > 2 {
			t.Errorf("limit %d, all cold: %+v", limit, s)
		}
	}
	all := c.Home(reader, 40)
	deep := linnet.Page{Max: linnet.CursorOf(all[len(all)-60].ID), Limit: 20}
	if s := c.Of("home, past the floor", page(c, deep)); s.RoundTrips() > 5 {
		t.Errorf("past the floor: %d round trips", s.RoundTrips())
	}
	if s := c.Of("home, past the floor, all cold", page(c.Colder(), deep)); s.Reads > 7 {
		t.Errorf("past the floor, all cold: %d reads", s.Reads)
	}
	if s := c.Of("home, since", page(c, linnet.Page{Since: linnet.CursorOf(all[5].ID)})); s.RoundTrips() > 2 {
		t.Errorf("since: %d round trips", s.RoundTrips())
	}
	if s := c.Of("home, up", page(c, linnet.Page{Min: linnet.CursorOf(all[50].ID)})); s.RoundTrips() > 2 {
		t.Errorf("up: %d round trips", s.RoundTrips())
	}
}

// TestActCost limits the cost of each action with a warm cache.
func TestActCost(t *testing.T) {
	c := apptest.NewCosts(t)
	ann, bob := c.Person("ann"), c.Person("bob")
	fans := c.People(10)
	for _, f := range fans {
		c.Follow(f, ann)
		c.Home(f, 20)
	}
	s := c.Post(ann, "first").ID
	most := func(s faultkv.Stats, reads, writes int) {
		t.Helper()
		if removal := 1; s.Reads > reads || s.Writes() > writes+removal { // a worker removes the finished task
			t.Errorf("%d reads and %d writes, want at most %d and %d", s.Reads, s.Writes(), reads, writes+removal)
		}
	}
	most(c.Of("post, 10 followers", func() { c.Post(ann, "x") }), 4, 4)
	most(c.Of("reply with mention and tag", func() { c.Draft(bob, linnet.Draft{Text: "@ann #tag", InReplyTo: s}) }), 7, 6)
	most(c.Of("favourite", func() { apptest.Must(c.Posting.Marks.Favourite(c.Ctx, bob, s))(t) }), 7, 2)
	most(c.Of("favourite again", func() { apptest.Must(c.Posting.Marks.Favourite(c.Ctx, bob, s))(t) }), 4, 0)
	most(c.Of("unfavourite", func() { apptest.Must(c.Posting.Marks.Unfavourite(c.Ctx, bob, s))(t) }), 8, 3)
	most(c.Of("repost", func() { apptest.Must(c.Posting.Repost(c.Ctx, bob, s, nil))(t) }), 16, 4)
	most(c.Of("follow", func() { c.Follow(bob, ann) }), 7, 4)
	most(c.Of("unfollow", func() { apptest.Must(c.Social.Unfollow(c.Ctx, bob, ann))(t) }), 10, 6)
	most(c.Of("bookmark", func() { apptest.Must(c.Posting.Marks.Bookmark(c.Ctx, bob, s))(t) }), 4, 1)
	most(c.Of("status", func() { apptest.Must(c.View.Status(c.Ctx, bob, s))(t) }), 2, 0)
	most(c.Of("thread", func() { apptest.Must(c.Reading.Thread(c.Ctx, bob, s, linnet.ThreadQuery{}))(t) }), 6, 0)
	most(c.Of("public", func() { apptest.Must(c.Reading.Public(c.Ctx, bob, linnet.PublicQuery{}, linnet.Page{}))(t) }), 4, 0)
	most(c.Of("profile", func() { apptest.Must(c.Reading.Profile(c.Ctx, bob, ann, linnet.ProfileFilter{}, linnet.Page{}))(t) }), 4, 0)
	most(c.Of("notifications", func() {
		apptest.Must(c.Notify.Notifications(c.Ctx, ann, linnet.NotificationFilter{}, linnet.Page{}))(t)
	}), 4, 0)
	most(c.Of("delete", func() { apptest.Must(c.Posting.Delete(c.Ctx, ann, s))(t) }), 26, 13) // the repost is deleted too
}

// TestHomeOfHiddenThings checks that the cost of a page of home is bounded when almost all entries
// are hidden.
func TestHomeOfHiddenThings(t *testing.T) {
	c := apptest.NewCosts(t)
	me, loud, quiet := c.Person("me"), c.Person("loud"), c.Person("quiet")
	c.Follow(me, loud)
	c.Follow(me, quiet)
	first := c.Post(quiet, "the one to be found")
	stranger := c.Post(c.Person("stranger"), "hm").ID
	for range 2600 {
		c.Draft(loud, linnet.Draft{Text: "to a stranger", InReplyTo: stranger})
	}
	c.Drain()
	var found []linnet.StatusView
	pages := 0
	for p := (linnet.Page{}); ; {
		pages++
		c.Engine.Reset()
		s := apptest.Must(c.Reading.Home(c.Ctx, me, p))(t)
		// The first page reads all 2,600 replies, 200 at a time with five reads for each part,
		// because it must not be empty while an older status is visible.
		if st := c.Engine.Stats(); st.Reads > 70 || st.Queries > 1000 {
			t.Errorf("a page takes %d reads of %d queries", st.Reads, st.Queries)
		}
		found = append(found, s.Items...)
		if s.Last == "" {
			break
		}
		p.Max = s.Last
	}
	if len(found) != 1 || found[0].ID != first.ID || pages != 1 {
		t.Errorf("%d found on %d pages", len(found), pages)
	}
}

// TestHomeCostOfManyFollowees checks that the cost of a warm home does not grow with the number of
// followees.
func TestHomeCostOfManyFollowees(t *testing.T) {
	c := apptest.NewCosts(t)
	reader, _, _ := c.Town(3, 20)
	c.FollowMany(reader, 3000)
	if err := c.Store.Feeds.ForgetFeeds(c.Ctx, record.HomeKey(reader)); err != nil {
		t.Fatal(err)
	}
	c = c.Colder()
	if s := c.Of("home of 3,000 followees, cold", func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{}))(t) }); s.Reads > 10 {
		t.Errorf("%d reads", s.Reads) // two of them continue with the three authors who have posted
	}
	if s := c.Of("home of 3,000 followees, warm", func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{}))(t) }); s.RoundTrips() > 2 || s.Queries > 300 {
		t.Errorf("%d round trips of %d queries", s.RoundTrips(), s.Queries)
	}
}

// TestHomeCostWithHidden checks that a second read of a page of home is cheap although most of the
// newest entries are hidden.
func TestHomeCostWithHidden(t *testing.T) {
	c := apptest.NewCosts(t)
	reader, by, _ := c.Town(10, 30)
	strange := c.Post(c.Person("stranger"), "hello")
	for i := range 48 { // of the 60 entries of the first read
		c.Draft(by[i%len(by)], linnet.Draft{Text: "a reply", InReplyTo: strange.ID})
	}
	c.Rest()
	c = c.Colder()
	page := func() {
		if s := apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{Limit: 20}))(t); len(s.Items) != 20 {
			t.Errorf("%d statuses at home", len(s.Items))
		}
	}
	page()
	page()
	if s := c.Of("home, 48 of the newest 60 hidden", page); s.RoundTrips() > 2 || s.Queries > 4 {
		t.Errorf("%d round trips with %d queries, want at most 2 with 4", s.RoundTrips(), s.Queries)
	}
}
