package app_test

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

// ranks reads a ranking to its end, in pages of limit entries.
func (w *world) ranks(limit int, read func(linnet.RankPage) (linnet.Ranking, error)) (all []linnet.Ranked) {
	w.Helper()
	for p := (linnet.RankPage{Limit: limit}); ; {
		page := must(read(p))(w)
		all = append(all, page.Items...)
		if page.Next == "" {
			return all
		}
		if len(page.Items) > limit || len(all) > linnet.RankingEntries {
			w.Fatalf("%d on a page of %d, %d together", len(page.Items), limit, len(all))
		}
		p.After = page.Next
	}
}

func (w *world) catchUp(me linnet.ID) []linnet.Ranked {
	w.Helper()
	return w.ranks(2, func(p linnet.RankPage) (linnet.Ranking, error) { return w.Feeds.CatchUp(w.ctx, me, p) })
}

func rankedTexts(all []linnet.Ranked) []string {
	views := make([]linnet.StatusView, len(all))
	for i := range all {
		views[i] = all[i].StatusView
	}
	return texts(views)
}

func (w *world) catches(me linnet.ID, want ...string) {
	w.Helper()
	if got := rankedTexts(w.catchUp(me)); !slices.Equal(got, want) {
		w.Errorf("catch-up of %v: %q, want %q", me, got, want)
	}
}

// TestCatchUp checks that the catch-up is the home timeline ordered by score, each status once,
// without the reader's own. A stored order does not change, except that invisible statuses are
// dropped.
func TestCatchUp(t *testing.T) { onEngines(t, catchUp) }

func catchUp(w *world) {
	b := newBallot(w)
	bob := w.person("bob")
	w.follow(b.me, bob)
	fair, best, plain := w.post(b.ann, "fair").ID, w.post(b.ann, "best").ID, w.post(bob, "plain").ID
	odd := w.post(b.sam, "odd").ID
	mine := w.post(b.me, "mine").ID
	must(w.Posting.Repost(w.ctx, bob, odd, nil))(w)
	must(w.Posting.Repost(w.ctx, b.ann, odd, nil))(w)
	must(w.Posting.Repost(w.ctx, bob, best, nil))(w)
	must(w.Posting.Repost(w.ctx, bob, mine, nil))(w)
	b.favour(best, b.voters[:4]...)
	b.favour(fair, b.voters[:2]...)
	want := []string{"best", "RT odd", "fair", "plain"}
	b.catches(b.me, want...)
	for _, r := range b.catchUp(b.me) {
		y := r.Why
		if sum := (y.Own + y.Favourites + y.Reposts + y.Replies) * y.Decay * y.Weight; sum != y.Score || y.Own != 1 || y.Weight != 1 {
			w.Errorf("%+v", y)
		}
	}
	b.favour(plain, b.voters...)
	w.post(bob, "late")
	w.drain()
	b.catches(b.me, want...)
	w.did(w.Feeds.RenewCatchUp(w.ctx, b.me))
	b.catches(b.me, "plain", "best", "RT odd", "fair", "late")
	w.check()
	must(w.Posting.Delete(w.ctx, b.ann, best))(w)
	must(w.Social.Mute(w.ctx, b.me, b.sam, linnet.MuteOptions{}))(w)
	b.catches(b.me, "plain", "fair", "late")
	must(w.Social.Block(w.ctx, b.ann, b.me))(w)
	b.catches(b.me, "plain", "late")
	w.did(w.operate("bob", linnet.Measure{Act: linnet.Suspend}))
	b.catches(b.me)
	must(w.Social.Unblock(w.ctx, b.ann, b.me))(w)
	w.drain()
	w.did(w.Social.Deletion.DeleteUser(w.ctx, b.me))
	w.drain()
	w.check()
	if kindOfCatchUp := second(w.Feeds.CatchUp(w.ctx, b.me, linnet.RankPage{})); kindOfCatchUp != nil {
		w.Errorf("of a user who is gone: %v", kindOfCatchUp)
	}
	w.check() // nothing is stored for them
}

// TestCatchUpRefills checks that hidden entries of a page are replaced with entries further down.
func TestCatchUpRefills(t *testing.T) {
	b := newBallot(memWorld(t))
	bob := b.person("bob")
	b.follow(b.me, bob)
	for i := range 40 {
		b.post(b.ann, "ann %d", i)
		b.favour(b.post(bob, "bob %d", i).ID, b.voters[0])
	}
	if n := len(b.catchUp(b.me)); n != 80 {
		t.Fatalf("%d entries", n)
	}
	must(b.Social.Unfollow(b.ctx, b.me, bob))(t)
	page := must(b.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{Limit: 20}))(t)
	if len(page.Items) != 20 || page.Items[0].Text != "ann 39" || page.Total != 80 {
		t.Errorf("%d of %d, %q", len(page.Items), page.Total, rankedTexts(page.Items))
	}
	if n := len(b.catchUp(b.me)); n != 40 {
		t.Errorf("%d are left", n)
	}
}

