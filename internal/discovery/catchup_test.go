package discovery_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

func catches(w *apptest.World, me linnet.ID, want ...string) {
	w.Helper()
	if got := apptest.RankedTexts(w.CatchUp(me)); !slices.Equal(got, want) {
		w.Errorf("catch-up of %v: %q, want %q", me, got, want)
	}
}

// TestCatchUp checks that the catch-up is the home timeline ordered by score, each status once,
// without the reader's own. A stored order does not change, except that invisible statuses are
// dropped.
func TestCatchUp(t *testing.T) { apptest.OnEngines(t, catchUp) }

func catchUp(w *apptest.World) {
	b := newBallot(w)
	bob := w.Person("bob")
	w.Follow(b.me, bob)
	fair, best, plain := w.Post(b.ann, "fair").ID, w.Post(b.ann, "best").ID, w.Post(bob, "plain").ID
	odd := w.Post(b.sam, "odd").ID
	mine := w.Post(b.me, "mine").ID
	apptest.Must(w.Posting.Repost(w.Ctx, bob, odd, nil))(w)
	apptest.Must(w.Posting.Repost(w.Ctx, b.ann, odd, nil))(w)
	apptest.Must(w.Posting.Repost(w.Ctx, bob, best, nil))(w)
	apptest.Must(w.Posting.Repost(w.Ctx, bob, mine, nil))(w)
	b.favour(best, b.voters[:4]...)
	b.favour(fair, b.voters[:2]...)
	want := []string{"best", "RT odd", "fair", "plain"}
	catches(b.World, b.me, want...)
	for _, r := range b.CatchUp(b.me) {
		y := r.Why
		if sum := (y.Own + y.Favourites + y.Reposts + y.Replies) * y.Decay * y.Weight; sum != y.Score || y.Own != 1 || y.Weight != 1 {
			w.Errorf("%+v", y)
		}
	}
	b.favour(plain, b.voters...)
	w.Post(bob, "late")
	w.Drain()
	catches(b.World, b.me, want...)
	w.OK(w.Feeds.RenewCatchUp(w.Ctx, b.me))
	catches(b.World, b.me, "plain", "best", "RT odd", "fair", "late")
	w.Check()
	apptest.Must(w.Posting.Delete(w.Ctx, b.ann, best))(w)
	apptest.Must(w.Social.Mute(w.Ctx, b.me, b.sam, linnet.MuteOptions{}))(w)
	catches(b.World, b.me, "plain", "fair", "late")
	apptest.Must(w.Social.Block(w.Ctx, b.ann, b.me))(w)
	catches(b.World, b.me, "plain", "late")
	w.OK(w.Operate("bob", linnet.Measure{Act: linnet.Suspend}))
	catches(b.World, b.me)
	apptest.Must(w.Social.Unblock(w.Ctx, b.ann, b.me))(w)
	w.Drain()
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, b.me))
	w.Drain()
	w.Check()
	if kindOfCatchUp := apptest.Err(w.Feeds.CatchUp(w.Ctx, b.me, linnet.RankPage{})); kindOfCatchUp != nil {
		w.Errorf("of a user who is gone: %v", kindOfCatchUp)
	}
	w.Check() // nothing is stored for them
}

// TestCatchUpRefills checks that hidden entries of a page are replaced with entries further down.
func TestCatchUpRefills(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	bob := b.Person("bob")
	b.Follow(b.me, bob)
	for i := range 40 {
		b.Post(b.ann, "ann %d", i)
		b.favour(b.Post(bob, "bob %d", i).ID, b.voters[0])
	}
	if n := len(b.CatchUp(b.me)); n != 80 {
		t.Fatalf("%d entries", n)
	}
	apptest.Must(b.Social.Unfollow(b.Ctx, b.me, bob))(t)
	page := apptest.Must(b.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{Limit: 20}))(t)
	if len(page.Items) != 20 || page.Items[0].Text != "ann 39" || page.Total != 80 {
		t.Errorf("%d of %d, %q", len(page.Items), page.Total, apptest.RankedTexts(page.Items))
	}
	if n := len(b.CatchUp(b.me)); n != 40 {
		t.Errorf("%d are left", n)
	}
}

// TestCatchUpBegins checks that a catch-up begins at the home marker, or a day ago, and expires
// after half an hour. CaughtUp moves the marker to the newest status it has shown.
func TestCatchUpBegins(t *testing.T) {
	w, clock := apptest.WithClock(t)
	me, ann := w.Person("me"), w.Person("ann")
	w.Follow(me, ann)
	w.Post(ann, "old")
	clock.Advance(linnet.CatchUpAge + time.Minute)
	read := w.Post(ann, "read").ID
	clock.Advance(time.Minute)
	w.Post(ann, "new")
	w.Drain()
	catches(w, me, "new", "read")
	apptest.Must(w.Reading.SaveMarkers(w.Ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerHome: read}))(t)
	clock.Advance(linnet.RankingAge - time.Second)
	catches(w, me, "new", "read")
	clock.Advance(2 * time.Second)
	catches(w, me, "new")
	w.Post(ann, "newer")
	w.Drain()
	caught := func() {
		t.Helper()
		w.OK(w.Feeds.CaughtUp(w.Ctx, me, apptest.Must(w.Feeds.CatchUp(w.Ctx, me, linnet.RankPage{Limit: 1}))(t).Newest))
	}
	caught() // the shown status, not the last one
	catches(w, me, "newer")
	caught()
	catches(w, me)
	caught()                                // the catch-up is empty: the marker stays
	w.OK(w.Feeds.CaughtUp(w.Ctx, me, read)) // the marker does not move back
	if m := apptest.Must(w.Reading.Markers(w.Ctx, me, []linnet.MarkerTimeline{linnet.MarkerHome}))(t); m[linnet.MarkerHome].Version != 3 {
		t.Errorf("%+v", m)
	}
	w.Check()
}

