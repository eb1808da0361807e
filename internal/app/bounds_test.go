package app_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// recordMeter is an engine that counts the records read by queries and the changes written. A query
// counts its members or ids, and at least one.
type recordMeter struct {
	kv.Engine
	records, changes atomic.Int64
}

func (e *recordMeter) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	e.changes.Add(int64(len(ops)))
	return e.Engine.Txn(ctx, conds, ops...)
}

func (e *recordMeter) Apply(ctx context.Context, ops ...kv.Op) error {
	e.changes.Add(int64(len(ops)))
	return e.Engine.Apply(ctx, ops...)
}

func (e *recordMeter) Read(ctx context.Context, qs ...kv.Query) error {
	err := e.Engine.Read(ctx, qs...)
	for _, q := range qs {
		n := 1
		switch q := q.(type) {
		case *kv.Range:
			n = max(n, len(q.Members))
		case *kv.Scores:
			n = max(n, len(q.Members))
		case *kv.Feed:
			n = max(n, len(q.IDs))
		case *kv.AnyMember:
			n = len(q.Keys)
		}
		e.records.Add(int64(n))
	}
	return err
}

// bounded is a world that counts its reads.
type bounded struct {
	*apptest.World
	engine *recordMeter
}

func newBounded(t *testing.T) bounded {
	e := &recordMeter{Engine: memkv.New(memkv.Options{})}
	return bounded{apptest.New(t, e), e}
}

// reads runs f with a cold cache. It fails if f reads more than most records, or returns less than
// least, the number of results.
func (w bounded) reads(what string, most, least int, f func(*apptest.World) int) {
	w.Helper()
	w.Stop() // reads for the search index would count too
	cold := apptest.Idle(w.T, w.engine, store.Options{})
	before := w.engine.records.Load()
	found := f(cold)
	n := int(w.engine.records.Load() - before)
	w.Logf("%-40s %6d records of at most %6d, finds %d", what, n, most, found)
	if n > most || found < least {
		w.Errorf("%s reads %d records and finds %d, want at most %d and at least %d", what, n, found, most, least)
	}
}

// fill adds n new ids to the sets, and n to a counter.
func (w bounded) fill(n int, counter kv.Key, name string, sets map[kv.Key]func(linnet.ID) string) {
	w.Helper()
	if _, err := w.Store.Engine().Txn(w.Ctx, nil, kv.Incr{Key: counter, Name: name, By: int64(n)}); err != nil {
		w.Fatal(err)
	}
	for i := range n {
		id := w.Store.NewID(uint16(i%kv.Shards), 0)
		for key, member := range sets {
			if err := w.Store.Engine().Apply(w.Ctx, kv.Add{Key: key, Member: member(id), Score: id.Millis()}); err != nil {
				w.Fatal(err)
			}
		}
	}
}

