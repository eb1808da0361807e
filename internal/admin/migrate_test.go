package admin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/instance"
)

// fenced returns an engine with a fence, as a server has it.
func fenced(e kv.Engine, alone bool) *fencekv.Engine {
	return fencekv.New(e, fencekv.Options{Key: record.FenceKey(), Judge: instance.Writable, Free: instance.Unfenced(), Alone: alone})
}

// places returns functions that open an empty store. If the engine permits it, another also opens
// the same store again.
func places(t *testing.T) map[string]func(t *testing.T) (first kv.Engine, another func() kv.Engine) {
	overRedis := func(t *testing.T, url string) (kv.Engine, func() kv.Engine) {
		open := func() kv.Engine {
			e, err := rediskv.Open(t.Context(), url, rediskv.Options{Guard: true, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		}
		return open(), open
	}
	return map[string]func(t *testing.T) (kv.Engine, func() kv.Engine){
		"memory": func(*testing.T) (kv.Engine, func() kv.Engine) { return memkv.New(memkv.Options{}), nil },
		"embedded": func(t *testing.T) (kv.Engine, func() kv.Engine) {
			e, err := diskkv.Open(t.TempDir(), diskkv.Options{Sync: diskkv.SyncInterval, Reserve: -1, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e, nil
		},
		"redis": func(t *testing.T) (kv.Engine, func() kv.Engine) { return overRedis(t, redistest.Start(t).URL()) },
		"cluster": func(t *testing.T) (kv.Engine, func() kv.Engine) {
			if testing.Short() {
				t.Skip("a Cluster takes its time")
			}
			return overRedis(t, redistest.Cluster(t, 3, 0).URL())
		},
	}
}

// leaving returns the source of a migration.
func leaving(e *fencekv.Engine) admin.Leaving {
	return admin.Leaving{Engine: e, Changes: e.Changes, Quiet: e.Quiet(), BriefQuiet: e.BriefQuiet()}
}

func migrate(t *testing.T, from *fencekv.Engine, to kv.Engine) *admin.Migrated {
	t.Helper()
	r, err := admin.Migrate(t.Context(), leaving(from), admin.Entering{Engine: to}, admin.MigrateOptions{From: "old", To: "new", Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func opens(t *testing.T, e kv.Engine) error {
	return store.New(e, store.Options{}).Instance.CheckFormat(t.Context())
}

// TestMigrateThereAndBack checks that a store can be moved to another engine, used there, and moved
// back. Nothing can write to the old store meanwhile.
func TestMigrateThereAndBack(t *testing.T) {
	for _, way := range [][2]string{{"memory", "embedded"}, {"embedded", "redis"}, {"redis", "cluster"}, {"cluster", "embedded"}} {
		t.Run(way[0]+" to "+way[1], func(t *testing.T) {
			old, _ := places(t)[way[0]](t)
			next, _ := places(t)[way[1]](t)
			from := fenced(old, way[0] == "embedded" || way[0] == "memory")
			v := newVillage(t, from)
			v.drain()
			v.home(v.ann) // builds the feed
			v.stop()
			before := digestIs(t, old)
			r := migrate(t, from, next)
			if r.Digest != before || digestIs(t, next) != before || r.Entries == 0 || r.Resumed {
				t.Errorf("moved %+v; the store had the digest %s", r, before)
			}
			if err := opens(t, from); !errors.Is(err, instance.ErrMoved{To: "new"}) {
				t.Errorf("the old store opens with %v", err)
			}
			if _, err := from.Txn(t.Context(), nil, kv.Put{Key: record.MetaKey("x"), Version: 1}); !errors.Is(err, kv.ErrMoving) {
				t.Errorf("a write to the old store ends with %v", err)
			}
			if again := migrate(t, from, next); !again.Resumed {
				t.Errorf("moved again: %+v", again)
			}
			there := fenced(next, way[1] == "embedded")
			w := newWorld(t, there)
			w.mustBeClean()
			id := w.post(v.ann, linnet.Draft{Text: "from the new store"})
			w.drain()
			w.stop()
			other := memkv.New(memkv.Options{})
			if _, err := admin.Migrate(t.Context(), leaving(from), admin.Entering{Engine: other}, admin.MigrateOptions{}); !errors.Is(err, admin.ErrOtherMove) {
				t.Errorf("a store that was moved is moved elsewhere: %v", err)
			}
			after := digestIs(t, next)
			if r := migrate(t, there, old); r.Digest != after || digestIs(t, old) != after {
				t.Errorf("moved back %+v; the store had the digest %s", r, after)
			}
			back := newWorld(t, from)
			back.mustBeClean()
			if ids := back.home(v.ann); !slices.Contains(ids, id) {
				t.Errorf("what was posted meanwhile does not stand at home: %v", ids)
			}
		})
	}
}

// home returns the ids in a user's home timeline.
func (w *world) home(user linnet.ID) (ids []linnet.ID) {
	w.Helper()
	page, err := w.Reading.Home(w.ctx, user, linnet.Page{Limit: 40})
	w.must(err)
	for _, st := range page.Items {
		ids = append(ids, st.Status.ID)
	}
	return ids
}

// TestMigrateLosesNothing checks that all writes acknowledged by several servers during a migration
// are in the new store. Reads work all the time.
func TestMigrateLosesNothing(t *testing.T) {
	for _, way := range [][2]string{{"embedded", "redis"}, {"redis", "embedded"}, {"redis", "cluster"}, {"cluster", "memory"}} {
		t.Run(way[0]+" to "+way[1], func(t *testing.T) {
			old, another := places(t)[way[0]](t)
			next, _ := places(t)[way[1]](t)
			from := fenced(old, another == nil)
			if err := opens(t, from); err != nil {
				t.Fatal(err)
			}
			servers := []*fencekv.Engine{from, from}
			if another != nil {
				servers = []*fencekv.Engine{fenced(another(), false), fenced(another(), false)}
			}
			l := newLedger(t, servers)
			r := migrate(t, from, next)
			l.end()
			if r.Changed == 0 {
				t.Error("nothing changed meanwhile")
			}
			t.Logf("%d writes acknowledged, %d refused; writes were stopped for %.2f s", l.acknowledged(), l.refused.Load(), r.Stopped)
			if r.Stopped > 3 { // usually 0.1 to 0.6, but other tests run simultaneously
				t.Errorf("writes were stopped for %.2f s", r.Stopped)
			}
			l.compare(next)
			if is := digestIs(t, next); is != r.Digest {
				t.Errorf("the new store has the digest %s, want %s", is, r.Digest)
			}
		})
	}
}

// TestMigrateWithinOneRedis checks that a migration between two databases of one Redis ends. Each
// database reports the other's changes, which must not count as changes of the source forever.
func TestMigrateWithinOneRedis(t *testing.T) {
	url := redistest.Start(t).URL()
	var e [2]kv.Engine
	for db := range e {
		var err error
		if e[db], err = rediskv.Open(t.Context(), fmt.Sprint(url, "?db=", db), rediskv.Options{Guard: true, Logger: slog.New(slog.DiscardHandler)}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e[db].Close() })
	}
	from := fenced(e[0], false)
	v := newVillage(t, from)
	v.drain()
	v.stop()
	if r := migrate(t, from, e[1]); r.Digest != digestIs(t, e[1]) {
		t.Error("the digests differ")
	}
}

// ledger writes through servers, and counts acknowledged writes.
type ledger struct {
	*testing.T
	stop    context.CancelFunc
	writers sync.WaitGroup
	counts  [4]atomic.Int64 // minimum value of each writer's counter
	refused atomic.Int64
}

func (l *ledger) key(w int) kv.Key {
	return record.CountsKey(linnet.MakeID(time.Unix(1e9, 0), uint16(w*300), 0))
}

// newLedger starts the writers.
func newLedger(t *testing.T, servers []*fencekv.Engine) *ledger {
	ctx, stop := context.WithCancel(t.Context())
	l := &ledger{T: t, stop: stop}
	for w := range l.counts {
		e := servers[w%len(servers)]
		l.writers.Go(func() {
			for ctx.Err() == nil {
				_, err := e.Txn(t.Context(), nil, kv.Incr{Key: l.key(w), Name: "followers", By: 1})
				switch {
				case err == nil:
					l.counts[w].Add(1)
				case errors.Is(err, kv.ErrMoving):
					l.refused.Add(1)
					time.Sleep(5 * time.Millisecond)
				default:
					t.Errorf("a write ends with %v", err)
				}
				if err := e.Read(t.Context(), &kv.Counters{Key: l.key(w), Names: []string{"followers"}}); err != nil {
					t.Errorf("a read ends with %v", err)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	return l
}

func (l *ledger) end() {
	l.stop()
	l.writers.Wait()
}

func (l *ledger) acknowledged() (n int64) {
	for w := range l.counts {
		n += l.counts[w].Load()
	}
	return n
}

// compare fails unless the engine has all acknowledged writes.
func (l *ledger) compare(e kv.Engine) {
	l.Helper()
	for w := range l.counts {
		q := &kv.Counters{Key: l.key(w), Names: []string{"followers"}}
		if err := e.Read(l.Context(), q); err != nil {
			l.Fatal(err)
		}
		// Each writer had at most one unfinished write when the fence closed.
		if want := l.counts[w].Load(); q.Values[0] < want || q.Values[0] > want+1 {
			l.Errorf("writer %d: %d are there, %d were acknowledged", w, q.Values[0], want)
		}
	}
}

// losing is an engine that silently loses a member of a set.
type losing struct {
	kv.Engine
}

func (l *losing) Apply(ctx context.Context, ops ...kv.Op) error {
	for _, op := range ops {
		if a, ok := op.(kv.Add); ok {
			ops = append(slices.Clone(ops), kv.Remove{Key: a.Key, Member: a.Member})
			break
		}
	}
	return l.Engine.Apply(ctx, ops...)
}

// TestMigrateComparesBoth checks that an incomplete new store isn't opened, and the old one
// continues immediately.
func TestMigrateComparesBoth(t *testing.T) {
	old, next := memkv.New(memkv.Options{}), memkv.New(memkv.Options{})
	from := fenced(old, true)
	v := newVillage(t, from)
	v.drain()
	_, err := admin.Migrate(t.Context(), leaving(from), admin.Entering{Engine: &losing{Engine: next}}, admin.MigrateOptions{From: "old"})
	if !errors.Is(err, admin.ErrDiffers) {
		t.Fatalf("moved with %v", err)
	}
	v.post(v.ann, linnet.Draft{Text: "the old store goes on"})
	if err := opens(t, from); err != nil {
		t.Errorf("the old store opens with %v", err)
	}
	if err := opens(t, next); !errors.Is(err, instance.ErrFilling{From: "old"}) {
		t.Errorf("the new store opens with %v", err)
	}
	v.stop()
	if r := migrate(t, from, next); r.Digest != digestIs(t, next) { // another run repairs it
		t.Error("the digests differ")
	}
	newWorld(t, next).mustBeClean()
}

// TestMigrateRefuses checks that Migrate refuses stores with other data or of another migration.
// Restore refuses a store that is being filled.
func TestMigrateRefuses(t *testing.T) {
	from := fenced(memkv.New(memkv.Options{}), true)
	v := newVillage(t, from)
	v.stop()
	used := memkv.New(memkv.Options{})
	if err := opens(t, used); err != nil {
		t.Fatal(err)
	}
	filling := memkv.New(memkv.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	broken := &cancelling{Engine: filling, after: 3, cancel: cancel}
	stranger := fenced(memkv.New(memkv.Options{}), true)
	if err := opens(t, stranger); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Migrate(ctx, leaving(stranger), admin.Entering{Engine: broken}, admin.MigrateOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a migration that is broken off ends with %v", err)
	}
	for name, c := range map[string]struct {
		to   kv.Engine
		want error
	}{"used": {used, admin.ErrNotEmpty}, "filling": {filling, admin.ErrOtherMove}} {
		if _, err := admin.Migrate(t.Context(), leaving(from), admin.Entering{Engine: c.to}, admin.MigrateOptions{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := admin.Restore(t.Context(), filling, nil, admin.RestoreOptions{}); err == nil {
		t.Error("a backup is restored into a store that is being filled")
	}
}

// cancelling cancels a context at a certain write.
type cancelling struct {
	kv.Engine
	after  int64
	writes atomic.Int64
	cancel func()
}

func (c *cancelling) count() {
	if c.writes.Add(1) == c.after {
		c.cancel()
	}
}

func (c *cancelling) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	c.count()
	return c.Engine.Txn(ctx, conds, ops...)
}

func (c *cancelling) Apply(ctx context.Context, ops ...kv.Op) error {
	c.count()
	return c.Engine.Apply(ctx, ops...)
}

// TestMigrateBrokenOff checks that after an interruption at any write, either the old store is
// writable or the new one is open. Another run completes the migration.
func TestMigrateBrokenOff(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	model := fenced(memkv.New(memkv.Options{}), true)
	v := newVillage(t, model)
	v.drain()
	v.stop()
	writes := int64(1)
	for after := int64(1); after <= writes; after += 1 + random.Int64N(writes/20+1) {
		from := fenced(model.Engine.(*memkv.Engine).Clone(), true)
		next := memkv.New(memkv.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		to := &cancelling{Engine: next, after: after, cancel: cancel}
		_, err := admin.Migrate(ctx, leaving(from), admin.Entering{Engine: to}, admin.MigrateOptions{})
		writes = max(writes, to.writes.Load())
		_, wrote := from.Txn(t.Context(), nil, kv.Put{Key: record.MetaKey("x"), Version: 1})
		if opened := opens(t, next.Clone()); err == nil && opened != nil || err == nil && !errors.Is(wrote, kv.ErrMoving) || err != nil && wrote != nil {
			t.Fatalf("broken off with write %d: %v; the old store takes a write with %v, the new one opens with %v", after, err, wrote, opened)
		}
		if err == nil {
			continue
		}
		if r := migrate(t, from, next); r.Digest != digestIs(t, next) {
			t.Errorf("after write %d and again the digests differ", after)
		}
	}
}

// TestMigrateWithFaults checks that exactly one store is writable after any write to either store
// fails, or its response is lost.
func TestMigrateWithFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("each fault is waited for")
	}
	model := memkv.New(memkv.Options{})
	if err := opens(t, model); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 8; n++ {
		for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
			for _, side := range []string{"old", "new"} {
				t.Run(fmt.Sprint(side, n, when), func(t *testing.T) {
					t.Parallel()
					old, next := faultkv.New(model.Clone()), faultkv.New(memkv.New(memkv.Options{}))
					from := fenced(old, true)
					map[string]*faultkv.Engine{"old": old, "new": next}[side].FailAt(n, when)
					_, err := admin.Migrate(t.Context(), leaving(from), admin.Entering{Engine: next}, admin.MigrateOptions{})
					_, wrote := from.Txn(t.Context(), nil, kv.Put{Key: record.MetaKey("x"), Version: 1})
					if err == nil && (!errors.Is(wrote, kv.ErrMoving) || opens(t, next) != nil) {
						t.Errorf("moved; the old store takes a write with %v", wrote)
					}
					if err != nil && wrote != nil {
						t.Errorf("not moved (%v), and the old store takes no write: %v", err, wrote)
					}
					if err != nil {
						migrate(t, from, next)
					}
				})
			}
		}
	}
}

// TestMigrateEndsWithItsFence checks that nothing is moved if the fence record in the old store
// disappears, because other servers may have written since.
func TestMigrateEndsWithItsFence(t *testing.T) {
	old, next := memkv.New(memkv.Options{}), memkv.New(memkv.Options{})
	from := fenced(old, true)
	if err := opens(t, from); err != nil {
		t.Fatal(err)
	}
	l := leaving(from)
	changes := l.Changes
	l.Changes = func(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
		_, err := from.Txn(ctx, nil, kv.Delete{Key: record.FenceKey()})
		return errors.Join(err, changes(ctx, kinds, f))
	}
	if _, err := admin.Migrate(t.Context(), l, admin.Entering{Engine: next}, admin.MigrateOptions{}); !errors.Is(err, admin.ErrLost) {
		t.Errorf("moved with %v", err)
	}
	if err := opens(t, next); err == nil {
		t.Error("the new store is open")
	}
	if err := opens(t, from); err != nil {
		t.Errorf("the old store opens with %v", err)
	}
}

// TestMigrateFiles checks that a migration copies media if the new store has another location for
// them.
func TestMigrateFiles(t *testing.T) {
	here, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	there, err := blob.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	from := fenced(memkv.New(memkv.Options{}), true)
	if err := opens(t, from); err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("png")
	if err := here.Put(t.Context(), name, "image/png", bytes.NewReader([]byte("a picture"))); err != nil {
		t.Fatal(err)
	}
	l := leaving(from)
	l.Files = here
	var told bytes.Buffer
	r, err := admin.Migrate(t.Context(), l, admin.Entering{Engine: memkv.New(memkv.Options{}), Files: there}, admin.MigrateOptions{From: "a", To: "b", Scratch: t.TempDir(), Progress: admin.NewProgress(&told, false)})
	if err != nil || r.Files != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	f, err := there.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := io.ReadAll(f); string(data) != "a picture" || err != nil {
		t.Errorf("the file holds %q, %v", data, err)
	}
	if !bytes.Contains(told.Bytes(), []byte("writes are paused; reads continue\n")) {
		t.Errorf("told:\n%s", &told)
	}
}