// TestCatchUpBegins checks that a catch-up begins at the home marker, or a day ago, and expires
// after half an hour. CaughtUp moves the marker to the newest status it has shown.
func TestCatchUpBegins(t *testing.T) {
	w, clock := clockWorld(t)
	me, ann := w.person("me"), w.person("ann")
	w.follow(me, ann)
	w.post(ann, "old")
	clock.turn(linnet.CatchUpAge + time.Minute)
	read := w.post(ann, "read").ID
	clock.turn(time.Minute)
	w.post(ann, "new")
	w.drain()
	w.catches(me, "new", "read")
	must(w.Reading.SaveMarkers(w.ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerHome: read}))(t)
	clock.turn(linnet.RankingAge - time.Second)
	w.catches(me, "new", "read")
	clock.turn(2 * time.Second)
	w.catches(me, "new")
	w.post(ann, "newer")
	w.drain()
	caught := func() {
		t.Helper()
		w.did(w.Feeds.CaughtUp(w.ctx, me, must(w.Feeds.CatchUp(w.ctx, me, linnet.RankPage{Limit: 1}))(t).Newest))
	}
	caught() // the shown status, not the last one
	w.catches(me, "newer")
	caught()
	w.catches(me)
	caught()                                 // the catch-up is empty: the marker stays
	w.did(w.Feeds.CaughtUp(w.ctx, me, read)) // the marker does not move back
	if m := must(w.Reading.Markers(w.ctx, me, []linnet.MarkerTimeline{linnet.MarkerHome}))(t); m[linnet.MarkerHome].Version != 3 {
		t.Errorf("%+v", m)
	}
	w.check()
}

// TestCatchUpList checks that the catch-up can be shown as a list, and that a status id as a cursor
// means the rank of the status.
func TestCatchUpList(t *testing.T) {
	b := newBallot(memWorld(t))
	list := func(p linnet.Page) linnet.Slice[linnet.StatusView] {
		t.Helper()
		return must(b.Feeds.ListTimeline(b.ctx, b.me, linnet.CatchUpList, p))(t)
	}
	kindIs(t, second(b.Feeds.ListTimeline(b.ctx, b.me, linnet.CatchUpList, linnet.Page{})), linnet.NotFound)
	must(b.Lists.SetShownLists(b.ctx, b.me, linnet.ShownListsChange{CatchUp: new(true)}))(t)
	var ids []linnet.ID
	for i := range 9 {
		ids = append(ids, b.post(b.ann, "p%d", i).ID)
		b.favour(ids[i], b.voters[:(i*4)%9]...) // favourites: 0 4 8 3 7 2 6 1 5
	}
	want := []string{"p2", "p4", "p6", "p8", "p1", "p3", "p5", "p7", "p0"}
	var got []string
	for p := (linnet.Page{Limit: 2}); len(got) < 99; {
		s := list(p)
		got = append(got, texts(s.Items)...)
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
		if s := list(x.p); !slices.Equal(texts(s.Items), x.want) || s.First != x.first || s.Last != x.last {
			t.Errorf("%s: %q, %q to %q", what, texts(s.Items), s.First, s.Last)
		}
	}
	kindIs(t, second(b.Feeds.ListTimeline(b.ctx, b.me, linnet.CatchUpList, linnet.Page{Max: "x"})), linnet.Invalid)
	kindIs(t, second(b.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{After: "x"})), linnet.Invalid)
	kindIs(t, b.Lists.AddToList(b.ctx, b.me, linnet.CatchUpList, []linnet.ID{b.ann}), linnet.Forbidden)
	b.did(b.Lists.DeleteList(b.ctx, b.me, linnet.CatchUpList))
	kindIs(t, second(b.Lists.List(b.ctx, b.me, linnet.CatchUpList)), linnet.NotFound)
	if all := must(b.Lists.Lists(b.ctx, b.me))(t); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// TestCatchUpCursorOutlivesItsOrder checks that a cursor of an older order continues after the same
// entry.
func TestCatchUpCursorOutlivesItsOrder(t *testing.T) {
	b := newBallot(memWorld(t))
	for i := range 6 {
		b.favour(b.post(b.ann, "p%d", i).ID, b.voters[:i]...)
	}
	page := must(b.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{Limit: 2}))(t) // p5 p4
	b.favour(b.post(b.ann, "up").ID, b.voters...)
	b.did(b.Feeds.RenewCatchUp(b.ctx, b.me))
	rest := must(b.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{After: page.Next}))(t)
	if got := rankedTexts(rest.Items); !slices.Equal(got, []string{"p3", "p2", "p1", "p0"}) || rest.Next != "" {
		t.Errorf("%q", got)
	}
	must(b.Posting.Delete(b.ctx, b.ann, page.Items[1].ID))(t)
	b.drain()
	b.did(b.Feeds.RenewCatchUp(b.ctx, b.me))
	rest = must(b.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{After: page.Next}))(t) // its entry is deleted: continues at the same rank
	if got := rankedTexts(rest.Items); !slices.Equal(got, []string{"p3", "p2", "p1", "p0"}) {
		t.Errorf("%q", got)
	}
}

