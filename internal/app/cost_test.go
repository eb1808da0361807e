package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// costs is a world that counts the calls of its store.
type costs struct {
	*world
	engine *faultkv.Engine
}

// newCosts returns a world without background work, except for tasks. It waits until the task queue
// has looked for old tasks twice, which would otherwise take the tasks of a measured action.
func newCosts(t *testing.T) costs { return newCostsAt(t, time.Now) }

func newCostsAt(t *testing.T, now func() time.Time) costs {
	e := faultkv.New(memkv.New(memkv.Options{Now: now}))
	w := idleWorld(t, e, store.Options{Now: now})
	before := e.Stats().Reads
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.ServeTasks(ctx) }()
	w.stop = func() { cancel(); <-done }
	t.Cleanup(w.stop)
	for end := time.Now().Add(time.Minute); e.Stats().Reads < before+2; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no look for tasks at the start")
		}
	}
	return costs{w, e}
}

// of counts the calls of an action and its tasks, because it is random how many of them run before
// the response.
func (c costs) of(what string, act func()) faultkv.Stats {
	c.Helper()
	c.drain()
	c.engine.Reset()
	act()
	c.drain()
	s := c.engine.Stats()
	c.Logf("%-34s %2d reads (%4d queries), %2d transactions, %2d applies (%4d changes), %d published", what, s.Reads, s.Queries, s.Txns, s.Applies, s.Changes, s.Publishes)
	return s
}

// rest stops the background work, so that only requests are counted.
func (c costs) rest() {
	c.Helper()
	c.drain()
	c.stop()
}

// colder returns the same app with a cold cache.
func (c costs) colder() costs {
	cold := c
	cold.world = idleWorld(c.T, c.engine, store.Options{})
	return cold
}

