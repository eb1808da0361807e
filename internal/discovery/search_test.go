package discovery_test

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
func finds(w *apptest.World, me linnet.ID, q string) string {
	w.Helper()
	return fmt.Sprint(apptest.Texts(apptest.Must(w.Discovery.SearchStatuses(w.Ctx, me, apptest.SearchFor(q)))(w).Statuses))
}

func indexable(w *apptest.World, id linnet.ID, on bool) {
	w.Helper()
	apptest.Must(w.Social.Profiles.Update(w.Ctx, id, linnet.ProfileChange{Indexable: &on}))(w)
	w.Drain()
}

// TestSearchScopes checks that users find public statuses of indexable authors and statuses that
// involve them, but no invisible or unwanted ones.
func TestSearchScopes(t *testing.T) { apptest.OnEngines(t, searchScopes) }

func searchScopes(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	open := w.Post(ann, "otter public").ID
	w.Draft(ann, linnet.Draft{Text: "otter unlisted", Visibility: new(linnet.Unlisted)})
	w.Draft(ann, linnet.Draft{Text: "otter private", Visibility: new(linnet.Private)})
	direct := w.Draft(ann, linnet.Draft{Text: "@bob otter direct", Visibility: new(linnet.Direct)}).ID
	w.Drain()
	is := func(who linnet.ID, q, want string) {
		w.Helper()
		if got := finds(w, who, q); got != want {
			w.Errorf("%v finds %s for %q, want %s", who, got, q, want)
		}
	}
	mine := "[@bob otter direct otter private otter unlisted otter public]"
	is(ann, "otter", mine)
	is(bob, "otter", "[@bob otter direct]")
	is(cat, "otter", "[]")
	is(0, "otter", "[]")
	indexable(w, ann, true) // earlier statuses are found too
	comesTo(w, "what was there before", func() string { return finds(w, cat, "otter") }, "[otter public]")
	is(bob, "otter", "[@bob otter direct otter public]")
	is(bob, "otter in:public", "[otter public]")
	is(bob, "otter in:library", "[@bob otter direct]")
	is(ann, "otter in:public", "[otter public]")
	w.Post(ann, "otter later")
	is(cat, "otter", "[otter later otter public]")
	indexable(w, ann, false) // applies at once
	is(cat, "otter", "[]")
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, cat, open))(w)
	w.Drain()
	is(cat, "otter", "[otter public]")
	apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, cat, open))(w)
	apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, cat, open))(w)
	w.Drain()
	is(cat, "otter in:library", "[otter public]")
	w.Draft(bob, linnet.Draft{Text: "yes", InReplyTo: open})
	w.Drain()
	is(bob, "otter", "[@bob otter direct otter public]")
	is(bob, "otter -direct", "[otter public]")
	indexable(w, ann, true)
	apptest.Must(w.Social.Block(w.Ctx, ann, cat))(w)
	w.Drain()
	is(cat, "otter", "[]")
	apptest.Must(w.Social.Mute(w.Ctx, bob, ann, linnet.MuteOptions{}))(w)
	w.Drain()
	is(bob, "otter", "[]")
	apptest.Must(w.Posting.Delete(w.Ctx, ann, direct))(w)
	is(ann, "otter", strings.Replace(strings.Replace(mine, "@bob otter direct ", "", 1), "[", "[otter later ", 1))
	w.Check()
}

// comesTo waits until shows returns want.
func comesTo(w *apptest.World, what string, shows func() string, want string) {
	w.Helper()
	got := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got = shows(); got == want {
			return
		}
	}
	w.Fatalf("%s: %s, want %s", what, got, want)
}