// TestCatchUpAtOnce checks that concurrent readers on several servers get the same order.
func TestCatchUpAtOnce(t *testing.T) {
	e := memkv.New(memkv.Options{})
	b := newBallot(newWorld(t, e))
	other := must(app.New(store.New(e, store.Options{Shared: true}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet()}))(t)
	for i := range 10 {
		b.favour(b.post(b.ann, "p%d", i).ID, b.voters[:i]...)
	}
	ats := make([]time.Time, 12)
	var all sync.WaitGroup
	for i := range ats {
		s := b.App
		if i%2 == 0 {
			s = other
		}
		all.Go(func() {
			page := must(s.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{}))(t)
			if len(page.Items) == 10 {
				ats[i] = page.At
			}
		})
	}
	all.Wait()
	for _, at := range ats {
		if at.IsZero() || at.UnixMilli() != must(b.Feeds.CatchUp(b.ctx, b.me, linnet.RankPage{}))(t).At.UnixMilli() {
			t.Errorf("orders of %v", ats)
		}
	}
	b.check()
}

// TestCatchUpCost checks that a new catch-up takes a bounded number of reads for any length of
// home, and that a page of a stored one takes two round trips.
func TestCatchUpCost(t *testing.T) {
	c := newCosts(t)
	reader := c.crossroads(10, 1500)
	c.home(reader, 40)
	c.rest()
	page := func(c costs, p linnet.RankPage) func() {
		return func() {
			if s := must(c.Feeds.CatchUp(c.ctx, reader, p))(t); len(s.Items) != 20 || s.Total != linnet.RankingEntries {
				t.Errorf("%d of %d", len(s.Items), s.Total)
			}
		}
	}
	most := func(what string, s faultkv.Stats, reads, queries, writes int) {
		if s.Reads > reads || s.Queries > queries || s.Writes() > writes {
			t.Errorf("%s takes %+v, want at most %d reads of %d queries and %d writes", what, s, reads, queries, writes)
		}
	}
	cold := c.colder()
	most("a catch-up, nothing cached", c.of("catch-up, made, nothing cached", page(cold, linnet.RankPage{})), 16, 2000, 1)
	next := must(cold.Feeds.CatchUp(c.ctx, reader, linnet.RankPage{}))(t).Next
	most("a page", c.of("catch-up, page", page(cold, linnet.RankPage{After: next})), 2, 20, 0)
	most("a page, nothing cached", c.of("catch-up, page, nothing cached", page(c.colder(), linnet.RankPage{After: next})), 4, 100, 0)
	c.did(c.Feeds.RenewCatchUp(c.ctx, reader))
	forget(c.world, reader)
	most("a catch-up, all cold", c.of("catch-up, made, all cold", page(c.colder(), linnet.RankPage{})), 20, 2000, 4)
}

// TestCatchUpNotKept checks that a catch-up is shown although storing it fails, before or after the
// write.
func TestCatchUpNotKept(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		w, e := faultWorld(t)
		me, ann := w.person("me"), w.person("ann")
		w.follow(me, ann)
		w.post(ann, "one")
		w.home(me, 20) // warm, so that the write of the catch-up fails
		e.Reset()
		e.FailAt(1, when)
		w.catches(me, "one")
		w.catches(me, "one")
		w.check()
	}
}

// TestCatchUpIsChecked checks that the check finds an order without a user, and an order with
// duplicate entries.
func TestCatchUpIsChecked(t *testing.T) {
	w, _ := faultWorld(t)
	me := w.person("me")
	o := &record.RankOrder{At: w.store.Now(), Since: 1, Entries: []record.RankedEntry{{ID: 7, Author: 8, Of: 7}, {ID: 9, Author: 8, Of: 7}}}
	must(w.store.Feeds.PutOrder(w.ctx, record.CatchUpKey(me), o))(t)
	must(w.store.Feeds.PutOrder(w.ctx, record.CatchUpKey(me+1<<16), &record.RankOrder{At: w.store.Now(), Since: 1}))(t)
	found := must(admin.Check(w.ctx, w.App, admin.CheckOptions{Pause: time.Millisecond}))(t).Findings
	if len(found) != 2 {
		t.Errorf("%+v", found)
	}
}
