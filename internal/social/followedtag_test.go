package social_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// followsTags makes a user follow tags.
func followsTags(w *apptest.World, who linnet.ID, tags ...string) {
	w.Helper()
	for _, t := range tags {
		w.OK(w.Social.Tags.Follow(w.Ctx, who, t))
	}
}

// tagsOf returns the tags that a user follows, the latest first.
func tagsOf(w *apptest.World, who linnet.ID) (out []string) {
	w.Helper()
	p := linnet.Page{Limit: 3}
	for {
		s := apptest.Must(w.Social.Tags.List(w.Ctx, who, p))(w)
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
func texts(w *apptest.World, of linnet.ID) string {
	w.Helper()
	var all []string
	for _, v := range w.Home(of, 7) {
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
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob, eve := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("eve")
		w.Follow(me, ann)
		shows := func(want string) {
			w.Helper()
			w.Drain()
			for range 2 { // from the feed, then rebuilt
				if got := texts(w, me); got != want {
					w.Errorf("home is %s, want %s", got, want)
				}
				apptest.ForgetFeeds(w, me)
			}
		}
		w.Post(bob, "one #Überweg")
		shows("")
		followsTags(w, me, "uberweg", "ÜBERWEG", "b")
		shows("one #Überweg")
		w.Post(ann, "two #b #uberweg")
		for _, v := range []linnet.Visibility{linnet.Unlisted, linnet.Direct} {
			w.Draft(bob, linnet.Draft{Text: "not #b", Visibility: &v})
		}
		three := w.Draft(bob, linnet.Draft{Text: "three #b", Language: "de"})
		apptest.Must(w.Posting.Repost(w.Ctx, eve, three.ID, nil))(w)
		four := w.Draft(bob, linnet.Draft{Text: "four #b", InReplyTo: three.ID})
		all := "four #b|three #b|two #b #uberweg|one #Überweg"
		shows(all)
		apptest.Must(w.Social.Follow(w.Ctx, me, bob, linnet.FollowOptions{Languages: &[]string{"en"}}))(w)
		shows("four #b|not #b|two #b #uberweg|one #Überweg") // the chosen languages apply to followees only
		apptest.Must(w.Social.Unfollow(w.Ctx, me, bob))(w)
		shows(all)
		apptest.Must(w.Social.Mute(w.Ctx, me, bob, linnet.MuteOptions{}))(w)
		shows("two #b #uberweg")
		apptest.Must(w.Social.Unmute(w.Ctx, me, bob))(w)
		apptest.Must(w.Social.Block(w.Ctx, bob, me))(w)
		shows("two #b #uberweg")
		apptest.Must(w.Social.Unblock(w.Ctx, bob, me))(w)
		w.OK(w.Operate("bob", linnet.Measure{Act: linnet.Silence, Reason: "loud"}))
		shows("two #b #uberweg")
		w.OK(w.Operate("bob", linnet.Measure{Act: linnet.Unsilence}))
		w.AddTo(me, w.List(me, linnet.ListChange{Title: new("apart"), Exclusive: new(true)}), bob)
		shows("two #b #uberweg")
		w.OK(w.Lists.DeleteList(w.Ctx, me, apptest.Must(w.Lists.Lists(w.Ctx, me))(w)[0].ID))
		shows(all)
		w.Edit(bob, four.ID, linnet.Edit{Text: "four"})
		w.OK(apptest.Err(w.Posting.Delete(w.Ctx, bob, three.ID)))
		shows("two #b #uberweg|one #Überweg")
		apptest.Equal(w, "tags", apptest.Sorted(tagsOf(w, me)), []string{"b", "uberweg"}) // both can have the same time
		w.OK(w.Social.Tags.Unfollow(w.Ctx, me, "#Uberweg"))
		shows("two #b #uberweg")
		apptest.Must(w.Social.Unfollow(w.Ctx, me, ann))(w)
		shows("two #b #uberweg")
		w.OK(w.Social.Tags.Unfollow(w.Ctx, me, "b"))
		shows("")
		apptest.WantKind(w, w.Social.Tags.Follow(w.Ctx, me, "2024"), linnet.NotFound)
		w.Check()
	})
}

// TestFollowedTagsLimit checks that the limit of followed tags holds for concurrent requests, and
// that they are counted.
func TestFollowedTagsLimit(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me := w.Person("me")
		var all sync.WaitGroup
		var mu sync.Mutex
		refused := 0
		for i := range linnet.MaxFollowedTags + 20 {
			all.Go(func() {
				for range 2 {
					err := w.Social.Tags.Follow(w.Ctx, me, fmt.Sprintf("tag%d", i))
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
		if n := len(tagsOf(w, me)); n != linnet.MaxFollowedTags || refused != 40 {
			w.Errorf("%d are followed, %d were refused", n, refused)
		}
		w.Check()
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, me))
		w.Drain()
		w.Check()
	})
}

// TestFollowedTagsPages checks that pages of a home of authors and tags have no gaps and no
// duplicates in either direction, below the floor, and with many relationship flags.
func TestFollowedTagsPages(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		reader, by, m := w.Town(8, 60)
		strangers := w.PeopleNamed("stranger", 5)
		tags := []string{"a", "b", "c", "d"}
		followsTags(w, reader, tags...)
		rnd := rand.New(rand.NewPCG(8, 8))
		var want []linnet.ID
		for _, s := range m.All {
			want = append(want, s.ID)
		}
		for i := range 600 {
			d := linnet.Draft{Text: fmt.Sprint(i)}
			if tag := rnd.IntN(6); tag < 5 {
				d.Text += " #" + string(rune('a'+tag)) + " #" + string(rune('a'+rnd.IntN(5)))
			}
			who := append(slices.Clone(by), strangers...)[rnd.IntN(len(by)+len(strangers))]
			st := w.Draft(who, d)
			if slices.Contains(by, who) || slices.ContainsFunc(st.Tags, func(t string) bool { return slices.Contains(tags, t) }) {
				want = append(want, st.ID)
			}
		}
		w.Drain()
		slices.Sort(want)
		slices.Reverse(want)
		check := func(what string) {
			w.Helper()
			for _, limit := range []int{40, 7} {
				apptest.Equal(w, fmt.Sprint(what, " by ", limit), apptest.IDs(w.Home(reader, limit)), want)
			}
			at := rnd.IntN(len(want))
			apptest.Equal(w, what+" up", w.Up(reader, want[at], 17), want[:at])
		}
		check("a home")
		apptest.ForgetFeeds(w, reader)
		check("a home that was forgotten")
		var ops []linnet.ID
		for range 300 {
			ops = append(ops, w.Store.NewID(7, 0))
		}
		for _, id := range ops {
			w.OK(w.Store.Relations.SetRelationshipFlag(w.Ctx, reader, id, record.HidesReposts, true))
		}
		check("a home of many flags")
		w.Check()
	})
}

