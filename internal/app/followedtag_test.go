package app_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// followsTags makes a user follow tags.
func (w *world) followsTags(who linnet.ID, tags ...string) {
	w.Helper()
	for _, t := range tags {
		w.did(w.Social.Tags.Follow(w.ctx, who, t))
	}
}

// tagsOf returns the tags that a user follows, the latest first.
func (w *world) tagsOf(who linnet.ID) (out []string) {
	w.Helper()
	p := linnet.Page{Limit: 3}
	for {
		s := must(w.Social.Tags.List(w.ctx, who, p))(w)
		if len(s.Items) == 0 {
			return out
		}
		for _, t := range s.Items {
			out = append(out, t.Tag)
		}
		p.Max = s.Last
	}
}

// texts returns the texts at a user's home, newest first.
func (w *world) texts(of linnet.ID) string {
	w.Helper()
	var all []string
	for _, v := range w.home(of, 7) {
		if v.Repost != nil {
			all = append(all, "RT "+v.Repost.Text)
		} else {
			all = append(all, v.Text)
		}
	}
	return strings.Join(all, "|")
}

// TestFollowedTags checks that home shows statuses with a followed tag once, only from authors that
// the reader would see, until the tag is unfollowed.
func TestFollowedTags(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob, eve := w.person("me"), w.person("ann"), w.person("bob"), w.person("eve")
		w.follow(me, ann)
		shows := func(want string) {
			w.Helper()
			w.drain()
			for range 2 { // from the feed, then rebuilt
				if got := w.texts(me); got != want {
					w.Errorf("home is %s, want %s", got, want)
				}
				forget(w, me)
			}
		}
		w.post(bob, "one #Überweg")
		shows("")
		w.followsTags(me, "uberweg", "ÜBERWEG", "b")
		shows("one #Überweg")
		w.post(ann, "two #b #uberweg")
		for _, v := range []linnet.Visibility{linnet.Unlisted, linnet.Direct} {
			w.draft(bob, linnet.Draft{Text: "not #b", Visibility: &v})
		}
		three := w.draft(bob, linnet.Draft{Text: "three #b", Language: "de"})
		must(w.Posting.Repost(w.ctx, eve, three.ID, nil))(w)
		four := w.draft(bob, linnet.Draft{Text: "four #b", InReplyTo: three.ID})
		all := "four #b|three #b|two #b #uberweg|one #Überweg"
		shows(all)
		must(w.Social.Follow(w.ctx, me, bob, linnet.FollowOptions{Languages: &[]string{"en"}}))(w)
		shows("four #b|not #b|two #b #uberweg|one #Überweg") // the chosen languages apply to followees only
		must(w.Social.Unfollow(w.ctx, me, bob))(w)
		shows(all)
		must(w.Social.Mute(w.ctx, me, bob, linnet.MuteOptions{}))(w)
		shows("two #b #uberweg")
		must(w.Social.Unmute(w.ctx, me, bob))(w)
		must(w.Social.Block(w.ctx, bob, me))(w)
		shows("two #b #uberweg")
		must(w.Social.Unblock(w.ctx, bob, me))(w)
		w.did(w.operate("bob", linnet.Measure{Act: linnet.Silence, Reason: "loud"}))
		shows("two #b #uberweg")
		w.did(w.operate("bob", linnet.Measure{Act: linnet.Unsilence}))
		w.addTo(me, w.list(me, linnet.ListChange{Title: new("apart"), Exclusive: new(true)}), bob)
		shows("two #b #uberweg")
		w.did(w.Lists.DeleteList(w.ctx, me, must(w.Lists.Lists(w.ctx, me))(w)[0].ID))
		shows(all)
		w.edit(bob, four.ID, linnet.Edit{Text: "four"})
		w.did(second(w.Posting.Delete(w.ctx, bob, three.ID)))
		shows("two #b #uberweg|one #Überweg")
		equal(w, "tags", sorted(w.tagsOf(me)), []string{"b", "uberweg"}) // both can have the same time
		w.did(w.Social.Tags.Unfollow(w.ctx, me, "#Uberweg"))
		shows("two #b #uberweg")
		must(w.Social.Unfollow(w.ctx, me, ann))(w)
		shows("two #b #uberweg")
		w.did(w.Social.Tags.Unfollow(w.ctx, me, "b"))
		shows("")
		kindIs(w, w.Social.Tags.Follow(w.ctx, me, "2024"), linnet.NotFound)
		w.check()
	})
}