// TestCatchUpList checks that the catch-up can be shown as a list, and that a status id as a cursor
// means the rank of the status.
func TestCatchUpList(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	list := func(p linnet.Page) linnet.Slice[linnet.StatusView] {
		t.Helper()
		return apptest.Must(b.Feeds.ListTimeline(b.Ctx, b.me, linnet.CatchUpList, p))(t)
	}
	apptest.WantKind(t, apptest.Err(b.Feeds.ListTimeline(b.Ctx, b.me, linnet.CatchUpList, linnet.Page{})), linnet.NotFound)
	apptest.Must(b.Lists.SetShownLists(b.Ctx, b.me, linnet.ShownListsChange{CatchUp: new(true)}))(t)
	var ids []linnet.ID
	for i := range 9 {
		ids = append(ids, b.Post(b.ann, "p%d", i).ID)
		b.favour(ids[i], b.voters[:(i*4)%9]...) // favourites: 0 4 8 3 7 2 6 1 5
	}
	want := []string{"p2", "p4", "p6", "p8", "p1", "p3", "p5", "p7", "p0"}
	var got []string
	for p := (linnet.Page{Limit: 2}); len(got) < 99; {
		s := list(p)
		got = append(got, apptest.Texts(s.Items)...)
		if p.Max = s.Last; s.Last == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	at := func(text string) linnet.Cursor { return linnet.CursorOf(ids[text[1]-'0']) }
	for what, x := range map[string]struct {
		p           linnet.Page
		want        []string
		first, last linnet.Cursor
	}{
		"behind":                   {linnet.Page{Max: at("p4"), Limit: 2}, want[2:4], at("p6"), at("p8")},
		"the last":                 {linnet.Page{Max: at("p5"), Limit: 5}, want[7:], at("p7"), ""},
		"behind the last":          {linnet.Page{Max: at("p0")}, nil, "", ""},
		"behind what is not there": {linnet.Page{Max: linnet.CursorOf(12345)}, nil, "", ""},
		"above":                    {linnet.Page{Min: at("p1"), Limit: 2}, want[2:4], at("p6"), at("p8")},
		"above the first":          {linnet.Page{Min: at("p2")}, nil, "", ""},
		"since":                    {linnet.Page{Since: at("p6"), Limit: 9}, want[:2], at("p2"), ""},
		"between":                  {linnet.Page{Since: at("p1"), Max: at("p2"), Limit: 2}, want[1:3], at("p4"), at("p6")},
		"since what is not":        {linnet.Page{Since: linnet.CursorOf(12345), Limit: 1}, want[:1], at("p2"), at("p2")},
	} {
		if s := list(x.p); !slices.Equal(apptest.Texts(s.Items), x.want) || s.First != x.first || s.Last != x.last {
			t.Errorf("%s: %q, %q to %q", what, apptest.Texts(s.Items), s.First, s.Last)
		}
	}
	apptest.WantKind(t, apptest.Err(b.Feeds.ListTimeline(b.Ctx, b.me, linnet.CatchUpList, linnet.Page{Max: "x"})), linnet.Invalid)
	apptest.WantKind(t, apptest.Err(b.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{After: "x"})), linnet.Invalid)
	apptest.WantKind(t, b.Lists.AddToList(b.Ctx, b.me, linnet.CatchUpList, []linnet.ID{b.ann}), linnet.Forbidden)
	b.OK(b.Lists.DeleteList(b.Ctx, b.me, linnet.CatchUpList))
	apptest.WantKind(t, apptest.Err(b.Lists.List(b.Ctx, b.me, linnet.CatchUpList)), linnet.NotFound)
	if all := apptest.Must(b.Lists.Lists(b.Ctx, b.me))(t); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// TestCatchUpCursorOutlivesItsOrder checks that a cursor of an older order continues after the same
// entry.
func TestCatchUpCursorOutlivesItsOrder(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	for i := range 6 {
		b.favour(b.Post(b.ann, "p%d", i).ID, b.voters[:i]...)
	}
	page := apptest.Must(b.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{Limit: 2}))(t) // p5 p4
	b.favour(b.Post(b.ann, "up").ID, b.voters...)
	b.OK(b.Feeds.RenewCatchUp(b.Ctx, b.me))
	rest := apptest.Must(b.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{After: page.Next}))(t)
	if got := apptest.RankedTexts(rest.Items); !slices.Equal(got, []string{"p3", "p2", "p1", "p0"}) || rest.Next != "" {
		t.Errorf("%q", got)
	}
	apptest.Must(b.Posting.Delete(b.Ctx, b.ann, page.Items[1].ID))(t)
	b.Drain()
	b.OK(b.Feeds.RenewCatchUp(b.Ctx, b.me))
	rest = apptest.Must(b.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{After: page.Next}))(t) // its entry is deleted: continues at the same rank
	if got := apptest.RankedTexts(rest.Items); !slices.Equal(got, []string{"p3", "p2", "p1", "p0"}) {
		t.Errorf("%q", got)
	}
}

