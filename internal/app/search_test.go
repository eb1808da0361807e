package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// finds returns the texts of the statuses that a user finds.
func (w *world) finds(me linnet.ID, q string) string {
	w.Helper()
	return fmt.Sprint(texts(must(w.Discovery.SearchStatuses(w.ctx, me, searchFor(q)))(w).Statuses))
}

func (w *world) indexable(id linnet.ID, on bool) {
	w.Helper()
	must(w.Social.Profiles.Update(w.ctx, id, linnet.ProfileChange{Indexable: &on}))(w)
	w.drain()
}

// TestSearchScopes checks that users find public statuses of indexable authors and statuses that
// involve them, but no invisible or unwanted ones.
func TestSearchScopes(t *testing.T) { onEngines(t, searchScopes) }

func searchScopes(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	open := w.post(ann, "otter public").ID
	w.draft(ann, linnet.Draft{Text: "otter unlisted", Visibility: new(linnet.Unlisted)})
	w.draft(ann, linnet.Draft{Text: "otter private", Visibility: new(linnet.Private)})
	direct := w.draft(ann, linnet.Draft{Text: "@bob otter direct", Visibility: new(linnet.Direct)}).ID
	w.drain()
	is := func(who linnet.ID, q, want string) {
		w.Helper()
		if got := w.finds(who, q); got != want {
			w.Errorf("%v finds %s for %q, want %s", who, got, q, want)
		}
	}
	mine := "[@bob otter direct otter private otter unlisted otter public]"
	is(ann, "otter", mine)
	is(bob, "otter", "[@bob otter direct]")
	is(cat, "otter", "[]")
	is(0, "otter", "[]")
	w.indexable(ann, true) // earlier statuses are found too
	w.comesTo("what was there before", func() string { return w.finds(cat, "otter") }, "[otter public]")
	is(bob, "otter", "[@bob otter direct otter public]")
	is(bob, "otter in:public", "[otter public]")
	is(bob, "otter in:library", "[@bob otter direct]")
	is(ann, "otter in:public", "[otter public]")
	w.post(ann, "otter later")
	is(cat, "otter", "[otter later otter public]")
	w.indexable(ann, false) // applies at once
	is(cat, "otter", "[]")
	must(w.Posting.Marks.Favourite(w.ctx, cat, open))(w)
	w.drain()
	is(cat, "otter", "[otter public]")
	must(w.Posting.Marks.Unfavourite(w.ctx, cat, open))(w)
	must(w.Posting.Marks.Bookmark(w.ctx, cat, open))(w)
	w.drain()
	is(cat, "otter in:library", "[otter public]")
	w.draft(bob, linnet.Draft{Text: "yes", InReplyTo: open})
	w.drain()
	is(bob, "otter", "[@bob otter direct otter public]")
	is(bob, "otter -direct", "[otter public]")
	w.indexable(ann, true)
	must(w.Social.Block(w.ctx, ann, cat))(w)
	w.drain()
	is(cat, "otter", "[]")
	must(w.Social.Mute(w.ctx, bob, ann, linnet.MuteOptions{}))(w)
	w.drain()
	is(bob, "otter", "[]")
	must(w.Posting.Delete(w.ctx, ann, direct))(w)
	is(ann, "otter", strings.Replace(strings.Replace(mine, "@bob otter direct ", "", 1), "[", "[otter later ", 1))
	w.check()
}

// comesTo waits until shows returns want.
func (w *world) comesTo(what string, shows func() string, want string) {
	w.Helper()
	got := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got = shows(); got == want {
			return
		}
	}
	w.Fatalf("%s: %s, want %s", what, got, want)
}

