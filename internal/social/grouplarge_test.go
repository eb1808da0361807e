package social_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// members adds n members without accounts to a group.
func members(w *apptest.World, g linnet.ID, n int) []linnet.ID {
	w.Helper()
	fans := w.Crowd(g, n)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	var ops []kv.Op
	for i, id := range fans {
		ops = append(ops, kv.Add{Key: kv.Key{Kind: "joined", Shard: id.Shard(), ID: id.String()}, Member: g.String(), Score: at})
		if len(ops) == kv.MaxApply || i == n-1 {
			w.OK(w.Store.Engine().Apply(w.Ctx, ops...))
			ops = nil
		}
	}
	_, err := w.Store.Engine().Txn(w.Ctx, nil, kv.Incr{Key: kv.Key{Kind: "counts", Shard: g.Shard(), ID: g.String()}, Name: "followers", By: int64(n)})
	w.OK(err)
	return fans
}

// most limits the cost of a request in a group of any size.
type most struct{ reads, txns, applies, changes int }

// TestGroupOfVeryMany checks that each action on a group of 5,000 or LINNET_LARGE members is
// answered after bounded work (docs/decisions/measurements.md). Batches of a thousand deliver posts
// and delete the group.
func TestGroupOfVeryMany(t *testing.T) {
	n := apptest.SizeOr(5000)
	var engine kv.Engine = memkv.New(memkv.Options{})
	if n > 5000 { // the model engine is too slow
		engine = apptest.OpenDisk(t)
	}
	e := faultkv.New(engine)
	w := apptest.Idle(t, e, store.Options{})
	ann, bob := w.Person("ann"), w.Person("bob")
	g := w.Group(ann, "crowd", linnet.PublicGroup)
	fans := members(w, g, n)
	act := func(what string, at most, do func() error) {
		t.Helper()
		e.Reset()
		began := time.Now()
		if err := do(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		took, s := time.Since(began), e.Stats()
		t.Logf("%d members: %s answered after %v, %d reads of %d queries, %d transactions and %d applies of %d changes", n, what,
			took.Round(10*time.Microsecond), s.Reads, s.Queries, s.Txns, s.Applies, s.Changes)
		if s.Reads > at.reads || s.Txns > at.txns || s.Applies > at.applies || s.Changes > at.changes {
			t.Errorf("%s: more than %+v", what, at)
		}
	}
	act("joining", most{40, 12, 6, 60}, func() error { return apptest.Err(w.Social.Follow(w.Ctx, bob, g, linnet.FollowOptions{})) })
	act("posting", most{60, 20, 12, 1100}, func() error { return apptest.Err(w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "@crowd hello"})) })
	carried := serveCounting(w, e, "carrying what was posted")
	if passes := n/1000 + 1; carried.Applies > passes+20 || carried.Changes > n+40*passes {
		t.Errorf("carried in %d applies of %d changes", carried.Applies, carried.Changes)
	}
	for _, i := range []int{0, n / 2, n - 1} {
		if feed := w.HomeFeeds(fans[i : i+1])[0]; len(feed) != 1 {
			t.Errorf("member %d has %v at home", i, feed)
		}
	}
	// The page reads all members, at most 1,000 at a time, because none of them has an account but
	// it must not be empty while an older member is visible.
	act("the members' page", most{18, 0, 0, 0}, func() error {
		return apptest.Err(w.Groups.GroupMembers(w.Ctx, bob, g, linnet.Outsider, linnet.Page{}))
	})
	act("leaving", most{40, 14, 8, 60}, func() error { return apptest.Err(w.Social.Unfollow(w.Ctx, bob, g)) })
	act("deleting", most{3000, 1200, 800, 6000}, func() error { return w.Groups.DeleteGroup(w.Ctx, ann, g) })
	apptest.WantKind(t, apptest.Err(w.Groups.Group(w.Ctx, ann, g)), linnet.NotFound)
	serveCounting(w, e, "ending the group")
	if left := apptest.KeysOf(w, g); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	for _, i := range []int{0, n / 2, n - 1} {
		if in := apptest.Must(w.Store.Relations.Memberships(w.Ctx, fans[i]))(t); len(in) != 0 {
			t.Errorf("member %d is in %v", i, in)
		}
	}
}

