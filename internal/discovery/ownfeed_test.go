package discovery_test

import (
	"slices"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

func ownFeed(w *apptest.World, me linnet.ID, c linnet.OwnFeedChange) linnet.ID {
	w.Helper()
	if c.Title == nil {
		c.Title = new("feed")
	}
	return apptest.Must(w.Feeds.CreateOwnFeed(w.Ctx, me, c))(w).ID
}

func showsFeed(w *apptest.World, me, feed linnet.ID, want ...string) {
	w.Helper()
	got := apptest.RankedTexts(w.Ranks(2, func(p linnet.RankPage) (linnet.Ranking, error) {
		return w.Feeds.OwnFeedTimeline(w.Ctx, me, feed, p)
	}))
	if !slices.Equal(got, want) {
		w.Errorf("feed of %v: %q, want %q", me, got, want)
	}
}

// TestOwnFeed checks that a feed contains the statuses of its sources within its window, once, by
// highest score. Its later pages do not change, and the first page is current.
func TestOwnFeed(t *testing.T) {
	w, clock := apptest.WithClock(t)
	b := newBallot(w)
	list := w.List(b.me, linnet.ListChange{})
	w.AddTo(b.me, list, b.sam)
	w.Post(b.ann, "old")
	clock.Advance(2 * time.Hour)
	good := w.Post(b.ann, "good").ID
	listedID := w.Post(b.sam, "listed").ID
	tagged := w.Post(b.eve, "about #birds").ID
	w.Post(b.voters[0], "by a voter")
	apptest.Must(w.Posting.Repost(w.Ctx, b.sam, good, nil))(w)
	b.favour(good, b.voters[:2]...)
	b.favour(tagged, b.voters[:5]...)
	window := new(time.Hour)
	home := linnet.FeedSource{Kind: linnet.FromHome, Weight: 1}
	listed := linnet.FeedSource{Kind: linnet.FromList, ID: list, Weight: 2}
	birds := linnet.FeedSource{Kind: linnet.FromTag, Tag: "Birds", Weight: 1}
	f := ownFeed(w, b.me, linnet.OwnFeedChange{Window: window, Sources: &[]linnet.FeedSource{home, listed, birds}})
	showsFeed(w, b.me, f, "RT good", "about #birds", "listed")
	byVoter := ownFeed(w, b.me, linnet.OwnFeedChange{Window: new(3 * time.Hour), Sources: &[]linnet.FeedSource{home, {Kind: linnet.FromAccount, ID: b.voters[0], Weight: 5}}})
	showsFeed(w, b.me, byVoter, "by a voter", "good", "old")
	first := apptest.Must(w.Feeds.OwnFeedTimeline(w.Ctx, b.me, f, linnet.RankPage{Limit: 1}))(t)
	b.favour(listedID, b.voters...)
	clock.Advance(linnet.FeedFresh + time.Second)
	after := apptest.Must(w.Feeds.OwnFeedTimeline(w.Ctx, b.me, f, linnet.RankPage{Limit: 1, After: first.Next}))(t)
	if got := apptest.RankedTexts(after.Items); !slices.Equal(got, []string{"about #birds"}) {
		t.Errorf("a second page of %q", got)
	}
	showsFeed(w, b.me, f, "listed", "RT good", "about #birds")
	apptest.Must(w.Feeds.UpdateOwnFeed(w.Ctx, b.me, f, linnet.OwnFeedChange{Favourites: new(0.0), HalfLife: new(time.Duration(0))}))(t)
	showsFeed(w, b.me, f, "RT good", "listed", "about #birds")
	w.Check()
	w.OK(w.Lists.RemoveFromList(w.Ctx, b.me, list, []linnet.ID{b.sam}))
	w.Drain()
	showsFeed(w, b.me, f, "about #birds")
	w.OK(w.Lists.DeleteList(w.Ctx, b.me, list))
	w.Drain()
	clock.Advance(linnet.FeedFresh + time.Second)
	showsFeed(w, b.me, f, "good", "about #birds")
	w.OK(w.Feeds.DeleteOwnFeed(w.Ctx, b.me, byVoter))
	apptest.WantKind(t, apptest.Err(w.Feeds.OwnFeedTimeline(w.Ctx, b.me, byVoter, linnet.RankPage{})), linnet.NotFound)
	apptest.WantKind(t, apptest.Err(w.Feeds.OwnFeedTimeline(w.Ctx, b.sam, f, linnet.RankPage{})), linnet.NotFound)
	w.Check()
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, b.me))
	w.Drain()
	w.Check()
	if all := apptest.Must(w.Feeds.OwnFeeds(w.Ctx, b.me))(t); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// leavers creates users who post everything that a feed can exclude.