// TestCatchUpAtOnce checks that concurrent readers on several servers get the same order.
func TestCatchUpAtOnce(t *testing.T) {
	e := memkv.New(memkv.Options{})
	b := newBallot(apptest.New(t, e))
	other := apptest.Must(app.New(store.New(e, store.Options{Shared: true}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet()}))(t)
	for i := range 10 {
		b.favour(b.Post(b.ann, "p%d", i).ID, b.voters[:i]...)
	}
	ats := make([]time.Time, 12)
	var all sync.WaitGroup
	for i := range ats {
		s := b.App
		if i%2 == 0 {
			s = other
		}
		all.Go(func() {
			page := apptest.Must(s.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{}))(t)
			if len(page.Items) == 10 {
				ats[i] = page.At
			}
		})
	}
	all.Wait()
	for _, at := range ats {
		if at.IsZero() || at.UnixMilli() != apptest.Must(b.Feeds.CatchUp(b.Ctx, b.me, linnet.RankPage{}))(t).At.UnixMilli() {
			t.Errorf("orders of %v", ats)
		}
	}
	b.Check()
}

// TestCatchUpCost checks that a new catch-up takes a bounded number of reads for any length of
// home, and that a page of a stored one takes two round trips.
func TestCatchUpCost(t *testing.T) {
	c := apptest.NewCosts(t)
	reader := c.Crossroads(10, 1500)
	c.Home(reader, 40)
	c.Rest()
	page := func(c apptest.Costs, p linnet.RankPage) func() {
		return func() {
			if s := apptest.Must(c.Feeds.CatchUp(c.Ctx, reader, p))(t); len(s.Items) != 20 || s.Total != linnet.RankingEntries {
				t.Errorf("%d of %d", len(s.Items), s.Total)
			}
		}
	}
	most := func(what string, s faultkv.Stats, reads, queries, writes int) {
		if s.Reads > reads || s.Queries > queries || s.Writes() > writes {
			t.Errorf("%s takes %+v, want at most %d reads of %d queries and %d writes", what, s, reads, queries, writes)
		}
	}
	cold := c.Colder()
	most("a catch-up, nothing cached", c.Of("catch-up, made, nothing cached", page(cold, linnet.RankPage{})), 16, 2000, 1)
	next := apptest.Must(cold.Feeds.CatchUp(c.Ctx, reader, linnet.RankPage{}))(t).Next
	most("a page", c.Of("catch-up, page", page(cold, linnet.RankPage{After: next})), 2, 20, 0)
	most("a page, nothing cached", c.Of("catch-up, page, nothing cached", page(c.Colder(), linnet.RankPage{After: next})), 4, 100, 0)
	c.OK(c.Feeds.RenewCatchUp(c.Ctx, reader))
	apptest.ForgetFeeds(c.World, reader)
	most("a catch-up, all cold", c.Of("catch-up, made, all cold", page(c.Colder(), linnet.RankPage{})), 20, 2000, 4)
}

// TestCatchUpNotKept checks that a catch-up is shown although storing it fails, before or after the
// write.
func TestCatchUpNotKept(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		w, e := apptest.Faulty(t)
		me, ann := w.Person("me"), w.Person("ann")
		w.Follow(me, ann)
		w.Post(ann, "one")
		w.Home(me, 20) // warm, so that the write of the catch-up fails
		e.Reset()
		e.FailAt(1, when)
		catches(w, me, "one")
		catches(w, me, "one")
		w.Check()
	}
}

// TestCatchUpIsChecked checks that the check finds an order without a user, and an order with
// duplicate entries.
func TestCatchUpIsChecked(t *testing.T) {
	w, _ := apptest.Faulty(t)
	me := w.Person("me")
	o := &record.RankOrder{At: w.Store.Now(), Since: 1, Entries: []record.RankedEntry{{ID: 7, Author: 8, Of: 7}, {ID: 9, Author: 8, Of: 7}}}
	apptest.Must(w.Store.Feeds.PutOrder(w.Ctx, record.CatchUpKey(me), o))(t)
	apptest.Must(w.Store.Feeds.PutOrder(w.Ctx, record.CatchUpKey(me+1<<16), &record.RankOrder{At: w.Store.Now(), Since: 1}))(t)
	found := apptest.Must(admin.Check(w.Ctx, w.App, admin.CheckOptions{Pause: time.Millisecond}))(t).Findings
	if len(found) != 2 {
		t.Errorf("%+v", found)
	}
}