// serveCounting runs all tasks and returns their cost.
func serveCounting(w *apptest.World, e *faultkv.Engine, what string) faultkv.Stats {
	w.Helper()
	e.Reset()
	began := time.Now()
	last := apptest.Idle(w.T, e, store.Options{})
	ctx, stop := context.WithCancel(w.Ctx)
	done := make(chan struct{})
	go func() { defer close(done); last.App.Run(ctx) }()
	for {
		waiting := apptest.Must(task.List(w.Ctx, e, false, 1))(w.T)
		if len(waiting) == 0 && last.Idle() {
			break
		}
		if time.Since(began) > 10*time.Minute {
			w.Fatalf("%s does not end", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
	s := e.Stats()
	stop()
	<-done
	w.Logf("%s took %v: %d reads, %d transactions and %d applies of %d changes", what, time.Since(began).Round(time.Millisecond), s.Reads, s.Txns, s.Applies, s.Changes)
	return s
}

// TestGroupPulledEqualsPushed checks that a pulled group shows its members the same pages as a
// pushed one, for public and private groups.
func TestGroupPulledEqualsPushed(t *testing.T) {
	for _, kind := range []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup} {
		var pages [2][]string
		var pulls [2]bool
		for i, above := range []int64{3, 1 << 40} {
			clock := &apptest.Clock{}
			st := store.New(memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
			s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, PullAbove: above})
			if err != nil {
				t.Fatal(err)
			}
			w := &apptest.World{T: t, App: s, Ctx: t.Context(), Store: st}
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); s.Run(ctx) }()
			var g linnet.ID
			pages[i], g = groupLived(w, kind, clock)
			pulls[i] = w.Timeline.Pulls(g)
			stop()
			<-done
		}
		if !pulls[0] || pulls[1] {
			t.Fatalf("%v: pulled: %v", kind, pulls)
		}
		if !slices.Equal(pages[0], pages[1]) {
			t.Errorf("%v\npulled: %q\npushed: %q", kind, pages[0], pages[1])
		}
	}
}

// groupLived returns the timelines of a member of a group who also follows a user, after posts,
// removals and a return.
func groupLived(w *apptest.World, kind linnet.GroupKind, clock *apptest.Clock) (out []string, g linnet.ID) {
	w.Helper()
	people := w.People(6)
	reader, friend, back := people[1], people[4], people[5]
	g = w.Group(people[0], "birds", kind, people[1:4]...)
	w.Follow(reader, friend)
	w.Home(reader, 20) // warm
	for i := range 40 {
		if i == 10 { // pulling takes effect
			clock.Advance(time.Minute)
			w.OK(w.Reload(w.Ctx))
		}
		clock.Advance(3 * time.Millisecond)
		if i%4 == 0 {
			w.Post(friend, "aside %d", i)
		}
		v := w.Draft(people[i%3], linnet.Draft{Text: fmt.Sprintf("@birds post %d", i), Visibility: visible(linnet.Direct * linnet.Visibility(i%2))})
		w.Drain()
		if i%7 == 0 && v.Group == g {
			w.OK(w.Posting.GroupPosts.Remove(w.Ctx, people[0], g, v.ID))
		}
	}
	if kind == linnet.PrivateGroup {
		w.OK(w.Groups.InviteToGroup(w.Ctx, people[0], g, []linnet.ID{back}))
	}
	w.Follow(back, g) // after the others
	w.Drain()
	for _, who := range []linnet.ID{reader, back} {
		for _, limit := range []int{3, 20} {
			out = append(out, fmt.Sprint(apptest.Texts(w.Home(who, limit))), fmt.Sprint(apptest.Texts(w.Pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Feeds.ListTimeline(w.Ctx, who, linnet.ListOfGroup(g), p)
			}))))
		}
	}
	w.OK(w.Store.Feeds.ForgetFeeds(w.Ctx, record.HomeKey(reader))) // cold, then warm again
	out = append(out, fmt.Sprint(apptest.Texts(w.Home(reader, 20))), fmt.Sprint(apptest.Texts(w.Home(reader, 20))))
	apptest.Must(w.Social.Unfollow(w.Ctx, reader, g))(w)
	return append(out, fmt.Sprint(apptest.Texts(w.Home(reader, 20)))), g
}