// TestFollowedTagsLimit checks that the limit of followed tags holds for concurrent requests, and
// that they are counted.
func TestFollowedTagsLimit(t *testing.T) {
	onEngines(t, func(w *world) {
		me := w.person("me")
		var all sync.WaitGroup
		var mu sync.Mutex
		refused := 0
		for i := range linnet.MaxFollowedTags + 20 {
			all.Go(func() {
				for range 2 {
					err := w.Social.Tags.Follow(w.ctx, me, fmt.Sprintf("tag%d", i))
					var e *linnet.Error
					if err != nil && (!errors.As(err, &e) || e.Kind != linnet.Invalid) {
						w.Error(err)
					}
					mu.Lock()
					if err != nil {
						refused++
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if n := len(w.tagsOf(me)); n != linnet.MaxFollowedTags || refused != 40 {
			w.Errorf("%d are followed, %d were refused", n, refused)
		}
		w.check()
		w.did(w.Social.Deletion.DeleteUser(w.ctx, me))
		w.drain()
		w.check()
	})
}

// TestFollowedTagsPages checks that pages of a home of authors and tags have no gaps and no
// duplicates in either direction, below the floor, and with many relationship flags.
func TestFollowedTagsPages(t *testing.T) {
	onEngines(t, func(w *world) {
		reader, by, m := w.town(8, 60)
		strangers := w.peopleNamed("stranger", 5)
		tags := []string{"a", "b", "c", "d"}
		w.followsTags(reader, tags...)
		rnd := rand.New(rand.NewPCG(8, 8))
		var want []linnet.ID
		for _, s := range m.all {
			want = append(want, s.ID)
		}
		for i := range 600 {
			d := linnet.Draft{Text: fmt.Sprint(i)}
			if tag := rnd.IntN(6); tag < 5 {
				d.Text += " #" + string(rune('a'+tag)) + " #" + string(rune('a'+rnd.IntN(5)))
			}
			who := append(slices.Clone(by), strangers...)[rnd.IntN(len(by)+len(strangers))]
			st := w.draft(who, d)
			if slices.Contains(by, who) || slices.ContainsFunc(st.Tags, func(t string) bool { return slices.Contains(tags, t) }) {
				want = append(want, st.ID)
			}
		}
		w.drain()
		slices.Sort(want)
		slices.Reverse(want)
		check := func(what string) {
			w.Helper()
			for _, limit := range []int{40, 7} {
				equal(w, fmt.Sprint(what, " by ", limit), ids(w.home(reader, limit)), want)
			}
			at := rnd.IntN(len(want))
			equal(w, what+" up", w.up(reader, want[at], 17), want[:at])
		}
		check("a home")
		forget(w, reader)
		check("a home that was forgotten")
		var ops []linnet.ID
		for range 300 {
			ops = append(ops, w.store.NewID(7, 0))
		}
		for _, id := range ops {
			w.did(w.store.Relations.SetRelationshipFlag(w.ctx, reader, id, record.HidesReposts, true))
		}
		check("a home of many flags")
		w.check()
	})
}

// peopleNamed creates n users with numbered names.
func (w *world) peopleNamed(name string, n int) []linnet.ID {
	out := make([]linnet.ID, n)
	for i := range out {
		out[i] = w.person(fmt.Sprint(name, i))
	}
	return out
}

// TestFollowedTagsStream checks that the user stream carries the statuses of followed tags that
// home shows, and their deletions.
func TestFollowedTagsStream(t *testing.T) {
	onEngines(t, func(w *world) {
		me, bob, eve := w.person("me"), w.person("bob"), w.person("eve")
		w.followsTags(me, "b")
		must(w.Social.Mute(w.ctx, me, eve, linnet.MuteOptions{}))(w)
		e := w.listen(session(me), stream(linnet.StreamUser))
		w.post(bob, "no tag")
		w.draft(bob, linnet.Draft{Text: "quiet #b", Visibility: new(linnet.Unlisted)})
		w.post(eve, "muted #b")
		st := w.post(bob, "one #B")
		e.until("user update one #B")
		w.did(second(w.Posting.Delete(w.ctx, bob, st.ID)))
		e.until("user delete")
		w.did(w.Social.Tags.Unfollow(w.ctx, me, "b"))
		w.followsTags(me, "c")
		w.post(bob, "two #b")
		w.post(bob, "three #c")
		e.until("user update three #c")
		equal(w, "events", e.words(), []string{"user update one #B", "user delete", "user update three #c"})
	})
}

// TestFollowedTagsCost limits the cost of followed tags: no round trip without tags, one more per
// page with tags. A post costs the same whether its tags are followed or not.
func TestFollowedTagsCost(t *testing.T) {
	c := newCosts(t)
	reader, by, _ := c.town(4, 10)
	page := func(c costs) func() {
		return func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{Limit: 40}))(t) }
	}
	// Some posts also trim the set of recent tags, so the cheapest of three counts.
	post := func(what, text string) (least faultkv.Stats) {
		for range 3 {
			if s := c.of(what, func() { c.post(by[0], "%s", text) }); least.Changes == 0 || s.Changes < least.Changes {
				least = s
			}
		}
		return least
	}
	c.home(reader, 40)
	c.drain()
	warm, cold := c.of("home without tags, warm", page(c)), c.of("home without tags, nothing cached", page(c.colder()))
	plain := post("a post whose tag nobody follows", "x #a")
	for i := range 20 {
		c.followsTags(reader, fmt.Sprint("a", i))
	}
	c.followsTags(reader, "a")
	c.home(reader, 40)
	c.drain()
	warmTags, coldTags := c.of("home with 21 tags, warm", page(c)), c.of("home with 21 tags, nothing cached", page(c.colder()))
	followed := post("a post whose tag is followed", "y #a")
	if warmTags.RoundTrips() > warm.RoundTrips()+1 || coldTags.RoundTrips() > cold.RoundTrips()+1 {
		t.Errorf("%d and %d round trips with tags, %d and %d without", warmTags.RoundTrips(), coldTags.RoundTrips(), warm.RoundTrips(), cold.RoundTrips())
	}
	if followed.Changes > plain.Changes || followed.RoundTrips() > plain.RoundTrips() {
		t.Errorf("a post whose tag is followed makes %d changes in %d round trips, another %d in %d", followed.Changes, followed.RoundTrips(), plain.Changes, plain.RoundTrips())
	}
}
