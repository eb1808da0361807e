package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// grownReads compares the records that a request reads in a small and a large world. It fails if
// the large one reads over five percent more.
func grownReads(t *testing.T, what string, small, large int) {
	t.Helper()
	t.Logf("%-44s %6d records, %6d in the larger world", what, small, large)
	if small == 0 || large > small+small/20 {
		t.Errorf("%s reads %d records, %d in a world five times as large", what, small, large)
	}
}

// asks are requests by name. Each returns the number of its results.
type asks map[string]func(*apptest.World) int

// grows builds worlds of two sizes. It fails if a request with a cold cache reads more or finds
// less in the larger one.
func grows(t *testing.T, size int, build func(w bounded, n int) asks) {
	t.Helper()
	reads, finds := map[string]int{}, map[string]int{}
	for _, n := range []int{size, 5 * size} {
		w := newBounded(t)
		requests := build(w, n)
		w.Stop() // reads for the search index would count too
		for what, ask := range requests {
			cold := apptest.Idle(t, w.engine, store.Options{})
			before := w.engine.records.Load()
			found := ask(cold)
			read := int(w.engine.records.Load() - before)
			if n > size {
				grownReads(t, what, reads[what], read)
				if found == 0 || found != finds[what] {
					t.Errorf("%s finds %d, and %d in a world five times as large", what, finds[what], found)
				}
			}
			reads[what], finds[what] = read, found
		}
	}
}

// TestGrowthOfThread checks that the cost of a page of a thread, and of a reply with its ancestors,
// does not depend on the number of replies.
func TestGrowthOfThread(t *testing.T) {
	grows(t, many(1000), func(w bounded, n int) asks {
		ann, bob := w.Person("ann"), w.Person("bob")
		root := w.Post(ann, "root").ID
		leaf := linnet.ID(0)
		for i := range n {
			leaf = w.Draft(bob, linnet.Draft{Text: fmt.Sprint("reply ", i), InReplyTo: root}).ID
		}
		w.Drain()
		thread := func(viewer, id linnet.ID, most int) func(*apptest.World) int {
			return func(c *apptest.World) int {
				th := apptest.Must(c.Reading.Thread(c.Ctx, viewer, id, linnet.ThreadQuery{Most: most}))(t)
				return len(th.Ancestors) + len(th.Descendants)
			}
		}
		return asks{"thread, a page": thread(ann, root, 60), "thread, for nobody": thread(0, root, min(n, 200)), "thread, from a leaf": thread(ann, leaf, 0)}
	})
}

// TestGrowthOfTag checks that the cost of a page of a tag does not depend on the number of its
// statuses.
func TestGrowthOfTag(t *testing.T) {
	grows(t, many(20_000), func(w bounded, n int) asks {
		ann := w.Person("ann")
		w.fill(n, record.CountsKey(ann), "nothing", map[kv.Key]func(linnet.ID) string{
			record.TagKey("tagged"): func(id linnet.ID) string { return id.String() + "." + ann.String() }})
		for i := range 45 {
			w.Post(ann, "%d #tagged", i)
		}
		w.Drain()
		page := func(p linnet.Page) func(*apptest.World) int {
			return func(c *apptest.World) int {
				return len(apptest.Must(c.Reading.Tag(c.Ctx, ann, linnet.TagQuery{Tag: "tagged"}, p))(t).Items)
			}
		}
		second := apptest.Must(w.Reading.Tag(w.Ctx, ann, linnet.TagQuery{Tag: "tagged"}, linnet.Page{Limit: 20}))(t).Last
		return asks{"tag, a page": page(linnet.Page{Limit: 20}), "tag, the second page": page(linnet.Page{Limit: 20, Max: second})}
	})
}