// TestSearchOperators checks that each operator selects its statuses, and that its negation selects
// the others.
func TestSearchOperators(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	first := w.Post(ann, "heron one")
	w.Draft(ann, linnet.Draft{Text: "heron two", InReplyTo: first.ID})
	w.Draft(ann, linnet.Draft{Text: "heron three https://example.org/x", Language: "de", QuoteOf: first.ID})
	w.Draft(ann, linnet.Draft{Text: "heron four", Warning: "feathers"})
	w.Draft(ann, linnet.Draft{Text: "heron five", Poll: &linnet.PollDraft{Options: []string{"grey", "white"}, Seconds: 3600}})
	w.Draft(bob, linnet.Draft{Text: "@ann heron six #Heron", Language: "en-GB"})
	w.Drain()
	today, tomorrow := w.Store.Now().UTC().Format(time.DateOnly), w.Store.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	all := "[@ann heron six #Heron heron five heron four heron three https://example.org/x heron two heron one]"
	for q, want := range map[string]string{
		"heron": all, "HERO*": all, "heron from:bob": "[@ann heron six #Heron]", "heron from:@bob@linnet.test": "[@ann heron six #Heron]", "from:me heron -is:reply -has:poll -has:link -is:sensitive": "[heron one]",
		"heron -from:me": "[@ann heron six #Heron]", "from:nobody heron": "[]", "is:reply": "[heron two]", "has:link": "[heron three https://example.org/x]", "has:poll": "[heron five]", "has:quote": "[heron three https://example.org/x]", "has:embed heron": "[]", "white grey": "[heron five]",
		"is:sensitive": "[heron four]", "feathers": "[heron four]", "language:de": "[heron three https://example.org/x]", "language:en heron -language:de": "[@ann heron six #Heron]", "has:media heron": "[]",
		`"heron one"`: "[heron one]", `"one heron"`: "[]", "#heron": "[@ann heron six #Heron]", "@ann heron": "[@ann heron six #Heron]", "during:" + today: all, "before:" + today: "[]", "after:" + today: "[]", "heron before:" + tomorrow: all,
	} {
		if got := finds(w, ann, q); got != want {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
	for _, q := range []string{"before:yesterday", "has:wings", "is:bird", "in:here", "ab*", strings.Repeat("x", 501), strings.Repeat("x ", 40)} {
		_, err := w.Discovery.SearchStatuses(w.Ctx, ann, apptest.SearchFor(q))
		apptest.WantKind(t, err, linnet.Invalid)
	}
}

// TestSearchPages checks that pages by max_id and by offset contain each status once.
func TestSearchPages(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	var want []linnet.ID
	for i := range 130 {
		want = append(want, w.Post(ann, "swift %d", i).ID)
		w.Post(bob, "swift of another %d", i)
	}
	slices.Reverse(want)
	w.Drain()
	var got []linnet.ID
	q := discovery.SearchQuery{Text: "swift", Limit: 40}
	for pages := 0; pages < 10; pages++ {
		found := apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, q))(t)
		got = append(got, apptest.IDs(found.Statuses)...)
		if q.Below = found.Next; q.Below == 0 {
			break
		}
	}
	apptest.Equal(t, "by max_id", got, want)
	got = nil
	for offset := 0; offset < 130; offset += 30 {
		got = append(got, apptest.IDs(apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, discovery.SearchQuery{Text: "swift", Limit: 30, Offset: offset}))(t).Statuses)...)
	}
	apptest.Equal(t, "by offset", got, want)
	found := apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, discovery.SearchQuery{Text: "swift", Above: want[10]}))(t)
	apptest.Equal(t, "later than one", apptest.IDs(found.Statuses), want[:10])
	for range 2 { // indexed again, but found once
		if err := w.Store.Statuses.Search.Enqueue(w.Ctx, w.Store.Now(), want[5]); err != nil {
			t.Fatal(err)
		}
		st := &apptest.Must(w.View.Status(w.Ctx, ann, want[5]))(t).Status
		if err := w.Discovery.Edited(w.Ctx, event.Edited{Status: st, Queued: w.Store.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	found = apptest.Must(w.Discovery.SearchStatuses(w.Ctx, ann, discovery.SearchQuery{Text: "swift", Above: want[10]}))(t)
	apptest.Equal(t, "later than one, indexed again", apptest.IDs(found.Statuses), want[:10])
}

// indexWorld returns a world whose index is updated by hand.
func indexWorld(t *testing.T, e kv.Engine, opt store.Options) *apptest.World {
	st := store.New(e, opt)
	s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, IndexAt: 64}))(t)
	return &apptest.World{T: t, App: s, Ctx: context.Background(), Store: st}
}

// settleIndex performs all pending work on the index.
func settleIndex(w *apptest.World) {
	w.Helper()
	for range 10_000 {
		if apptest.Must(w.Discovery.MaintainIndex(w.Ctx))(w) {
			continue
		}
		return
	}
	w.Fatal("there is always something to be done")
}

func manifest(w *apptest.World) *record.SearchManifest {
	return apptest.Must(w.Store.Statuses.Search.Manifest(w.Ctx))(w)
}

// foundIn returns the number of statuses that a user finds on all pages.
func foundIn(w *apptest.World, me linnet.ID, words string) (n int) {
	w.Helper()
	for q := (discovery.SearchQuery{Text: words, Limit: 40}); ; {
		f := apptest.Must(w.Discovery.SearchStatuses(w.Ctx, me, q))(w)
		n += len(f.Statuses)
		if q.Below = f.Next; q.Below == 0 {
			return n
		}
	}
}

func sameFound(w *apptest.World, what string, me linnet.ID, words string, want int) {
	w.Helper()
	if got := foundIn(w, me, words); got != want {
		w.Errorf("%s: %d found, want %d", what, got, want)
	}
}

