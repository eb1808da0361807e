package app_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
)

// TestTwoServersEqualTheModel checks that two servers with alternating actions show what the model
// expects.
func TestTwoServersEqualTheModel(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	r := &randomWorld{World: ws[0], Model: apptest.NewModel(), rnd: rand.New(rand.NewPCG(5, 5)), lists: map[linnet.ID]linnet.ID{}}
	r.people = ws[0].People(6)
	for _, p := range r.people {
		r.lists[p] = ws[0].List(p, linnet.ListChange{Exclusive: new(true)})
	}
	for range 5 {
		for i := range 4 {
			r.World = ws[i%2]
			for range 10 {
				r.act()
			}
			apptest.Settle(ws) // one server receives the other's changes a moment later
		}
		for _, w := range ws {
			for _, p := range r.people {
				w.CheckHome(r.Model, p, r.rnd, 1+r.rnd.IntN(40))
			}
		}
		if t.Failed() {
			return
		}
	}
	ws[0].Check()
}

// TestRacesBetweenServers checks that the same sign-up, post and mark are done once when three
// servers do them concurrently.
func TestRacesBetweenServers(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 3)
	ann := ws[0].Person("ann")
	apptest.Settle(ws)
	s := ws[0].Post(ann, "to be liked").ID
	var mu sync.Mutex
	made, posts := 0, map[linnet.ID]bool{}
	var wg sync.WaitGroup
	for g := range 30 {
		w := ws[g%3]
		wg.Go(func() {
			_, err := w.SignUpFast([]string{"bob", "Bob", "BOB"}[g%3])
			v, perr := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "once", IdempotencyKey: "k"})
			_, ferr := w.Posting.Marks.Favourite(w.Ctx, ann, s)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			} else if !errors.Is(err, accounts.ErrTaken) {
				t.Error(err)
			}
			if err := errors.Join(perr, ferr); err != nil {
				t.Error(err)
				return
			}
			posts[v.ID] = true
		})
	}
	wg.Wait()
	apptest.Settle(ws)
	if made != 1 || len(posts) != 1 {
		t.Errorf("%d users of one login, %d posts of one key", made, len(posts))
	}
	for i, w := range ws {
		if v := apptest.Must(w.View.Status(w.Ctx, 0, s))(t); v.Favourites != 1 {
			t.Errorf("server %d counts %d favourites", i, v.Favourites)
		}
		if u := apptest.Must(w.View.User(w.Ctx, 0, ann))(t); u.Statuses != 2 {
			t.Errorf("server %d counts %d statuses", i, u.Statuses)
		}
	}
	ws[1].Check()
}

// TestTasksOfAServerThatStops checks that other servers take over the tasks of a stopped server, at
// once if it has released them.
func TestTasksOfAServerThatStops(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 1)
	ann := ws[0].Person("ann")
	fans := ws[0].Crowd(ann, 4000)
	st := store.New(ws[0].Store.Engine(), store.Options{})
	s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet()}))(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	v := apptest.Must(s.Posting.Post(t.Context(), ann, linnet.Draft{Text: "x"}))(t)
	stop()
	<-done
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		missing := 0
		for _, feed := range ws[0].HomeFeeds(fans) {
			if fmt.Sprint(feed) != fmt.Sprint([]linnet.ID{v.ID}) {
				missing++
			}
		}
		if missing == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of 4,000 followers are missing", missing)
		}
	}
}

// TestServersHearOfRelationships checks that filters, blocks and mutes from another server apply to
// cached pages and open streams, and that a private setting applies to all servers.
func TestServersHearOfRelationships(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	a, b := ws[0], ws[1]
	me, bob := a.Person("me"), a.Person("bob")
	a.Follow(me, bob)
	a.Post(bob, "a word")
	apptest.Settle(ws)
	e := b.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamPublic))
	stranger := b.Listen(linnet.Session{}, apptest.Stream(linnet.StreamPublic))
	apptest.Must(b.Settings.ChangeInstance(b.Ctx, linnet.Operator(), linnet.InstanceChange{Private: new(false)}))(t)
	apptest.Must(a.Settings.ChangeInstance(a.Ctx, linnet.Operator(), linnet.InstanceChange{Private: new(true)}))(t) // b may take two seconds for it, meanwhile:

	filtersOfAnotherServer(a, b, me, bob, e)
	relationshipsOfAnotherServer(a, b, me, bob, e)

	b.WaitFor("private", func() string { return fmt.Sprint(apptest.Must(b.Core.Private(b.Ctx))(t)) }, "true")
	stranger.WaitForEnd()
	a.Check()
}