// TestGrowthOfBlocks checks that the cost of home, relationships and search does not depend on the
// number of blocks.
func TestGrowthOfBlocks(t *testing.T) {
	grows(t, many(2000), func(w bounded, n int) asks {
		reader, authors, _ := w.Town(5, 20)
		w.Home(reader, 40)
		w.fill(n, record.CountsKey(reader), record.Blocks().OwnerCounter, map[kv.Key]func(linnet.ID) string{
			record.Blocks().OwnedKey(reader): func(id linnet.ID) string { return id.String() },
			record.RelationshipsKey(reader):  func(id linnet.ID) string { return record.Blocking.Member(id) }})
		return asks{
			"home of who blocks": func(c *apptest.World) int { return len(c.Home(reader, 20)) },
			"relationships of who blocks": func(c *apptest.World) int {
				return len(apptest.Must(c.Social.Relationships(c.Ctx, reader, authors))(t))
			},
			"search of who blocks": func(c *apptest.World) int {
				return len(apptest.Must(c.Discovery.SearchUsers(c.Ctx, reader, apptest.SearchFor("user")))(t))
			},
		}
	})
}

// TestGrowthOfNames checks that the cost of a search for a login or its first letter does not
// depend on the number of similar logins.
func TestGrowthOfNames(t *testing.T) {
	grows(t, 300, func(w bounded, n int) asks {
		me := w.Person("zoe")
		for i := range n {
			w.Person(fmt.Sprintf("an%05d", i))
		}
		w.Person("an")
		search := func(q string) func(*apptest.World) int {
			return func(c *apptest.World) int {
				found := apptest.Must(c.Discovery.SearchUsers(c.Ctx, me, apptest.SearchFor(q)))(t)
				if len(found) == 0 || q == "an" && found[0].Login != "an" {
					t.Errorf("a search for %q among %d finds %d, and not that login first", q, n, len(found))
				}
				return len(found)
			}
		}
		return asks{"accounts, a login that begins very many": search("an"), "accounts, one letter": search("a")}
	})
}

// starWorld returns a world that pulls authors with 100 followers or more, without background work
// except for tasks.
func starWorld(t *testing.T) (bounded, *apptest.Clock) {
	clock := &apptest.Clock{}
	e := &recordMeter{Engine: memkv.New(memkv.Options{Now: clock.Now})}
	st := store.New(e, store.Options{Now: clock.Now})
	s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, PullAbove: 100}))(t)
	w := bounded{&apptest.World{T: t, App: s, Ctx: t.Context(), Store: st}, e}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.ServeTasks(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	for end := time.Now().Add(time.Minute); e.records.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no look for tasks at the start")
		}
	}
	return w, clock
}

// starWork returns the records read and changed by a post of an author with n followers, and the
// records read by a reader's poll.
func starWork(t *testing.T, n int) (post, changes, poll int) {
	w, clock := starWorld(t)
	star, reader := w.Person("star"), w.Person("reader")
	w.Crowd(star, n)
	if _, err := w.engine.Txn(w.Ctx, nil, kv.Incr{Key: record.CountsKey(star), Name: "followers", By: int64(n)}); err != nil {
		t.Fatal(err)
	}
	w.Follow(reader, star)
	w.Home(reader, 20)
	for range 30 { // until pulling takes effect
		w.Post(star, "a status")
		w.Drain()
		clock.Advance(5 * time.Second)
		if err := w.Reload(w.Ctx); err != nil {
			t.Fatal(err)
		}
	}
	if !w.Timeline.Pulls(star) {
		t.Fatal("the author is not pulled")
	}
	before, changed := w.engine.records.Load(), w.engine.changes.Load()
	w.Post(star, "another")
	w.Drain()
	post, changes = int(w.engine.records.Load()-before), int(w.engine.changes.Load()-changed)
	before = w.engine.records.Load()
	if got := apptest.Texts(apptest.Must(w.Reading.Home(w.Ctx, reader, linnet.Page{Limit: 20}))(t).Items); len(got) != 20 || got[0] != "another" {
		t.Errorf("a reader of %d polls %q", n, got)
	}
	return post, changes, int(w.engine.records.Load() - before)
}

// TestGrowthOfPulled checks that posts of an author, and polls of the author's readers, cost the
// same for any large number of followers.
func TestGrowthOfPulled(t *testing.T) {
	size := many(2000)
	post, changes, poll := starWork(t, size)
	postLarge, changesLarge, pollLarge := starWork(t, 5*size)
	grownReads(t, "a post of who is pulled", post, postLarge)
	grownReads(t, "a post of who is pulled, changes", changes, changesLarge)
	grownReads(t, "a poll of a reader of who is pulled", poll, pollLarge)
}
