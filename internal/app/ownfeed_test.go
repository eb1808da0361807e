package app_test

import (
	"slices"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

func (w *world) ownFeed(me linnet.ID, c linnet.OwnFeedChange) linnet.ID {
	w.Helper()
	if c.Title == nil {
		c.Title = new("feed")
	}
	return must(w.Feeds.CreateOwnFeed(w.ctx, me, c))(w).ID
}

func (w *world) showsFeed(me, feed linnet.ID, want ...string) {
	w.Helper()
	got := rankedTexts(w.ranks(2, func(p linnet.RankPage) (linnet.Ranking, error) {
		return w.Feeds.OwnFeedTimeline(w.ctx, me, feed, p)
	}))
	if !slices.Equal(got, want) {
		w.Errorf("feed of %v: %q, want %q", me, got, want)
	}
}

// TestOwnFeed checks that a feed contains the statuses of its sources within its window, once, by
// highest score. Its later pages do not change, and the first page is current.
func TestOwnFeed(t *testing.T) {
	w, clock := clockWorld(t)
	b := newBallot(w)
	list := w.list(b.me, linnet.ListChange{})
	w.addTo(b.me, list, b.sam)
	w.post(b.ann, "old")
	clock.turn(2 * time.Hour)
	good := w.post(b.ann, "good").ID
	listedID := w.post(b.sam, "listed").ID
	tagged := w.post(b.eve, "about #birds").ID
	w.post(b.voters[0], "by a voter")
	must(w.Posting.Repost(w.ctx, b.sam, good, nil))(w)
	b.favour(good, b.voters[:2]...)
	b.favour(tagged, b.voters[:5]...)
	window := new(time.Hour)
	home := linnet.FeedSource{Kind: linnet.FromHome, Weight: 1}
	listed := linnet.FeedSource{Kind: linnet.FromList, ID: list, Weight: 2}
	birds := linnet.FeedSource{Kind: linnet.FromTag, Tag: "Birds", Weight: 1}
	f := w.ownFeed(b.me, linnet.OwnFeedChange{Window: window, Sources: &[]linnet.FeedSource{home, listed, birds}})
	w.showsFeed(b.me, f, "RT good", "about #birds", "listed")
	byVoter := w.ownFeed(b.me, linnet.OwnFeedChange{Window: new(3 * time.Hour), Sources: &[]linnet.FeedSource{home, {Kind: linnet.FromAccount, ID: b.voters[0], Weight: 5}}})
	w.showsFeed(b.me, byVoter, "by a voter", "good", "old")
	first := must(w.Feeds.OwnFeedTimeline(w.ctx, b.me, f, linnet.RankPage{Limit: 1}))(t)
	b.favour(listedID, b.voters...)
	clock.turn(linnet.FeedFresh + time.Second)
	after := must(w.Feeds.OwnFeedTimeline(w.ctx, b.me, f, linnet.RankPage{Limit: 1, After: first.Next}))(t)
	if got := rankedTexts(after.Items); !slices.Equal(got, []string{"about #birds"}) {
		t.Errorf("a second page of %q", got)
	}
	w.showsFeed(b.me, f, "listed", "RT good", "about #birds")
	must(w.Feeds.UpdateOwnFeed(w.ctx, b.me, f, linnet.OwnFeedChange{Favourites: new(0.0), HalfLife: new(time.Duration(0))}))(t)
	w.showsFeed(b.me, f, "RT good", "listed", "about #birds")
	w.check()
	w.did(w.Lists.RemoveFromList(w.ctx, b.me, list, []linnet.ID{b.sam}))
	w.drain()
	w.showsFeed(b.me, f, "about #birds")
	w.did(w.Lists.DeleteList(w.ctx, b.me, list))
	w.drain()
	clock.turn(linnet.FeedFresh + time.Second)
	w.showsFeed(b.me, f, "good", "about #birds")
	w.did(w.Feeds.DeleteOwnFeed(w.ctx, b.me, byVoter))
	kindIs(t, second(w.Feeds.OwnFeedTimeline(w.ctx, b.me, byVoter, linnet.RankPage{})), linnet.NotFound)
	kindIs(t, second(w.Feeds.OwnFeedTimeline(w.ctx, b.sam, f, linnet.RankPage{})), linnet.NotFound)
	w.check()
	w.did(w.Social.Deletion.DeleteUser(w.ctx, b.me))
	w.drain()
	w.check()
	if all := must(w.Feeds.OwnFeeds(w.ctx, b.me))(t); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// leavers creates users who post everything that a feed can exclude.
func (w *world) leavers(clock *clocked) (me, ann, group linnet.ID) {
	w.Helper()
	me, ann = w.person("me"), w.person("ann")
	bob, carl := w.person("bob"), w.person("carl")
	group = w.group(ann, "birds", linnet.PublicGroup)
	w.follow(me, ann)
	w.follow(me, bob)
	says := func(by linnet.ID, text string, to linnet.ID, media ...linnet.ID) linnet.ID {
		clock.turn(time.Second)
		return w.draft(by, linnet.Draft{Text: text, InReplyTo: to, Media: media}).ID
	}
	boosts := func(id linnet.ID) {
		clock.turn(time.Second)
		must(w.Posting.Repost(w.ctx, ann, id, nil))(w)
	}
	own, first := says(me, "mine", 0), says(ann, "first", 0)
	says(ann, "to myself", first)
	says(ann, "to me", own)
	says(ann, "to bob", says(bob, "by bob", 0))
	says(bob, "a picture", 0, must(w.upload(bob))(w).ID)
	boosts(says(carl, "a boosted picture", 0, must(w.upload(carl))(w).ID))
	boosts(says(carl, "boosted", 0))
	says(ann, "@birds in the group", 0)
	w.drain()
	return me, ann, group
}

// TestOwnFeedLeavesOut checks that a feed can exclude replies to others, reposts and statuses
// without media. Sorted by time, it ignores votes and weights. A group's repost does not count as a
// repost.
func TestOwnFeedLeavesOut(t *testing.T) {
	onClockedEngines(t, func(t *testing.T, clock *clocked, e kv.Engine) {
		w := serve(t, e, store.Options{Now: clock.now})
		me, ann, group := w.leavers(clock)
		all := []string{"@birds in the group", "RT boosted", "RT a boosted picture", "a picture", "to bob", "by bob", "to me", "to myself", "first"}
		but := func(gone ...string) []string {
			return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(gone, s) })
		}
		sources := []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}, {Kind: linnet.FromAccount, ID: ann, Weight: 10}}
		newest := new(linnet.NewestFirst)
		f := w.ownFeed(me, linnet.OwnFeedChange{Order: newest, Sources: &sources})
		w.showsFeed(me, f, all...)
		change := func(c linnet.OwnFeedChange) { must(w.Feeds.UpdateOwnFeed(w.ctx, me, f, c))(t) }
		change(linnet.OwnFeedChange{ExcludeReplies: new(true)})
		w.showsFeed(me, f, but("to bob")...)
		change(linnet.OwnFeedChange{ExcludeReposts: new(true)})
		w.showsFeed(me, f, but("to bob", "RT boosted", "RT a boosted picture")...)
		change(linnet.OwnFeedChange{ExcludeReplies: new(false), ExcludeReposts: new(false), OnlyMedia: new(true)})
		w.showsFeed(me, f, "RT a boosted picture", "a picture")
		w = closes(t, e, store.Options{Now: clock.now})
		w.showsFeed(me, f, "RT a boosted picture", "a picture")
		of := w.ownFeed(me, linnet.OwnFeedChange{ExcludeReplies: new(true), ExcludeReposts: new(true), Sources: &[]linnet.FeedSource{{Kind: linnet.FromAccount, ID: group, Weight: 1}}})
		w.showsFeed(me, of, "RT @birds in the group")
		kindIs(t, second(w.Feeds.UpdateOwnFeed(w.ctx, me, f, linnet.OwnFeedChange{Order: new(linnet.FeedOrder("best"))})), linnet.Invalid)
		change(linnet.OwnFeedChange{Order: new(linnet.ByImportance), OnlyMedia: new(false), HalfLife: new(time.Duration(0))})
		if got := rankedTexts(must(w.Feeds.OwnFeedTimeline(w.ctx, me, f, linnet.RankPage{}))(t).Items); !slices.Equal(got[len(got)-2:], []string{"a picture", "by bob"}) {
			t.Errorf("by importance: %q", got) // statuses by other authors have the lowest weight
		}
		w.check()
	})
}

