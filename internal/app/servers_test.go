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
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
)

// servers starts n servers on one Redis.
func servers(t *testing.T, n int) []*world {
	t.Helper()
	url := redistest.Single(t)
	ws := make([]*world, n)
	for i := range ws {
		st := store.New(openRedis(t, url, ""), store.Options{Shared: true})
		s := must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet()}))(t)
		ctx, stop := context.WithCancel(context.Background())
		if err := st.Follow(ctx); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		ws[i] = &world{T: t, App: s, ctx: ctx, store: st}
	}
	return ws
}

// settle waits until all servers are idle and have received each other's changes. Changes arrive in
// order, so each server must only see the latest rename of a user.
func settle(ws []*world) {
	last := ws[0]
	last.Helper()
	rest := func() {
		for _, w := range ws {
			w.drain()
		}
	}
	rest()
	id := must(last.store.Accounts.UserByLogin(last.ctx, "renamed"))(last)
	if id == 0 {
		id = last.person("renamed")
	}
	name := fmt.Sprint("at ", time.Now().UnixNano())
	must(last.Social.Profiles.Update(last.ctx, id, linnet.ProfileChange{Name: &name}))(last)
	rest()
	for _, w := range ws {
		w.comes("the last change", func() string { return must(w.View.User(w.ctx, 0, id))(w).Name }, name)
	}
}

// TestTwoServersEqualTheModel checks that two servers with alternating actions show what the model
// expects.
func TestTwoServersEqualTheModel(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	r := &randomWorld{world: ws[0], model: newModel(), rnd: rand.New(rand.NewPCG(5, 5)), lists: map[linnet.ID]linnet.ID{}}
	r.people = ws[0].people(6)
	for _, p := range r.people {
		r.lists[p] = ws[0].list(p, linnet.ListChange{Exclusive: new(true)})
	}
	for range 5 {
		for i := range 4 {
			r.world = ws[i%2]
			for range 10 {
				r.act()
			}
			settle(ws) // one server receives the other's changes a moment later
		}
		for _, w := range ws {
			for _, p := range r.people {
				w.checkHome(r.model, p, r.rnd, 1+r.rnd.IntN(40))
			}
		}
		if t.Failed() {
			return
		}
	}
	ws[0].check()
}

// TestRacesBetweenServers checks that the same sign-up, post and mark are done once when three
// servers do them concurrently.
func TestRacesBetweenServers(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 3)
	ann := ws[0].person("ann")
	settle(ws)
	s := ws[0].post(ann, "to be liked").ID
	var mu sync.Mutex
	made, posts := 0, map[linnet.ID]bool{}
	var wg sync.WaitGroup
	for g := range 30 {
		w := ws[g%3]
		wg.Go(func() {
			_, err := w.signUpFast([]string{"bob", "Bob", "BOB"}[g%3])
			v, perr := w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "once", IdempotencyKey: "k"})
			_, ferr := w.Posting.Marks.Favourite(w.ctx, ann, s)
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
	settle(ws)
	if made != 1 || len(posts) != 1 {
		t.Errorf("%d users of one login, %d posts of one key", made, len(posts))
	}
	for i, w := range ws {
		if v := must(w.View.Status(w.ctx, 0, s))(t); v.Favourites != 1 {
			t.Errorf("server %d counts %d favourites", i, v.Favourites)
		}
		if u := must(w.View.User(w.ctx, 0, ann))(t); u.Statuses != 2 {
			t.Errorf("server %d counts %d statuses", i, u.Statuses)
		}
	}
	ws[1].check()
}