// many returns n, or a fifth of it in short tests.
func many(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// TestBoundsOfSearch checks that searches for accounts and tags read a bounded number of records,
// with and without results. A search for statuses reads at most the newest 4,000.
func TestBoundsOfSearch(t *testing.T) {
	w := newBounded(t)
	me := w.Person("me")
	for i := range many(10_000) {
		id := w.Store.NewID(uint16(i%kv.Shards), 0)
		tag := fmt.Sprintf("zo%05d", i)
		if err := w.Store.Engine().Apply(w.Ctx, kv.Add{Key: record.NamesKey("an"), Member: fmt.Sprintf("ann%05d:%v", i, id)},
			kv.Add{Key: record.TagNamesKey(tag), Member: tag}, kv.Add{Key: record.TagRecentKey("zo"), Member: tag, Score: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	w.Person("ann")
	for i := range 250 {
		w.Person(fmt.Sprintf("bo%05d", i))
	}
	for i := range 4200 {
		w.Post(me, "status %d", i)
	}
	w.Drain()
	const users, perUser, tags = 200, 6, 151 // per user: the entry found, followers, record, newest statuses, counts
	accounts := func(q string) func(*apptest.World) int {
		return func(c *apptest.World) int {
			return len(apptest.Must(c.Discovery.SearchUsers(c.Ctx, me, apptest.SearchFor(q)))(t))
		}
	}
	w.reads("accounts, a word that is nowhere", 10, 0, accounts("nowhere"))
	w.reads("accounts, of whom none is there", 5*users+10, 0, accounts("an"))
	w.reads("accounts, a login", 5*users+10, 1, accounts("ann"))
	w.reads("accounts, two letters of very many", 2*users+20*3+10, 20, accounts("bo"))
	w.reads("accounts, one letter", kv.MaxRange+users*perUser, 0, accounts("a"))
	found := func(q string) func(*apptest.World) int {
		return func(c *apptest.World) int {
			return len(apptest.Must(c.Discovery.SearchTags(c.Ctx, apptest.SearchFor(q)))(t))
		}
	}
	w.reads("tags, a word that is nowhere", 10, 0, found("nowhere"))
	w.reads("tags, two letters of very many", 500+50+tags*(50+200), 0, found("zo"))
	statuses := func(q string) func(*apptest.World) int {
		return func(c *apptest.World) int {
			return len(apptest.Must(c.Discovery.SearchStatuses(c.Ctx, me, apptest.SearchFor(q)))(t).Statuses)
		}
	}
	const queued = 3 * 4202 // entries without a segment, which a new server reads
	w.reads("statuses, a word that is nowhere", queued+30, 0, statuses("nowhere"))
	w.reads("statuses, a word of all", queued+20*20, 20, statuses("status"))
}

// TestBoundsOfPages checks that the cost of a page of a long thread, a tag or a list of favouriters
// depends on the entries shown, not on the total.
func TestBoundsOfPages(t *testing.T) {
	w := newBounded(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	root := w.Post(ann, "root").ID
	for i := range many(5000) {
		w.Draft(bob, linnet.Draft{Text: fmt.Sprint("reply ", i), InReplyTo: root})
	}
	first := w.Post(ann, "#tagged").ID
	w.Drain()
	id := func(id linnet.ID) string { return id.String() }
	w.fill(10_000, record.TallyKey(root), "favourites", map[kv.Key]func(linnet.ID) string{record.Favourites().CopyKey(root): id})
	w.fill(20_000, record.TallyKey(first), "nothing", map[kv.Key]func(linnet.ID) string{
		record.TagKey("tagged"): func(id linnet.ID) string { return id.String() + "." + ann.String() }})
	const page = 20
	thread := func(viewer linnet.ID, most int) func(*apptest.World) int {
		return func(c *apptest.World) int {
			return len(apptest.Must(c.Reading.Thread(c.Ctx, viewer, root, linnet.ThreadQuery{Most: most}))(t).Descendants)
		}
	}
	w.reads("thread, for nobody", 4*linnet.MaxThreadStatuses, linnet.MaxThreadStatuses, thread(0, 0))
	w.reads("thread, for a reader", 7*linnet.MaxThreadReader, min(many(5000), linnet.MaxThreadReader), thread(ann, 0))
	w.reads("thread, a page", 7*200, 40, thread(ann, 60))
	likes := func(c *apptest.World) int {
		return len(apptest.Must(c.Posting.Marks.FavouritedBy(c.Ctx, ann, root, linnet.Page{Limit: page}))(t).Items)
	}
	tagged := func(c *apptest.World) int {
		return len(apptest.Must(c.Reading.Tag(c.Ctx, ann, linnet.TagQuery{Tag: "tagged"}, linnet.Page{Limit: page}))(t).Items)
	}
	// A page reads past 10,000 hidden entries, and checks each, because it must not be empty while
	// an older entry is visible.
	w.reads("who likes a status, all are gone", 22_000, 0, likes)
	w.reads("a tag, all are gone", 21_000, 0, tagged)
	for _, p := range w.People(2 * page) {
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, p, root))(t)
		w.Post(p, "#tagged")
	}
	w.Drain()
	w.reads("who likes a status", 5*page+10, page, likes)
	w.reads("a tag", 10*page+10, page, tagged)
}

// TestBoundsOfBlocks checks that the cost of home and search does not depend on the number of
// blocks.
func TestBoundsOfBlocks(t *testing.T) {
	w := newBounded(t)
	reader, _, _ := w.Town(5, 20)
	w.Home(reader, 40)
	w.fill(10_000, record.CountsKey(reader), record.Blocks().OwnerCounter, map[kv.Key]func(linnet.ID) string{
		record.Blocks().OwnedKey(reader): func(id linnet.ID) string { return id.String() },
		record.RelationshipsKey(reader):  func(id linnet.ID) string { return record.Blocking.Member(id) }})
	home := func(c *apptest.World) int {
		return len(apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{Limit: 20}))(t).Items)
	}
	w.reads("home of who blocks 10,000", 257+20*20, 20, home)
	w.reads("search of who blocks 10,000", 400, 5, func(c *apptest.World) int {
		return len(apptest.Must(c.Discovery.SearchUsers(c.Ctx, reader, apptest.SearchFor("user")))(t))
	})
}