// TestOwnFeedOfPicturesIsBounded checks that a feed that excludes most statuses takes no more reads
// than others and still shows the rest.
func TestOwnFeedOfPicturesIsBounded(t *testing.T) {
	c := newCosts(t)
	reader := c.crossroads(10, 600)
	c.home(reader, 40)
	who := c.person("painter")
	c.draft(who, linnet.Draft{Text: "painted", Media: []linnet.ID{must(c.upload(who))(c).ID}})
	for range 3 * linnet.DefaultPage {
		c.post(who, "said")
	}
	f := c.ownFeed(reader, linnet.OwnFeedChange{OnlyMedia: new(true), Sources: &[]linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}, {Kind: linnet.FromLocal, Weight: 1}, {Kind: linnet.FromAccount, ID: who, Weight: 1}}})
	cold := c.colder()
	var page linnet.Ranking
	if s := c.of("feed of pictures, made, nothing cached", func() {
		page = must(cold.Feeds.OwnFeedTimeline(c.ctx, reader, f, linnet.RankPage{}))(t)
	}); s.Reads > 22 || s.Queries > 1000 || len(page.Items) != 1 || page.Next != "" {
		t.Errorf("%+v, shows %d, next %q", s, len(page.Items), page.Next)
	}
}

// TestOwnFeedsAreBounded checks that the number of feeds is limited.
func TestOwnFeedsAreBounded(t *testing.T) {
	w := memWorld(t)
	me := w.person("me")
	for range linnet.MaxOwnFeeds {
		w.ownFeed(me, linnet.OwnFeedChange{})
	}
	kindIs(t, second(w.Feeds.CreateOwnFeed(w.ctx, me, linnet.OwnFeedChange{Title: new("more")})), linnet.Invalid)
	kindIs(t, second(w.Feeds.CreateOwnFeed(w.ctx, me+1<<16, linnet.OwnFeedChange{Title: new("nobody's")})), linnet.NotFound)
	if all := must(w.Feeds.OwnFeeds(w.ctx, me))(t); len(all) != linnet.MaxOwnFeeds {
		t.Errorf("%d", len(all))
	}
	w.check()
}