// TestSearchOperators checks that each operator selects its statuses, and that its negation selects
// the others.
func TestSearchOperators(t *testing.T) {
	w := memWorld(t)
	ann, bob := w.person("ann"), w.person("bob")
	first := w.post(ann, "heron one")
	w.draft(ann, linnet.Draft{Text: "heron two", InReplyTo: first.ID})
	w.draft(ann, linnet.Draft{Text: "heron three https://example.org/x", Language: "de", QuoteOf: first.ID})
	w.draft(ann, linnet.Draft{Text: "heron four", Warning: "feathers"})
	w.draft(ann, linnet.Draft{Text: "heron five", Poll: &linnet.PollDraft{Options: []string{"grey", "white"}, Seconds: 3600}})
	w.draft(bob, linnet.Draft{Text: "@ann heron six #Heron", Language: "en-GB"})
	w.drain()
	today, tomorrow := w.store.Now().UTC().Format(time.DateOnly), w.store.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	all := "[@ann heron six #Heron heron five heron four heron three https://example.org/x heron two heron one]"
	for q, want := range map[string]string{
		"heron": all, "HERO*": all, "heron from:bob": "[@ann heron six #Heron]", "heron from:@bob@linnet.test": "[@ann heron six #Heron]", "from:me heron -is:reply -has:poll -has:link -is:sensitive": "[heron one]",
		"heron -from:me": "[@ann heron six #Heron]", "from:nobody heron": "[]", "is:reply": "[heron two]", "has:link": "[heron three https://example.org/x]", "has:poll": "[heron five]", "has:quote": "[heron three https://example.org/x]", "has:embed heron": "[]", "white grey": "[heron five]",
		"is:sensitive": "[heron four]", "feathers": "[heron four]", "language:de": "[heron three https://example.org/x]", "language:en heron -language:de": "[@ann heron six #Heron]", "has:media heron": "[]",
		`"heron one"`: "[heron one]", `"one heron"`: "[]", "#heron": "[@ann heron six #Heron]", "@ann heron": "[@ann heron six #Heron]", "during:" + today: all, "before:" + today: "[]", "after:" + today: "[]", "heron before:" + tomorrow: all,
	} {
		if got := w.finds(ann, q); got != want {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
	for _, q := range []string{"before:yesterday", "has:wings", "is:bird", "in:here", "ab*", strings.Repeat("x", 501), strings.Repeat("x ", 40)} {
		_, err := w.Discovery.SearchStatuses(w.ctx, ann, searchFor(q))
		kindIs(t, err, linnet.Invalid)
	}
}

// TestSearchPages checks that pages by max_id and by offset contain each status once.
func TestSearchPages(t *testing.T) {
	w := memWorld(t)
	ann, bob := w.person("ann"), w.person("bob")
	var want []linnet.ID
	for i := range 130 {
		want = append(want, w.post(ann, "swift %d", i).ID)
		w.post(bob, "swift of another %d", i)
	}
	slices.Reverse(want)
	w.drain()
	var got []linnet.ID
	q := discovery.SearchQuery{Text: "swift", Limit: 40}
	for pages := 0; pages < 10; pages++ {
		found := must(w.Discovery.SearchStatuses(w.ctx, ann, q))(t)
		got = append(got, ids(found.Statuses)...)
		if q.Below = found.Next; q.Below == 0 {
			break
		}
	}
	equal(t, "by max_id", got, want)
	got = nil
	for offset := 0; offset < 130; offset += 30 {
		got = append(got, ids(must(w.Discovery.SearchStatuses(w.ctx, ann, discovery.SearchQuery{Text: "swift", Limit: 30, Offset: offset}))(t).Statuses)...)
	}
	equal(t, "by offset", got, want)
	found := must(w.Discovery.SearchStatuses(w.ctx, ann, discovery.SearchQuery{Text: "swift", Above: want[10]}))(t)
	equal(t, "later than one", ids(found.Statuses), want[:10])
	for range 2 { // indexed again, but found once
		if err := w.store.Statuses.Search.Enqueue(w.ctx, w.store.Now(), want[5]); err != nil {
			t.Fatal(err)
		}
		st := &must(w.View.Status(w.ctx, ann, want[5]))(t).Status
		if err := w.Discovery.Edited(w.ctx, event.Edited{Status: st, Queued: w.store.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	found = must(w.Discovery.SearchStatuses(w.ctx, ann, discovery.SearchQuery{Text: "swift", Above: want[10]}))(t)
	equal(t, "later than one, indexed again", ids(found.Statuses), want[:10])
}

// indexWorld returns a world whose index is updated by hand.
func indexWorld(t *testing.T, e kv.Engine, opt store.Options) *world {
	st := store.New(e, opt)
	s := must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true, IndexAt: 64}))(t)
	return &world{T: t, App: s, ctx: context.Background(), store: st}
}

// settleIndex performs all pending work on the index.
func (w *world) settleIndex() {
	w.Helper()
	for range 10_000 {
		if must(w.Discovery.MaintainIndex(w.ctx))(w) {
			continue
		}
		return
	}
	w.Fatal("there is always something to be done")
}

func (w *world) manifest() *record.SearchManifest {
	return must(w.store.Statuses.Search.Manifest(w.ctx))(w)
}

// foundIn returns the number of statuses that a user finds on all pages.
func (w *world) foundIn(me linnet.ID, words string) (n int) {
	w.Helper()
	for q := (discovery.SearchQuery{Text: words, Limit: 40}); ; {
		f := must(w.Discovery.SearchStatuses(w.ctx, me, q))(w)
		n += len(f.Statuses)
		if q.Below = f.Next; q.Below == 0 {
			return n
		}
	}
}

func (w *world) sameFound(what string, me linnet.ID, words string, want int) {
	w.Helper()
	if got := w.foundIn(me, words); got != want {
		w.Errorf("%s: %d found, want %d", what, got, want)
	}
}

// TestSearchSegments checks that a search finds the same while segments are created, merged,
// rebuilt and removed, also on a new server.
func TestSearchSegments(t *testing.T) {
	clock := &clocked{}
	e := memkv.New(memkv.Options{Now: clock.now})
	opt := store.Options{Now: clock.now}
	w := indexWorld(t, e, opt)
	ann := w.person("ann")
	w.post(ann, "gannet before the index")
	w.settleIndex()
	want := 1
	agree := func(what string) {
		t.Helper()
		w.sameFound(what, ann, "gannet", want)
		indexWorld(t, e, opt).sameFound(what+", a new server", ann, "gannet", want)
		w.check()
	}
	var posted []linnet.ID
	for i := range 600 {
		posted = append(posted, w.post(ann, "gannet %d", i).ID)
		want++
		if i%70 == 69 {
			w.settleIndex()
		}
	}
	if m := w.manifest(); len(m.Segments) < 1 || len(m.Segments) >= 8 || m.Walk != nil {
		t.Errorf("%d segments, walk %v", len(m.Segments), m.Walk)
	}
	agree("merged")
	for _, id := range posted[:100] {
		must(w.Posting.Delete(w.ctx, ann, id))(t)
	}
	want -= 100
	agree("deleted")
	clock.turn(25 * 24 * time.Hour)
	w.settleIndex()
	count := 0
	for _, s := range w.manifest().Segments {
		count += s.Count
	}
	if count > want {
		t.Errorf("the segments hold %d statuses, of %d: what was deleted is still there", count, want)
	}
	agree("made anew")
	clock.turn(time.Hour)
	w.settleIndex()
	if m := w.manifest(); len(m.Removed) > 0 {
		t.Errorf("still removed: %v", m.Removed)
	}
	if err := w.Discovery.RebuildIndex(w.ctx); err != nil {
		t.Fatal(err)
	}
	agree("about to be rebuilt")
	w.settleIndex()
	agree("rebuilt")
}

// TestSearchDamagedSegment checks that a damaged or missing segment results in an incomplete answer
// and a rebuild of the index.
func TestSearchDamagedSegment(t *testing.T) {
	for name, damage := range map[string]func(get *kv.Get) kv.Op{
		"bits": func(get *kv.Get) kv.Op {
			data := slices.Clone(get.Data)
			data[len(data)/2] ^= 0x40
			return kv.Put{Key: get.Key, Data: data, Version: get.Version}
		},
		"cut": func(get *kv.Get) kv.Op {
			return kv.Put{Key: get.Key, Data: get.Data[:len(get.Data)/2], Version: get.Version}
		},
		"gone": func(get *kv.Get) kv.Op { return kv.Delete{Key: get.Key} },
	} {
		t.Run(name, func(t *testing.T) {
			e := memkv.New(memkv.Options{})
			w := indexWorld(t, e, store.Options{})
			ann := w.person("ann")
			for i := range 100 {
				w.post(ann, "petrel %d", i)
			}
			w.settleIndex()
			get := &kv.Get{Key: record.SearchPartKey(w.manifest().Segments[0].Name, 0)}
			if err := e.Read(w.ctx, get); err != nil || get.Version == 0 {
				t.Fatal(err)
			}
			if err := e.Apply(w.ctx, damage(get)); err != nil {
				t.Fatal(err)
			}
			fresh := indexWorld(t, e, store.Options{})
			if f := must(fresh.Discovery.SearchStatuses(fresh.ctx, ann, searchFor("petrel")))(t); !f.Incomplete {
				t.Error("nobody is told that something is missing")
			}
			if err := e.Apply(w.ctx, kv.Delete{Key: record.SearchLeaseKey()}); err != nil { // the first server holds the lease for a minute
				t.Fatal(err)
			}
			fresh.settleIndex()
			if got := fresh.finds(ann, "petrel 7"); got != "[petrel 7]" {
				t.Errorf("found %s", got)
			}
			fresh.check()
		})
	}
}

// TestSearchOnTwoServers checks that a post on one server is found on the other, with and without
// segments.
func TestSearchOnTwoServers(t *testing.T) {
	ws := servers(t, 2)
	a, b := ws[0], ws[1]
	ann, bob := a.person("ann"), a.person("bob")
	a.indexable(ann, true)
	a.comes("that she may be found", func() string { return fmt.Sprint(must(b.View.User(b.ctx, 0, ann))(b).Indexable) }, "true")
	a.post(ann, "plover here")
	if got := a.finds(bob, "plover"); got != "[plover here]" {
		t.Errorf("on its own server: %s", got)
	}
	b.comesTo("on the other server", func() string { return b.finds(bob, "plover") }, "[plover here]")
	b.post(ann, "plover there")
	a.comesTo("on the first server", func() string { return a.finds(bob, "plover") }, "[plover there plover here]")
}

// TestTheIndexIsMadeWithFewLooks checks that a server rarely reads the queue while it builds the
// index. The queue is full then, and reading it after each batch would dominate.
func TestTheIndexIsMadeWithFewLooks(t *testing.T) { synctest.Test(t, indexIsMadeWithFewLooks) }

func indexIsMadeWithFewLooks(t *testing.T) {
	e := &looked{Engine: memkv.New(memkv.Options{})}
	w := indexWorld(t, e, store.Options{})
	defer w.App.Close()
	for i := range 2000 { // forty batches
		w.person(fmt.Sprint("user", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Discovery.Run(ctx) })
	time.Sleep(time.Second) // in the bubble, where the work takes no time
	if m := w.manifest(); m.Walked == 0 {
		t.Errorf("the index is not made: %+v", m)
	}
	if n := e.looks.Load(); n == 0 || n > 5 {
		t.Errorf("the queue was looked at %d times", n)
	}
	cancel()
	running.Wait()
}

// looked counts the reads of the index queue.
type looked struct {
	kv.Engine
	looks atomic.Int64
}

func (l *looked) Read(ctx context.Context, qs ...kv.Query) error {
	for _, q := range qs {
		if r, ok := q.(*kv.Range); ok && r.Key == record.SearchQueueKey(0) {
			l.looks.Add(1)
		}
	}
	return l.Engine.Read(ctx, qs...)
}

// TestPhraseCost checks that a phrase of frequent words without a match costs a bounded number of
// reads.
func TestPhraseCost(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	w := indexWorld(t, e, store.Options{})
	ann := w.person("ann")
	for i := range 3000 {
		w.post(ann, "grey and %d heron", i)
	}
	w.settleIndex()
	cold := indexWorld(t, e, store.Options{})
	cold.sameFound("the index is loaded", ann, "absent", 0)
	e.Reset()
	if got := must(cold.Discovery.SearchStatuses(w.ctx, ann, searchFor(`"grey heron"`)))(t); len(got.Statuses) != 0 || got.Next == 0 {
		t.Errorf("found %d, the next page begins at %v", len(got.Statuses), got.Next)
	}
	if s := e.Stats(); s.Queries < 2_000 || s.Queries > 2_100 {
		t.Errorf("%+v", s)
	}
}