func leavers(w *apptest.World, clock *apptest.Clock) (me, ann, group linnet.ID) {
	w.Helper()
	me, ann = w.Person("me"), w.Person("ann")
	bob, carl := w.Person("bob"), w.Person("carl")
	group = w.Group(ann, "birds", linnet.PublicGroup)
	w.Follow(me, ann)
	w.Follow(me, bob)
	says := func(by linnet.ID, text string, to linnet.ID, media ...linnet.ID) linnet.ID {
		clock.Advance(time.Second)
		return w.Draft(by, linnet.Draft{Text: text, InReplyTo: to, Media: media}).ID
	}
	boosts := func(id linnet.ID) {
		clock.Advance(time.Second)
		apptest.Must(w.Posting.Repost(w.Ctx, ann, id, nil))(w)
	}
	own, first := says(me, "mine", 0), says(ann, "first", 0)
	says(ann, "to myself", first)
	says(ann, "to me", own)
	says(ann, "to bob", says(bob, "by bob", 0))
	says(bob, "a picture", 0, apptest.Must(w.Upload(bob))(w).ID)
	boosts(says(carl, "a boosted picture", 0, apptest.Must(w.Upload(carl))(w).ID))
	boosts(says(carl, "boosted", 0))
	says(ann, "@birds in the group", 0)
	w.Drain()
	return me, ann, group
}

// TestOwnFeedLeavesOut checks that a feed can exclude replies to others, reposts and statuses
// without media. Sorted by time, it ignores votes and weights. A group's repost does not count as a
// repost.
func TestOwnFeedLeavesOut(t *testing.T) {
	apptest.OnClockedEngines(t, func(t *testing.T, clock *apptest.Clock, e kv.Engine) {
		w := apptest.Serve(t, e, store.Options{Now: clock.Now})
		me, ann, group := leavers(w, clock)
		all := []string{"@birds in the group", "RT boosted", "RT a boosted picture", "a picture", "to bob", "by bob", "to me", "to myself", "first"}
		but := func(gone ...string) []string {
			return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(gone, s) })
		}
		sources := []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}, {Kind: linnet.FromAccount, ID: ann, Weight: 10}}
		newest := new(linnet.NewestFirst)
		f := ownFeed(w, me, linnet.OwnFeedChange{Order: newest, Sources: &sources})
		showsFeed(w, me, f, all...)
		change := func(c linnet.OwnFeedChange) { apptest.Must(w.Feeds.UpdateOwnFeed(w.Ctx, me, f, c))(t) }
		change(linnet.OwnFeedChange{ExcludeReplies: new(true)})
		showsFeed(w, me, f, but("to bob")...)
		change(linnet.OwnFeedChange{ExcludeReposts: new(true)})
		showsFeed(w, me, f, but("to bob", "RT boosted", "RT a boosted picture")...)
		change(linnet.OwnFeedChange{ExcludeReplies: new(false), ExcludeReposts: new(false), OnlyMedia: new(true)})
		showsFeed(w, me, f, "RT a boosted picture", "a picture")
		w = apptest.ServeDue(t, e, store.Options{Now: clock.Now})
		showsFeed(w, me, f, "RT a boosted picture", "a picture")
		of := ownFeed(w, me, linnet.OwnFeedChange{ExcludeReplies: new(true), ExcludeReposts: new(true), Sources: &[]linnet.FeedSource{{Kind: linnet.FromAccount, ID: group, Weight: 1}}})
		showsFeed(w, me, of, "RT @birds in the group")
		apptest.WantKind(t, apptest.Err(w.Feeds.UpdateOwnFeed(w.Ctx, me, f, linnet.OwnFeedChange{Order: new(linnet.FeedOrder("best"))})), linnet.Invalid)
		change(linnet.OwnFeedChange{Order: new(linnet.ByImportance), OnlyMedia: new(false), HalfLife: new(time.Duration(0))})
		if got := apptest.RankedTexts(apptest.Must(w.Feeds.OwnFeedTimeline(w.Ctx, me, f, linnet.RankPage{}))(t).Items); !slices.Equal(got[len(got)-2:], []string{"a picture", "by bob"}) {
			t.Errorf("by importance: %q", got) // statuses by other authors have the lowest weight
		}
		w.Check()
	})
}

