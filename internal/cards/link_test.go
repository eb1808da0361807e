package cards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
)

// TestLinkTimeline checks that the timeline of a trending link shows public statuses of
// discoverable authors that contain the link. It does not exist after the trend.
func TestLinkTimeline(t *testing.T) {
	const link = "https://news.test/bird?id=1"
	w, clock := apptest.WithClock(t)
	people := w.People(5)
	ann, bob, cat, dan, eve := people[0], people[1], people[2], people[3], people[4]
	is := func(what string, viewer linnet.ID, want ...string) {
		t.Helper()
		w.Drain()
		w.OK(w.Trends.HandOn(w.Ctx))
		page, err := w.Trends.LinkTimeline(w.Ctx, viewer, link+"#part", linnet.Page{})
		got := apptest.Texts(page.Items)
		if linnet.KindOf(err) == linnet.NotFound {
			got = []string{"404"}
		} else {
			w.OK(err)
		}
		for i := range got {
			got[i], _, _ = strings.Cut(got[i], " ")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	w.Post(ann, "a %s#top", link)
	w.Post(bob, "b %s", link)
	is("two people are no trend", 0, "404")
	c := w.Post(cat, "c %s and %s once more", link, link)
	is("three are", 0, "c", "b", "a")
	for _, d := range []linnet.Draft{
		{Text: "unlisted " + link, Visibility: new(linnet.Unlisted)}, {Text: "private " + link, Visibility: new(linnet.Private)}, {Text: "direct " + link, Visibility: new(linnet.Direct)},
	} {
		w.Draft(dan, d)
	}
	w.Draft(dan, linnet.Draft{Text: "warned " + link, Sensitive: new(true)})
	e := w.Post(eve, "e says nothing")
	apptest.Must(w.Posting.Repost(w.Ctx, eve, c.ID, nil))(t)
	is("only public ones", 0, "warned", "c", "b", "a")
	apptest.Must(w.Posting.Edit(w.Ctx, eve, e.ID, linnet.Edit{Text: "e " + link}))(t)
	is("what names it since an edit", 0, "e", "warned", "c", "b", "a")
	apptest.Must(w.Posting.Edit(w.Ctx, eve, e.ID, linnet.Edit{Text: "e no more"}))(t)
	is("and no longer", 0, "warned", "c", "b", "a")
	apptest.Must(w.Posting.Delete(w.Ctx, cat, c.ID))(t)
	is("deleted", 0, "warned", "b", "a")
	apptest.Must(w.Social.Block(w.Ctx, ann, bob))(t)
	is("for who blocks", ann, "warned", "a")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, dan, linnet.ProfileChange{Discoverable: new(false)}))(t)
	is("who does not want to be found", 0, "b", "a")
	w.OK(w.Moderate(linnet.Operator(), bob, linnet.Silence))
	is("who is silenced", 0, "a")
	w.Check()
	clock.Advance(49 * time.Hour)
	is("when nobody talks about it", 0, "404")
}

// TestLinksAreForgotten checks that a link without mentions for nine days is deleted when another
// link of its shard is mentioned.
func TestLinksAreForgotten(t *testing.T) {
	w, clock := apptest.WithClock(t)
	sts := w.Store.Statuses
	st := &w.Post(w.Person("ann"), "a").Status
	shard := func(link string) uint16 { return record.LinkedKey(record.LinkHash(link)).Shard }
	old, other := "https://old.test/", ""
	for i := 0; other == "" || shard(other) != shard(old); i++ {
		other = fmt.Sprintf("https://new.test/%d", i)
	}
	kept := func(link string) int {
		t.Helper()
		return len(apptest.Must(sts.Links.Statuses(w.Ctx, link, db.Span{Limit: 10}))(t))
	}
	enter := func(link string) { w.OK(sts.Links.Enter(w.Ctx, []statuses.Linked{{Link: link, Status: st}}, nil)) }
	enter(old)
	clock.Advance(8 * 24 * time.Hour)
	enter(other)
	if kept(old) != 1 || kept(other) != 1 {
		t.Errorf("after 8 days %d and %d statuses are kept", kept(old), kept(other))
	}
	clock.Advance(2 * 24 * time.Hour)
	enter(other)
	if kept(old) != 0 || kept(other) != 1 {
		t.Errorf("after 10 days %d and %d statuses are kept", kept(old), kept(other))
	}
	w.OK(sts.Links.Enter(w.Ctx, nil, []statuses.Linked{{Link: other, Status: st}}))
	if kept(other) != 0 {
		t.Error("a status that was taken out is still there")
	}
	w.Check()
}

// TestCardOfTrend checks that a trending link shows its card, and its author if the named account
// allows it.
func TestCardOfTrend(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w, s := apptest.WithPush(t, e, store.Options{}), newSite(t)
	w.WithCards(true)
	people := w.People(3)
	link := s.URL + "/page/user0"
	trend := func(name string) linnet.Card {
		t.Helper()
		w.Drain()
		w.OK(w.Trends.HandOn(w.Ctx))
		for _, v := range apptest.Must(w.Trends.Links(w.Ctx, discovery.TrendQuery{}))(w) {
			if strings.HasSuffix(v.Card.Link, name) {
				return v.Card
			}
		}
		t.Fatalf("%s is no trend", name)
		return linnet.Card{}
	}
	say := func(link, title string) {
		t.Helper()
		for _, id := range people {
			cardOf(w, e, w.Post(id, "%s", link).ID, title)
		}
	}
	say(link+"#part", "Page user0")
	if c := trend("user0"); c.Title != "Page user0" || c.Image.Name == "" || c.Link != link || c.Author != "" || c.Claims != people[0] {
		t.Errorf("the link is %+v", c)
	}
	apptest.Must(w.Social.Profiles.Update(w.Ctx, people[0], linnet.ProfileChange{Attribution: &[]string{"127.0.0.1"}}))(t)
	link = s.URL + "/page/user0?again"
	say(link, "Page user0")
	if c := trend("?again"); c.Author != "@user0" || c.AuthorURL != "https://linnet.test/@user0" || c.Claims != 0 {
		t.Errorf("the author is %q at %q", c.Author, c.AuthorURL)
	}
	w.WithCards(false)
	if c := trend("user0"); c.Title == "Page user0" || c.Image.Name != "" {
		t.Errorf("without previews the link is %+v", c)
	}
}