// TestOwnFeedsAreChecked checks that the check finds the order of a deleted feed, and invalid
// feeds.
func TestOwnFeedsAreChecked(t *testing.T) {
	w, _ := faultWorld(t)
	me := w.person("me")
	gone := me + 1<<20
	must(w.store.Feeds.PutOrder(w.ctx, record.RankingKey(gone), &record.RankOrder{Owner: me, At: w.store.Now(), Since: 1}))(t)
	must(w.store.Feeds.PutOrder(w.ctx, record.RankingKey(gone+1<<16), &record.RankOrder{At: w.store.Now(), Since: 1}))(t)
	w.did(w.store.Feeds.ChangeOwnFeeds(w.ctx, me, func(all *[]linnet.OwnFeed) (linnet.ID, error) {
		*all = []linnet.OwnFeed{{ID: 7, Title: "elsewhere"}}
		return linnet.MakeID(w.store.Now(), me.Shard(), 1), nil
	}))
	if found := must(admin.Check(w.ctx, w.App, admin.CheckOptions{Pause: time.Millisecond}))(t).Findings; len(found) != 3 {
		t.Errorf("%+v", found)
	}
}

// TestOwnFeedCost checks that the cost of a page is bounded for sources of any size.
func TestOwnFeedCost(t *testing.T) {
	c := newCosts(t)
	reader := c.crossroads(10, 600)
	c.home(reader, 40)
	tag := c.post(c.person("tagger"), "#tag").Author
	sources := []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}, {Kind: linnet.FromLocal, Weight: 1}, {Kind: linnet.FromTag, Tag: "tag", Weight: 1},
		{Kind: linnet.FromAccount, ID: tag, Weight: 1}, {Kind: linnet.FromList, ID: c.list(reader, linnet.ListChange{}), Weight: 1}}
	f := c.ownFeed(reader, linnet.OwnFeedChange{Sources: &sources})
	cold := c.colder()
	var page linnet.Ranking
	if s := c.of("feed of five sources, made, nothing cached", func() {
		page = must(cold.Feeds.OwnFeedTimeline(c.ctx, reader, f, linnet.RankPage{}))(t)
	}); s.Reads > 22 || s.Queries > 1000 || s.Writes() > 3 || page.Next == "" {
		t.Errorf("%+v, next %q", s, page.Next)
	}
	if s := c.of("feed of five sources, page", func() {
		must(cold.Feeds.OwnFeedTimeline(c.ctx, reader, f, linnet.RankPage{After: page.Next}))(t)
	}); s.Reads > 3 || s.Writes() > 0 {
		t.Errorf("%+v", s)
	}
}