// TestSearchSegments checks that a search finds the same while segments are created, merged,
// rebuilt and removed, also on a new server.
func TestSearchSegments(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	opt := store.Options{Now: clock.Now}
	w := indexWorld(t, e, opt)
	ann := w.Person("ann")
	w.Post(ann, "gannet before the index")
	settleIndex(w)
	want := 1
	agree := func(what string) {
		t.Helper()
		sameFound(w, what, ann, "gannet", want)
		sameFound(indexWorld(t, e, opt), what+", a new server", ann, "gannet", want)
		w.Check()
	}
	var posted []linnet.ID
	for i := range 600 {
		posted = append(posted, w.Post(ann, "gannet %d", i).ID)
		want++
		if i%70 == 69 {
			settleIndex(w)
		}
	}
	if m := manifest(w); len(m.Segments) < 1 || len(m.Segments) >= 8 || m.Walk != nil {
		t.Errorf("%d segments, walk %v", len(m.Segments), m.Walk)
	}
	agree("merged")
	for _, id := range posted[:100] {
		apptest.Must(w.Posting.Delete(w.Ctx, ann, id))(t)
	}
	want -= 100
	agree("deleted")
	clock.Advance(25 * 24 * time.Hour)
	settleIndex(w)
	count := 0
	for _, s := range manifest(w).Segments {
		count += s.Count
	}
	if count > want {
		t.Errorf("the segments hold %d statuses, of %d: what was deleted is still there", count, want)
	}
	agree("made anew")
	clock.Advance(time.Hour)
	settleIndex(w)
	if m := manifest(w); len(m.Removed) > 0 {
		t.Errorf("still removed: %v", m.Removed)
	}
	if err := w.Discovery.RebuildIndex(w.Ctx); err != nil {
		t.Fatal(err)
	}
	agree("about to be rebuilt")
	settleIndex(w)
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
			ann := w.Person("ann")
			for i := range 100 {
				w.Post(ann, "petrel %d", i)
			}
			settleIndex(w)
			get := &kv.Get{Key: record.SearchPartKey(manifest(w).Segments[0].Name, 0)}
			if err := e.Read(w.Ctx, get); err != nil || get.Version == 0 {
				t.Fatal(err)
			}
			if err := e.Apply(w.Ctx, damage(get)); err != nil {
				t.Fatal(err)
			}
			fresh := indexWorld(t, e, store.Options{})
			if f := apptest.Must(fresh.Discovery.SearchStatuses(fresh.Ctx, ann, apptest.SearchFor("petrel")))(t); !f.Incomplete {
				t.Error("nobody is told that something is missing")
			}
			if err := e.Apply(w.Ctx, kv.Delete{Key: record.SearchLeaseKey()}); err != nil { // the first server holds the lease for a minute
				t.Fatal(err)
			}
			settleIndex(fresh)
			if got := finds(fresh, ann, "petrel 7"); got != "[petrel 7]" {
				t.Errorf("found %s", got)
			}
			fresh.Check()
		})
	}
}

// TestSearchOnTwoServers checks that a post on one server is found on the other, with and without
// segments.
func TestSearchOnTwoServers(t *testing.T) {
	ws := apptest.Servers(t, 2)
	a, b := ws[0], ws[1]
	ann, bob := a.Person("ann"), a.Person("bob")
	indexable(a, ann, true)
	a.WaitFor("that she may be found", func() string { return fmt.Sprint(apptest.Must(b.View.User(b.Ctx, 0, ann))(b).Indexable) }, "true")
	a.Post(ann, "plover here")
	if got := finds(a, bob, "plover"); got != "[plover here]" {
		t.Errorf("on its own server: %s", got)
	}
	comesTo(b, "on the other server", func() string { return finds(b, bob, "plover") }, "[plover here]")
	b.Post(ann, "plover there")
	comesTo(a, "on the first server", func() string { return finds(a, bob, "plover") }, "[plover there plover here]")
}

// TestTheIndexIsMadeWithFewLooks checks that a server rarely reads the queue while it builds the
// index. The queue is full then, and reading it after each batch would dominate.
func TestTheIndexIsMadeWithFewLooks(t *testing.T) { synctest.Test(t, indexIsMadeWithFewLooks) }

func indexIsMadeWithFewLooks(t *testing.T) {
	e := &looked{Engine: memkv.New(memkv.Options{})}
	w := indexWorld(t, e, store.Options{})
	defer w.App.Close()
	for i := range 2000 { // forty batches
		w.Person(fmt.Sprint("user", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Discovery.Run(ctx) })
	time.Sleep(time.Second) // in the bubble, where the work takes no time
	if m := manifest(w); m.Walked == 0 {
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
	ann := w.Person("ann")
	for i := range 3000 {
		w.Post(ann, "grey and %d heron", i)
	}
	settleIndex(w)
	cold := indexWorld(t, e, store.Options{})
	sameFound(cold, "the index is loaded", ann, "absent", 0)
	e.Reset()
	if got := apptest.Must(cold.Discovery.SearchStatuses(w.Ctx, ann, apptest.SearchFor(`"grey heron"`)))(t); len(got.Statuses) != 0 || got.Next == 0 {
		t.Errorf("found %d, the next page begins at %v", len(got.Statuses), got.Next)
	}
	if s := e.Stats(); s.Queries < 2_000 || s.Queries > 2_100 {
		t.Errorf("%+v", s)
	}
}