// TestOwnFeedOfPicturesIsBounded checks that a feed that excludes most statuses takes no more reads
// than others and still shows the rest.
func TestOwnFeedOfPicturesIsBounded(t *testing.T) {
	c := apptest.NewCosts(t)
	reader := c.Crossroads(10, 600)
	c.Home(reader, 40)
	who := c.Person("painter")
	c.Draft(who, linnet.Draft{Text: "painted", Media: []linnet.ID{apptest.Must(c.Upload(who))(c).ID}})
	for range 3 * linnet.DefaultPage {
		c.Post(who, "said")
	}
	f := ownFeed(c.World, reader, linnet.OwnFeedChange{OnlyMedia: new(true), Sources: &[]linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}, {Kind: linnet.FromLocal, Weight: 1}, {Kind: linnet.FromAccount, ID: who, Weight: 1}}})
	cold := c.Colder()
	var page linnet.Ranking
	if s := c.Of("feed of pictures, made, nothing cached", func() {
		page = apptest.Must(cold.Feeds.OwnFeedTimeline(c.Ctx, reader, f, linnet.RankPage{}))(t)
	}); s.Reads > 22 || s.Queries > 1000 || len(page.Items) != 1 || page.Next != "" {
		t.Errorf("%+v, shows %d, next %q", s, len(page.Items), page.Next)
	}
}

// TestOwnFeedsAreBounded checks that the number of feeds is limited.
func TestOwnFeedsAreBounded(t *testing.T) {
	w := apptest.InMemory(t)
	me := w.Person("me")
	for range linnet.MaxOwnFeeds {
		ownFeed(w, me, linnet.OwnFeedChange{})
	}
	apptest.WantKind(t, apptest.Err(w.Feeds.CreateOwnFeed(w.Ctx, me, linnet.OwnFeedChange{Title: new("more")})), linnet.Invalid)
	apptest.WantKind(t, apptest.Err(w.Feeds.CreateOwnFeed(w.Ctx, me+1<<16, linnet.OwnFeedChange{Title: new("nobody's")})), linnet.NotFound)
	if all := apptest.Must(w.Feeds.OwnFeeds(w.Ctx, me))(t); len(all) != linnet.MaxOwnFeeds {
		t.Errorf("%d", len(all))
	}
	w.Check()
}

// TestOwnFeedsAreChecked checks that the check finds the order of a deleted feed, and invalid
// feeds.
func TestOwnFeedsAreChecked(t *testing.T) {
	w, _ := apptest.Faulty(t)
	me := w.Person("me")
	gone := me + 1<<20
	apptest.Must(w.Store.Feeds.PutOrder(w.Ctx, record.RankingKey(gone), &record.RankOrder{Owner: me, At: w.Store.Now(), Since: 1}))(t)
	apptest.Must(w.Store.Feeds.PutOrder(w.Ctx, record.RankingKey(gone+1<<16), &record.RankOrder{At: w.Store.Now(), Since: 1}))(t)
	w.OK(w.Store.Feeds.ChangeOwnFeeds(w.Ctx, me, func(all *[]linnet.OwnFeed) (linnet.ID, error) {
		*all = []linnet.OwnFeed{{ID: 7, Title: "elsewhere"}}
		return linnet.MakeID(w.Store.Now(), me.Shard(), 1), nil
	}))
	if found := apptest.Must(admin.Check(w.Ctx, w.App, admin.CheckOptions{Pause: time.Millisecond}))(t).Findings; len(found) != 3 {
		t.Errorf("%+v", found)
	}
}

// TestOwnFeedCost checks that the cost of a page is bounded for sources of any size.
func TestOwnFeedCost(t *testing.T) {
	c := apptest.NewCosts(t)
	reader := c.Crossroads(10, 600)
	c.Home(reader, 40)
	tag := c.Post(c.Person("tagger"), "#tag").Author
	sources := []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}, {Kind: linnet.FromLocal, Weight: 1}, {Kind: linnet.FromTag, Tag: "tag", Weight: 1},
		{Kind: linnet.FromAccount, ID: tag, Weight: 1}, {Kind: linnet.FromList, ID: c.List(reader, linnet.ListChange{}), Weight: 1}}
	f := ownFeed(c.World, reader, linnet.OwnFeedChange{Sources: &sources})
	cold := c.Colder()
	var page linnet.Ranking
	if s := c.Of("feed of five sources, made, nothing cached", func() {
		page = apptest.Must(cold.Feeds.OwnFeedTimeline(c.Ctx, reader, f, linnet.RankPage{}))(t)
	}); s.Reads > 22 || s.Queries > 1000 || s.Writes() > 3 || page.Next == "" {
		t.Errorf("%+v, next %q", s, page.Next)
	}
	if s := c.Of("feed of five sources, page", func() {
		apptest.Must(cold.Feeds.OwnFeedTimeline(c.Ctx, reader, f, linnet.RankPage{After: page.Next}))(t)
	}); s.Reads > 3 || s.Writes() > 0 {
		t.Errorf("%+v", s)
	}
}