// TestTasksOfAServerThatStops checks that other servers take over the tasks of a stopped server, at
// once if it has released them.
func TestTasksOfAServerThatStops(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 1)
	ann := ws[0].person("ann")
	fans := ws[0].crowd(ann, 4000)
	st := store.New(ws[0].store.Engine(), store.Options{})
	s := must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet()}))(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	v := must(s.Posting.Post(t.Context(), ann, linnet.Draft{Text: "x"}))(t)
	stop()
	<-done
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		missing := 0
		for _, feed := range ws[0].feeds(fans) {
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

// heardWithin is the time that a test waits for a change from another server. Filters, blocks and
// mutes arrive at once, and the settings every two seconds. The rest is for slow machines.
const heardWithin = time.Minute

// comes waits until shows returns want.
func (w *world) comes(what string, shows func() string, want string) {
	w.Helper()
	begun := time.Now()
	for got := shows(); got != want; got = shows() {
		if time.Since(begun) > heardWithin {
			w.Fatalf("%s: %q after %v, want %q", what, got, heardWithin, want)
		}
		time.Sleep(time.Millisecond)
	}
	w.Logf("%s: after %v", what, time.Since(begun).Round(10*time.Microsecond))
}

// TestServersHearOfRelationships checks that filters, blocks and mutes from another server apply to
// cached pages and open streams, and that a private setting applies to all servers.
func TestServersHearOfRelationships(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	a, b := ws[0], ws[1]
	me, bob := a.person("me"), a.person("bob")
	a.follow(me, bob)
	a.post(bob, "a word")
	settle(ws)
	e := b.listen(session(me), stream(linnet.StreamUser), stream(linnet.StreamPublic))
	stranger := b.listen(linnet.Session{}, stream(linnet.StreamPublic))
	must(b.Settings.ChangeInstance(b.ctx, linnet.Operator(), linnet.InstanceChange{Private: new(false)}))(t)
	must(a.Settings.ChangeInstance(a.ctx, linnet.Operator(), linnet.InstanceChange{Private: new(true)}))(t) // b may take two seconds for it, meanwhile:

	filtersOfAnotherServer(a, b, me, bob, e)
	relationshipsOfAnotherServer(a, b, me, bob, e)

	b.comes("private", func() string { return fmt.Sprint(must(b.Core.Private(b.ctx))(t)) }, "true")
	stranger.ends()
	a.check()
}

// TestServersHearOfMarks checks that marks and follows from another server replace cached ones, and
// so do their ends.
func TestServersHearOfMarks(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	a, b := ws[0], ws[1]
	me, bob := a.person("me"), a.person("bob")
	id := a.post(bob, "a word").ID
	settle(ws)
	status := func(mark func(linnet.StatusView) bool) func(w *world) bool {
		return func(w *world) bool { return mark(must(w.View.Status(w.ctx, me, id))(t)) }
	}
	person := func(mark func(linnet.Relationship) bool) func(w *world) bool {
		return func(w *world) bool { return mark(must(w.Social.Relationships(w.ctx, me, []linnet.ID{bob}))(t)[0]) }
	}
	for _, tc := range []struct {
		name    string
		on, off func() error
		shows   func(*world) bool
	}{
		{"favourite", func() error { return second(a.Posting.Marks.Favourite(a.ctx, me, id)) }, func() error { return second(a.Posting.Marks.Unfavourite(a.ctx, me, id)) },
			status(func(v linnet.StatusView) bool { return v.Favourited })},
		{"repost", func() error { return second(a.Posting.Repost(a.ctx, me, id, nil)) }, func() error { return second(a.Posting.Unrepost(a.ctx, me, id)) },
			status(func(v linnet.StatusView) bool { return v.Reposted })},
		{"bookmark", func() error { return second(a.Posting.Marks.Bookmark(a.ctx, me, id)) }, func() error { return second(a.Posting.Marks.Unbookmark(a.ctx, me, id)) },
			status(func(v linnet.StatusView) bool { return v.Bookmarked })},
		{"follow", func() error { return second(a.Social.Follow(a.ctx, me, bob, linnet.FollowOptions{})) }, func() error { return second(a.Social.Unfollow(a.ctx, me, bob)) },
			person(func(r linnet.Relationship) bool { return r.Following })},
		{"mute", func() error { return second(a.Social.Mute(a.ctx, me, bob, linnet.MuteOptions{})) }, func() error { return second(a.Social.Unmute(a.ctx, me, bob)) },
			person(func(r linnet.Relationship) bool { return r.Muting })},
		{"block", func() error { return second(a.Social.Block(a.ctx, me, bob)) }, func() error { return second(a.Social.Unblock(a.ctx, me, bob)) },
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
			b.comes(fmt.Sprint(tc.name, " ", on), func() string { return fmt.Sprint(tc.shows(b)) }, fmt.Sprint(on))
		}
	}
}

func filtersOfAnotherServer(a, b *world, me, bob linnet.ID, e *ear) {
	found := func() string { return b.found(me) }
	hears := func(text string, want bool) {
		b.Helper()
		a.post(bob, "%s", text)
		e.until("user update " + text)
		for _, ev := range e.seen() {
			if ev.Stream.Kind == linnet.StreamUser && ev.Status != nil && ev.Status.Text == text && (ev.Status.Filtered != nil) != want {
				b.Errorf("whether a filter finds %q in a stream of the other server: %v", text, !want)
			}
		}
	}
	b.comes("at first", found, "-")
	f := a.filter(me, linnet.FilterHome, "word")
	b.comes("a filter that was made", found, "[word]")
	hears("word one", true)
	b.comes("its next status", found, "[word][word]")
	must(a.Reading.UpdateFilter(a.ctx, me, f.ID, linnet.FilterChange{Context: new(linnet.FilterPublic)}))(a)
	b.comes("a filter that was changed", found, "--")
	hears("word two", false)
	must(a.Reading.UpdateFilter(a.ctx, me, f.ID, linnet.FilterChange{Context: new(linnet.FilterHome)}))(a)
	b.comes("a filter that was changed back", found, "[word][word][word]")
	if err := a.Reading.DeleteFilter(a.ctx, me, f.ID); err != nil {
		a.Fatal(err)
	}
	b.comes("a filter that was deleted", found, "---")
	hears("word three", false)
}

// relationshipsOfAnotherServer mutes and blocks on one server. The streams of the other skip the
// next status, because changes arrive before it.
func relationshipsOfAnotherServer(a, b *world, me, bob linnet.ID, e *ear) {
	byBob := func() string {
		page := must(b.Reading.Home(b.ctx, me, linnet.Page{}))(b)
		return fmt.Sprint(len(slices.DeleteFunc(page.Items, func(v linnet.StatusView) bool { return v.Author != bob })))
	}
	mine := a.post(me, "mine").ID
	reads := func() string {
		_, err := b.View.Status(b.ctx, bob, mine)
		return fmt.Sprint(err == nil)
	}
	unheard := func(next string) { // waits for the next post, because a stream that reaches the first one after the unmute would send it
		a.post(bob, "unheard")
		a.post(me, "%s", next)
		e.until("user update " + next)
	}
	b.comes("before", byBob, "4")
	must(a.Social.Mute(a.ctx, me, bob, linnet.MuteOptions{}))(a)
	unheard("muted")
	b.comes("a mute", byBob, "0")
	must(a.Social.Unmute(a.ctx, me, bob))(a)
	a.post(bob, "heard again")
	e.until("user update heard again")
	b.comes("the end of a mute", byBob, "6")
	b.comes("before the block", reads, "true")
	must(a.Social.Block(a.ctx, me, bob))(a)
	unheard("blocked")
	b.comes("a block", byBob, "0")
	b.comes("a block, to who is blocked", reads, "false")
	must(a.Social.Unblock(a.ctx, me, bob))(a)
	a.post(bob, "heard at last")
	e.until("public update heard at last")
	b.comes("the end of a block", reads, "true")
	for _, words := range e.words() {
		if strings.HasSuffix(words, "unheard") {
			b.Errorf("%q in a stream of the other server", words)
		}
	}
}