// TestFollowedTagsStream checks that the user stream carries the statuses of followed tags that
// home shows, and their deletions.
func TestFollowedTagsStream(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, bob, eve := w.Person("me"), w.Person("bob"), w.Person("eve")
		followsTags(w, me, "b")
		apptest.Must(w.Social.Mute(w.Ctx, me, eve, linnet.MuteOptions{}))(w)
		e := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
		w.Post(bob, "no tag")
		w.Draft(bob, linnet.Draft{Text: "quiet #b", Visibility: new(linnet.Unlisted)})
		w.Post(eve, "muted #b")
		st := w.Post(bob, "one #B")
		e.WaitFor("user update one #B")
		w.OK(apptest.Err(w.Posting.Delete(w.Ctx, bob, st.ID)))
		e.WaitFor("user delete")
		w.OK(w.Social.Tags.Unfollow(w.Ctx, me, "b"))
		followsTags(w, me, "c")
		w.Post(bob, "two #b")
		w.Post(bob, "three #c")
		e.WaitFor("user update three #c")
		apptest.Equal(w, "events", e.Words(), []string{"user update one #B", "user delete", "user update three #c"})
	})
}

// TestFollowedTagsCost limits the cost of followed tags: no round trip without tags, one more per
// page with tags. A post costs the same whether its tags are followed or not.
func TestFollowedTagsCost(t *testing.T) {
	c := apptest.NewCosts(t)
	reader, by, _ := c.Town(4, 10)
	page := func(c apptest.Costs) func() {
		return func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{Limit: 40}))(t) }
	}
	// Some posts also trim the set of recent tags, so the cheapest of three counts.
	post := func(what, text string) (least faultkv.Stats) {
		for range 3 {
			if s := c.Of(what, func() { c.Post(by[0], "%s", text) }); least.Changes == 0 || s.Changes < least.Changes {
				least = s
			}
		}
		return least
	}
	c.Home(reader, 40)
	c.Drain()
	warm, cold := c.Of("home without tags, warm", page(c)), c.Of("home without tags, nothing cached", page(c.Colder()))
	plain := post("a post whose tag nobody follows", "x #a")
	for i := range 20 {
		followsTags(c.World, reader, fmt.Sprint("a", i))
	}
	followsTags(c.World, reader, "a")
	c.Home(reader, 40)
	c.Drain()
	warmTags, coldTags := c.Of("home with 21 tags, warm", page(c)), c.Of("home with 21 tags, nothing cached", page(c.Colder()))
	followed := post("a post whose tag is followed", "y #a")
	if warmTags.RoundTrips() > warm.RoundTrips()+1 || coldTags.RoundTrips() > cold.RoundTrips()+1 {
		t.Errorf("%d and %d round trips with tags, %d and %d without", warmTags.RoundTrips(), coldTags.RoundTrips(), warm.RoundTrips(), cold.RoundTrips())
	}
	if followed.Changes > plain.Changes || followed.RoundTrips() > plain.RoundTrips() {
		t.Errorf("a post whose tag is followed makes %d changes in %d round trips, another %d in %d", followed.Changes, followed.RoundTrips(), plain.Changes, plain.RoundTrips())
	}
}