// TestServersHearOfMarks checks that marks and follows from another server replace cached ones, and
// so do their ends.
func TestServersHearOfMarks(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	a, b := ws[0], ws[1]
	me, bob := a.Person("me"), a.Person("bob")
	id := a.Post(bob, "a word").ID
	apptest.Settle(ws)
	status := func(mark func(linnet.StatusView) bool) func(w *apptest.World) bool {
		return func(w *apptest.World) bool { return mark(apptest.Must(w.View.Status(w.Ctx, me, id))(t)) }
	}
	person := func(mark func(linnet.Relationship) bool) func(w *apptest.World) bool {
		return func(w *apptest.World) bool {
			return mark(apptest.Must(w.Social.Relationships(w.Ctx, me, []linnet.ID{bob}))(t)[0])
		}
	}
	for _, tc := range []struct {
		name    string
		on, off func() error
		shows   func(*apptest.World) bool
	}{
		{"favourite", func() error { return apptest.Err(a.Posting.Marks.Favourite(a.Ctx, me, id)) }, func() error { return apptest.Err(a.Posting.Marks.Unfavourite(a.Ctx, me, id)) },
			status(func(v linnet.StatusView) bool { return v.Favourited })},
		{"repost", func() error { return apptest.Err(a.Posting.Repost(a.Ctx, me, id, nil)) }, func() error { return apptest.Err(a.Posting.Unrepost(a.Ctx, me, id)) },
			status(func(v linnet.StatusView) bool { return v.Reposted })},
		{"bookmark", func() error { return apptest.Err(a.Posting.Marks.Bookmark(a.Ctx, me, id)) }, func() error { return apptest.Err(a.Posting.Marks.Unbookmark(a.Ctx, me, id)) },
			status(func(v linnet.StatusView) bool { return v.Bookmarked })},
		{"follow", func() error { return apptest.Err(a.Social.Follow(a.Ctx, me, bob, linnet.FollowOptions{})) }, func() error { return apptest.Err(a.Social.Unfollow(a.Ctx, me, bob)) },
			person(func(r linnet.Relationship) bool { return r.Following })},
		{"mute", func() error { return apptest.Err(a.Social.Mute(a.Ctx, me, bob, linnet.MuteOptions{})) }, func() error { return apptest.Err(a.Social.Unmute(a.Ctx, me, bob)) },
			person(func(r linnet.Relationship) bool { return r.Muting })},
		{"block", func() error { return apptest.Err(a.Social.Block(a.Ctx, me, bob)) }, func() error { return apptest.Err(a.Social.Unblock(a.Ctx, me, bob)) },
			person(func(r linnet.Relationship) bool { return r.Blocking })},
	} {
		for _, on := range []bool{true, false} {
			for range 2 { // the first read fills the cache
				if tc.shows(b) == on {
					t.Fatalf("%s: %v before it was done", tc.name, on)
				}
			}
			act := tc.off
			if on {
				act = tc.on
			}
			if err := act(); err != nil {
				t.Fatal(tc.name, err)
			}
			b.WaitFor(fmt.Sprint(tc.name, " ", on), func() string { return fmt.Sprint(tc.shows(b)) }, fmt.Sprint(on))
		}
	}
}

func filtersOfAnotherServer(a, b *apptest.World, me, bob linnet.ID, e *apptest.Listener) {
	found := func() string { return b.Found(me) }
	hears := func(text string, want bool) {
		b.Helper()
		a.Post(bob, "%s", text)
		e.WaitFor("user update " + text)
		for _, ev := range e.Seen() {
			if ev.Stream.Kind == linnet.StreamUser && ev.Status != nil && ev.Status.Text == text && (ev.Status.Filtered != nil) != want {
				b.Errorf("whether a filter finds %q in a stream of the other server: %v", text, !want)
			}
		}
	}
	b.WaitFor("at first", found, "-")
	f := a.Filter(me, linnet.FilterHome, "word")
	b.WaitFor("a filter that was made", found, "[word]")
	hears("word one", true)
	b.WaitFor("its next status", found, "[word][word]")
	apptest.Must(a.Reading.UpdateFilter(a.Ctx, me, f.ID, linnet.FilterChange{Context: new(linnet.FilterPublic)}))(a)
	b.WaitFor("a filter that was changed", found, "--")
	hears("word two", false)
	apptest.Must(a.Reading.UpdateFilter(a.Ctx, me, f.ID, linnet.FilterChange{Context: new(linnet.FilterHome)}))(a)
	b.WaitFor("a filter that was changed back", found, "[word][word][word]")
	if err := a.Reading.DeleteFilter(a.Ctx, me, f.ID); err != nil {
		a.Fatal(err)
	}
	b.WaitFor("a filter that was deleted", found, "---")
	hears("word three", false)
}

// relationshipsOfAnotherServer mutes and blocks on one server. The streams of the other skip the
// next status, because changes arrive before it.
func relationshipsOfAnotherServer(a, b *apptest.World, me, bob linnet.ID, e *apptest.Listener) {
	byBob := func() string {
		page := apptest.Must(b.Reading.Home(b.Ctx, me, linnet.Page{}))(b)
		return fmt.Sprint(len(slices.DeleteFunc(page.Items, func(v linnet.StatusView) bool { return v.Author != bob })))
	}
	mine := a.Post(me, "mine").ID
	reads := func() string {
		_, err := b.View.Status(b.Ctx, bob, mine)
		return fmt.Sprint(err == nil)
	}
	unheard := func(next string) { // waits for the next post, because a stream that reaches the first one after the unmute would send it
		a.Post(bob, "unheard")
		a.Post(me, "%s", next)
		e.WaitFor("user update " + next)
	}
	b.WaitFor("before", byBob, "4")
	apptest.Must(a.Social.Mute(a.Ctx, me, bob, linnet.MuteOptions{}))(a)
	unheard("muted")
	b.WaitFor("a mute", byBob, "0")
	apptest.Must(a.Social.Unmute(a.Ctx, me, bob))(a)
	a.Post(bob, "heard again")
	e.WaitFor("user update heard again")
	b.WaitFor("the end of a mute", byBob, "6")
	b.WaitFor("before the block", reads, "true")
	apptest.Must(a.Social.Block(a.Ctx, me, bob))(a)
	unheard("blocked")
	b.WaitFor("a block", byBob, "0")
	b.WaitFor("a block, to who is blocked", reads, "false")
	apptest.Must(a.Social.Unblock(a.Ctx, me, bob))(a)
	a.Post(bob, "heard at last")
	e.WaitFor("public update heard at last")
	b.WaitFor("the end of a block", reads, "true")
	for _, words := range e.Words() {
		if strings.HasSuffix(words, "unheard") {
			b.Errorf("%q in a stream of the other server", words)
		}
	}
}