// crossroads makes a home with all expensive entries: replies, reposts of strangers, private
// statuses, an exclusive list.
func (c costs) crossroads(authors, statuses int) linnet.ID {
	c.Helper()
	reader, by, _ := c.town(authors, statuses)
	for i, a := range by {
		s := c.post(c.person(fmt.Sprint("stranger", i)), "strange %d", i)
		must(c.Posting.Repost(c.ctx, a, s.ID, nil))(c)
		c.draft(a, linnet.Draft{Text: "answer", InReplyTo: c.post(by[(i+1)%len(by)], "question").ID})
		c.draft(a, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	}
	c.addTo(reader, c.list(reader, linnet.ListChange{Exclusive: new(true)}), by[0])
	c.drain()
	return reader
}

// TestHomeCost limits the cost of home. A warm page takes two round trips for any limit and number
// of hidden entries, and a cold one six reads.
func TestHomeCost(t *testing.T) {
	c := newCosts(t)
	reader := c.crossroads(10, 120)
	c.home(reader, 40)
	c.rest()
	page := func(c costs, p linnet.Page) func() {
		return func() {
			if s := must(c.Reading.Home(c.ctx, reader, p))(t); len(s.Items) == 0 {
				t.Error("an empty page")
			}
		}
	}
	for _, limit := range []int{1, 10, 20, 40} {
		p := linnet.Page{Limit: limit}
		if s := c.of(fmt.Sprint("home, warm, limit ", limit), page(c, p)); s.RoundTrips() > 2 {
			t.Errorf("limit %d, warm: %d round trips", limit, s.RoundTrips())
		}
		cold := c.colder()
		if s := c.of(fmt.Sprint("home, nothing cached, limit ", limit), page(cold, p)); s.RoundTrips() > 5 {
			t.Errorf("limit %d, nothing cached: %d round trips", limit, s.RoundTrips())
		}
		forget(c.world, reader)
		if s := c.of(fmt.Sprint("home, feed cold, limit ", limit), page(c, p)); s.Reads > 6 || s.Applies > 2 || s.Txns > 0 {
			t.Errorf("limit %d, feed cold: %+v", limit, s)
		}
		forget(c.world, reader)
		cold = c.colder()
		if s := c.of(fmt.Sprint("home, all cold, limit ", limit), page(cold, p)); s.Reads > 6 || s.Applies > 2 {
			t.Errorf("limit %d, all cold: %+v", limit, s)
		}
	}
	all := c.home(reader, 40)
	deep := linnet.Page{Max: linnet.CursorOf(all[len(all)-60].ID), Limit: 20}
	if s := c.of("home, past the floor", page(c, deep)); s.RoundTrips() > 5 {
		t.Errorf("past the floor: %d round trips", s.RoundTrips())
	}
	if s := c.of("home, past the floor, all cold", page(c.colder(), deep)); s.Reads > 7 {
		t.Errorf("past the floor, all cold: %d reads", s.Reads)
	}
	if s := c.of("home, since", page(c, linnet.Page{Since: linnet.CursorOf(all[5].ID)})); s.RoundTrips() > 2 {
		t.Errorf("since: %d round trips", s.RoundTrips())
	}
	if s := c.of("home, up", page(c, linnet.Page{Min: linnet.CursorOf(all[50].ID)})); s.RoundTrips() > 2 {
		t.Errorf("up: %d round trips", s.RoundTrips())
	}
}

// TestActCost limits the cost of each action with a warm cache.
func TestActCost(t *testing.T) {
	c := newCosts(t)
	ann, bob := c.person("ann"), c.person("bob")
	fans := c.people(10)
	for _, f := range fans {
		c.follow(f, ann)
		c.home(f, 20)
	}
	s := c.post(ann, "first").ID
	most := func(s faultkv.Stats, reads, writes int) {
		t.Helper()
		if removal := 1; s.Reads > reads || s.Writes() > writes+removal { // a worker removes the finished task
			t.Errorf("%d reads and %d writes, want at most %d and %d", s.Reads, s.Writes(), reads, writes+removal)
		}
	}
	most(c.of("post, 10 followers", func() { c.post(ann, "x") }), 4, 4)
	most(c.of("reply with mention and tag", func() { c.draft(bob, linnet.Draft{Text: "@ann #tag", InReplyTo: s}) }), 7, 6)
	most(c.of("favourite", func() { must(c.Posting.Marks.Favourite(c.ctx, bob, s))(t) }), 7, 2)
	most(c.of("favourite again", func() { must(c.Posting.Marks.Favourite(c.ctx, bob, s))(t) }), 4, 0)
	most(c.of("unfavourite", func() { must(c.Posting.Marks.Unfavourite(c.ctx, bob, s))(t) }), 8, 3)
	most(c.of("repost", func() { must(c.Posting.Repost(c.ctx, bob, s, nil))(t) }), 16, 4)
	most(c.of("follow", func() { c.follow(bob, ann) }), 7, 4)
	most(c.of("unfollow", func() { must(c.Social.Unfollow(c.ctx, bob, ann))(t) }), 10, 6)
	most(c.of("bookmark", func() { must(c.Posting.Marks.Bookmark(c.ctx, bob, s))(t) }), 4, 1)
	most(c.of("status", func() { must(c.View.Status(c.ctx, bob, s))(t) }), 2, 0)
	most(c.of("thread", func() { must(c.Reading.Thread(c.ctx, bob, s, linnet.ThreadQuery{}))(t) }), 6, 0)
	most(c.of("public", func() { must(c.Reading.Public(c.ctx, bob, linnet.PublicQuery{}, linnet.Page{}))(t) }), 4, 0)
	most(c.of("profile", func() { must(c.Reading.Profile(c.ctx, bob, ann, linnet.ProfileFilter{}, linnet.Page{}))(t) }), 4, 0)
	most(c.of("notifications", func() { must(c.Notify.Notifications(c.ctx, ann, linnet.NotificationFilter{}, linnet.Page{}))(t) }), 4, 0)
	most(c.of("delete", func() { must(c.Posting.Delete(c.ctx, ann, s))(t) }), 26, 13) // the repost is deleted too
}

// TestHomeOfHiddenThings checks that the cost of a page of home is bounded when almost all entries
// are hidden.
func TestHomeOfHiddenThings(t *testing.T) {
	c := newCosts(t)
	me, loud, quiet := c.person("me"), c.person("loud"), c.person("quiet")
	c.follow(me, loud)
	c.follow(me, quiet)
	first := c.post(quiet, "the one to be found")
	stranger := c.post(c.person("stranger"), "hm").ID
	for range 2600 {
		c.draft(loud, linnet.Draft{Text: "to a stranger", InReplyTo: stranger})
	}
	c.drain()
	var found []linnet.StatusView
	pages := 0
	for p := (linnet.Page{}); ; {
		pages++
		c.engine.Reset()
		s := must(c.Reading.Home(c.ctx, me, p))(t)
		// The first page reads all 2,600 replies, 200 at a time with five reads for each part,
		// because it must not be empty while an older status is visible.
		if st := c.engine.Stats(); st.Reads > 70 || st.Queries > 1000 {
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
	c := newCosts(t)
	reader, _, _ := c.town(3, 20)
	c.hasFollowed(reader, 3000)
	if err := c.store.Feeds.ForgetFeeds(c.ctx, record.HomeKey(reader)); err != nil {
		t.Fatal(err)
	}
	c = c.colder()
	if s := c.of("home of 3,000 followees, cold", func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{}))(t) }); s.Reads > 10 {
		t.Errorf("%d reads", s.Reads) // two of them continue with the three authors who have posted
	}
	if s := c.of("home of 3,000 followees, warm", func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{}))(t) }); s.RoundTrips() > 2 || s.Queries > 300 {
		t.Errorf("%d round trips of %d queries", s.RoundTrips(), s.Queries)
	}
}

// TestHomeCostWithHidden checks that a second read of a page of home is cheap although most of the
// newest entries are hidden.
func TestHomeCostWithHidden(t *testing.T) {
	c := newCosts(t)
	reader, by, _ := c.town(10, 30)
	strange := c.post(c.person("stranger"), "hello")
	for i := range 48 { // of the 60 entries of the first read
		c.draft(by[i%len(by)], linnet.Draft{Text: "a reply", InReplyTo: strange.ID})
	}
	c.rest()
	c = c.colder()
	page := func() {
		if s := must(c.Reading.Home(c.ctx, reader, linnet.Page{Limit: 20}))(t); len(s.Items) != 20 {
			t.Errorf("%d statuses at home", len(s.Items))
		}
	}
	page()
	page()
	if s := c.of("home, 48 of the newest 60 hidden", page); s.RoundTrips() > 2 || s.Queries > 4 {
		t.Errorf("%d round trips with %d queries, want at most 2 with 4", s.RoundTrips(), s.Queries)
	}
}
